import Events
import Geometry

/// Plans, zones, beacons, contents, the directory and discarded surveys.
extension SiteValidation {
    mutating func checkFloorPlans(_ document: SiteDocument) {
        let floors = Set(document.floors.map(\.id))
        var seen: Set<FloorPlanID> = []
        for plan in document.floorPlans {
            let subject = "floor plan \(shown(plan.id.text))"
            checkIdentifier(plan.id, isNew: seen.insert(plan.id).inserted, subject)
            checkFloor(plan.floor, in: floors, subject)
            checkMedia(plan.image, subject)
            do throws(PlanTransform.Fault) {
                _ = try PlanTransform(
                    plan.alignment, widthPixels: plan.widthPixels, heightPixels: plan.heightPixels,
                    siteBearingDegrees: document.bearingDegrees)
            } catch {
                add(.planMisaligned, subject, "the alignment ties nothing down: \(error.rawValue)")
            }
        }
    }

    mutating func checkZones(_ document: SiteDocument) {
        let floors = Set(document.floors.map(\.id))
        let rooms = Set(document.rooms.map(\.id))
        var seen: Set<ZoneID> = []
        for zone in document.zones {
            let subject = "zone \(shown(zone.id.text))"
            checkIdentifier(zone.id, isNew: seen.insert(zone.id).inserted, subject)
            checkText(zone.name, "name", subject)
            checkNames(zone.names, subject)
            checkText(zone.kind, "kind", subject)
            if let floor = zone.floor { checkFloor(floor, in: floors, subject) }
            checkOutline(zone.outline, subject)
            checkCount(zone.rooms.count, "rooms", subject)
            if zone.outline.isEmpty, zone.rooms.isEmpty {
                add(.emptyZone, subject, "a zone has an outline, or rooms")
            }
            for room in zone.rooms where !rooms.contains(room) {
                add(.unknownRoom, subject, "no room \(shown(room.text))")
            }
        }
    }

    mutating func checkBeacons(_ document: SiteDocument) {
        let floors = Set(document.floors.map(\.id))
        var seen: Set<BeaconID> = []
        for beacon in document.beacons {
            let subject = "beacon \(shown(beacon.id.text))"
            checkIdentifier(beacon.id, isNew: seen.insert(beacon.id).inserted, subject)
            if let name = beacon.name { checkText(name, "name", subject) }
            checkFloor(beacon.floor, in: floors, subject)
            if !(isInRange(beacon.x) && isInRange(beacon.y)) {
                add(.coordinateOutOfRange, subject, "x \(beacon.x), y \(beacon.y)")
            }
            if beacon.uuid == nil, beacon.address == nil {
                add(.beaconUnidentified, subject, "a beacon has a uuid or an address")
            }
        }
    }

    mutating func checkContents(_ document: SiteDocument) {
        guard !document.contents.isEmpty else { return }
        let places = KnownPlaces(document)
        var seen: Set<ContentID> = []
        for content in document.contents {
            let subject = "content \(shown(content.id.text))"
            checkIdentifier(content.id, isNew: seen.insert(content.id).inserted, subject)
            checkPlace(content.place, in: places, subject)
            checkText(content.title, "title", subject)
            checkNames(content.titles, subject)
            for text in [content.text ?? ""] + content.texts.byLanguage.values {
                checkLongText(text, subject)
            }
            checkLanguages(content.texts, subject)
            for count in [content.audio.count, content.pictures.count, content.videos.count]
            where count > SiteLimits.mediaPerContent {
                let detail = "\(count) media of one kind, at most \(SiteLimits.mediaPerContent)"
                add(.tooMany, subject, detail)
            }
            for audio in content.audio {
                checkMedia(audio.media, subject)
                if let language = audio.language { checkLanguage(language, subject) }
            }
            for picture in content.pictures {
                checkMedia(picture.media, subject)
                if let caption = picture.caption { checkText(caption, "caption", subject) }
                checkNames(picture.captions, subject)
            }
            for video in content.videos { checkMedia(video, subject) }
        }
    }

    mutating func checkDirectory(_ document: SiteDocument) {
        guard !document.directory.isEmpty else { return }
        let places = KnownPlaces(document)
        let entries = Set(document.directory.map(\.id))
        var seen: Set<DirectoryID> = []
        for entry in document.directory {
            let subject = "directory entry \(shown(entry.id.text))"
            checkIdentifier(entry.id, isNew: seen.insert(entry.id).inserted, subject)
            checkText(entry.kind, "kind", subject)
            checkText(entry.name, "name", subject)
            checkNames(entry.names, subject)
            if let parent = entry.parent, !entries.contains(parent) || parent == entry.id {
                add(.unknownParent, subject, "no other entry \(shown(parent.text))")
            }
            checkCount(entry.places.count, "places", subject)
            for place in entry.places { checkPlace(place, in: places, subject) }
            if let hours = entry.openingHours { checkText(hours, "openingHours", subject) }
            if let telephone = entry.telephone { checkText(telephone, "telephone", subject) }
            if let website = entry.website {
                checkText(website, "website", subject)
                // It becomes a link on pages: other schemes could run a script there.
                if !website.hasPrefix("https://"), !website.hasPrefix("http://") {
                    add(.malformedWebsite, subject, "a website starts with https:// or http://")
                }
            }
        }
    }

    mutating func checkSurveyDiscards(_ document: SiteDocument) {
        for (number, discard) in document.surveyDiscards.enumerated() {
            let subject = "survey discard \(number)"
            // The floor may be gone: a discard outlives what it cleared.
            if !isWellFormedIdentifier(discard.floor.text) {
                add(.malformedIdentifier, subject, "an id is [A-Za-z0-9._-], 1 to 64 characters")
            }
            checkOutline(discard.outline, subject)
            checkCount(discard.locations.count, "locations", subject)
            checkCount(discard.holes.count, "holes", subject)
            for hole in discard.holes.prefix(SiteLimits.placesPerThing) {
                checkOutline(hole, subject)
            }
        }
    }

    private mutating func checkFloor(
        _ floor: FloorID, in floors: Set<FloorID>, _ subject: String
    ) {
        if !floors.contains(floor) { add(.unknownFloor, subject, "no floor \(shown(floor.text))") }
    }

    private mutating func checkPlace(
        _ place: PlaceReference, in known: KnownPlaces, _ subject: String
    ) {
        if !known.contains(place) { add(.unknownPlace, subject, "no \(shown("\(place)"))") }
    }

    private mutating func checkCount(_ count: Int, _ name: String, _ subject: String) {
        if count > SiteLimits.placesPerThing {
            add(.tooMany, subject, "\(count) \(name), at most \(SiteLimits.placesPerThing)")
        }
    }

    /// Text that may have line breaks and tabs.
    private mutating func checkLongText(_ text: String, _ subject: String) {
        let line = text.filter { $0 != "\n" && $0 != "\r\n" && $0 != "\t" }
        checkText(line, "text", subject, limit: SiteLimits.contentBytes)
    }

    private mutating func checkMedia(_ media: MediaReference, _ subject: String) {
        let digits = media.hash.utf8
        let isHash =
            digits.count == 64
            && digits.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
        if !isHash { add(.malformedHash, subject, "a hash is 64 hexadecimal digits") }
        checkText(media.type, "media type", subject)
        if media.type.split(separator: "/", omittingEmptySubsequences: false).count != 2 {
            add(.malformedMediaType, subject, "a media type is such as image/png")
        }
        if !(1...SiteLimits.mediaBytes).contains(media.bytes) {
            add(.factOutOfRange, subject, "\(media.bytes) bytes, 1 to \(SiteLimits.mediaBytes)")
        }
    }
}

/// What places of a document can be referred to.
private struct KnownPlaces {
    private let places: Set<PlaceReference>

    init(_ document: SiteDocument) {
        var places: Set<PlaceReference> = []
        places.reserveCapacity(document.rooms.count + document.locations.count)
        places.formUnion(document.buildings.map { .building($0.id) })
        places.formUnion(document.floors.map { .floor($0.id) })
        places.formUnion(document.rooms.map { .room($0.id) })
        places.formUnion(document.locations.map { .location($0.id) })
        places.formUnion(document.zones.map { .zone($0.id) })
        self.places = places
    }

    func contains(_ place: PlaceReference) -> Bool { places.contains(place) }
}
