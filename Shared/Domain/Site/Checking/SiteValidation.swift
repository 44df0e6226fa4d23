import Events
import Geometry

/// Finds what is wrong with a site document.
public struct SiteValidation {
    private var faults: [SiteFault] = []

    /// The faults of the document in the order of its parts; empty when it may be published.
    public static func faults(in document: SiteDocument) -> [SiteFault] {
        var validation = SiteValidation()
        validation.checkSize(document)
        // The rest of a document that is over its limits is not looked at.
        guard validation.faults.isEmpty else { return validation.faults }
        validation.checkFrame(document)
        validation.checkBuildings(document)
        validation.checkFloors(document)
        validation.checkRooms(document)
        validation.checkLocations(document)
        validation.checkConnections(document)
        validation.checkAccessPoints(document)
        validation.checkFloorPlans(document)
        validation.checkZones(document)
        validation.checkBeacons(document)
        validation.checkContents(document)
        validation.checkDirectory(document)
        validation.checkSurveyDiscards(document)
        return validation.faults
    }

    mutating func add(_ code: SiteFault.Code, _ subject: String, _ detail: String) {
        guard faults.count < SiteLimits.faultsReported else { return }
        faults.append(SiteFault(code: code, subject: subject, detail: detail))
    }

    private mutating func checkSize(_ document: SiteDocument) {
        let counts: [(String, Int, Int)] = [
            ("buildings", document.buildings.count, SiteLimits.buildings),
            ("floors", document.floors.count, SiteLimits.floors),
            ("rooms", document.rooms.count, SiteLimits.rooms),
            ("locations", document.locations.count, SiteLimits.locations),
            ("connections", document.connections.count, SiteLimits.connections),
            (
                "places of access points", document.accessPointPlaces.count,
                SiteLimits.accessPointPlaces
            ),
            ("floor plans", document.floorPlans.count, SiteLimits.floorPlans),
            ("zones", document.zones.count, SiteLimits.zones),
            ("beacons", document.beacons.count, SiteLimits.beacons),
            ("contents", document.contents.count, SiteLimits.contents),
            ("directory entries", document.directory.count, SiteLimits.directoryEntries),
            ("survey discards", document.surveyDiscards.count, SiteLimits.surveyDiscards),
            ("corners", Self.cornerCount(document), SiteLimits.corners),
        ]
        for (name, count, limit) in counts where count > limit {
            add(.tooMany, "site", "\(count) \(name), at most \(limit)")
        }
    }

    private static func cornerCount(_ document: SiteDocument) -> Int {
        document.rooms.reduce(0) { count, room in
            room.holes.reduce(count + room.outline.count) { $0 + $1.count }
        } + document.buildings.reduce(0) { $0 + $1.outline.count }
            + document.floors.reduce(0) { $0 + $1.outline.count }
            + document.zones.reduce(0) { $0 + $1.outline.count }
    }

    private mutating func checkFrame(_ document: SiteDocument) {
        checkText(document.name, "name", "site")
        checkNames(document.names, "site")
        if let attribution = document.attribution { checkText(attribution, "attribution", "site") }
        let latitude = document.originLatitude
        if !(abs(latitude) <= SiteLimits.latitudeDegrees) {
            add(.originOutOfRange, "site", "latitude \(latitude), within ±85")
        }
        if !(abs(document.originLongitude) <= 180) {
            add(.originOutOfRange, "site", "longitude \(document.originLongitude), within ±180")
        }
        if !(abs(document.bearingDegrees) <= 360) {
            add(.originOutOfRange, "site", "bearing \(document.bearingDegrees), within ±360")
        }
        checkOutline(document.outline, "site")
    }

    private mutating func checkBuildings(_ document: SiteDocument) {
        var seen: Set<BuildingID> = []
        for building in document.buildings {
            let subject = "building \(shown(building.id.text))"
            checkIdentifier(building.id, isNew: seen.insert(building.id).inserted, subject)
            checkText(building.name, "name", subject)
            checkNames(building.names, subject)
            checkText(building.timeZone, "time zone", subject)
            if let address = building.address { checkText(address, "address", subject) }
            checkOutline(building.outline, subject)
        }
    }

    private mutating func checkFloors(_ document: SiteDocument) {
        struct Storey: Hashable {
            let building: BuildingID
            let ordinal: Int
        }
        let buildings = Set(document.buildings.map(\.id))
        var seen: Set<FloorID> = []
        var storeys: Set<Storey> = []
        for floor in document.floors {
            let subject = "floor \(shown(floor.id.text))"
            checkIdentifier(floor.id, isNew: seen.insert(floor.id).inserted, subject)
            checkText(floor.level, "level", subject)
            checkNames(floor.names, subject)
            checkOutline(floor.outline, subject)
            if let height = floor.heightMetres, !SiteLimits.floorHeightMetres.contains(height) {
                add(.factOutOfRange, subject, "heightMetres \(height), within -1000 to 1000")
            }
            if !buildings.contains(floor.building) {
                add(.unknownBuilding, subject, "no building \(shown(floor.building.text))")
            }
            if !SiteLimits.floorOrdinal.contains(floor.ordinal) {
                add(.ordinalOutOfRange, subject, "ordinal \(floor.ordinal), within -100 to 300")
            }
            let storey = Storey(building: floor.building, ordinal: floor.ordinal)
            if !storeys.insert(storey).inserted {
                let building = shown(floor.building.text)
                add(.duplicateOrdinal, subject, "ordinal \(floor.ordinal) twice in \(building)")
            }
        }
    }

    private mutating func checkRooms(_ document: SiteDocument) {
        let floors = Set(document.floors.map(\.id))
        var seen: Set<RoomID> = []
        for room in document.rooms {
            let subject = "room \(shown(room.id.text))"
            checkIdentifier(room.id, isNew: seen.insert(room.id).inserted, subject)
            checkText(room.name, "name", subject)
            checkNames(room.names, subject)
            checkText(room.kind, "kind", subject)
            if !floors.contains(room.floor) {
                add(.unknownFloor, subject, "no floor \(shown(room.floor.text))")
            }
            checkOutline(room.outline, subject)
            checkHoles(room, subject)
            if let hours = room.openingHours { checkText(hours, "openingHours", subject) }
        }
    }

    private mutating func checkHoles(_ room: RoomRecord, _ subject: String) {
        guard !room.holes.isEmpty else { return }
        guard room.holes.count <= SiteLimits.holesPerRoom else {
            let detail = "\(room.holes.count) holes, at most \(SiteLimits.holesPerRoom)"
            add(.tooMany, subject, detail)
            return
        }
        let outline = Polygon(
            room.outline.filter { $0.count == 2 }.map { Point(x: $0[0], y: $0[1]) })
        for hole in room.holes {
            checkOutline(hole, subject)
            let corners = hole.filter { $0.count == 2 }.map { Point(x: $0[0], y: $0[1]) }
            guard let outline, corners.allSatisfy({ outline.distance(from: $0) < 0.001 }) else {
                add(.holeOutsideOutline, subject, "a hole is not within the outline")
                return
            }
        }
    }

    mutating func checkOutline(_ outline: [[Double]], _ subject: String) {
        // No outline at all is allowed: the room's shape is not known.
        guard !outline.isEmpty else { return }
        guard outline.count <= SiteLimits.cornersPerRoom else {
            let detail = "\(outline.count) corners, at most \(SiteLimits.cornersPerRoom)"
            add(.tooManyCorners, subject, detail)
            return
        }
        guard outline.allSatisfy({ $0.count == 2 }) else {
            add(.malformedCorner, subject, "a corner is [x, y]")
            return
        }
        for corner in outline where !(isInRange(corner[0]) && isInRange(corner[1])) {
            add(.coordinateOutOfRange, subject, "corner \(corner)")
            return
        }
        guard let polygon = Polygon(outline.map { Point(x: $0[0], y: $0[1]) }) else {
            add(.tooFewCorners, subject, "an outline has at least three corners")
            return
        }
        if !polygon.isSimple {
            add(.outlineCrossesItself, subject, "the outline crosses or touches itself")
        }
    }

    private mutating func checkLocations(_ document: SiteDocument) {
        let floors = Set(document.floors.map(\.id))
        let floorOfRoom = Dictionary(
            document.rooms.map { ($0.id, $0.floor) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<LocationID> = []
        for location in document.locations {
            let subject = "location \(shown(location.id.text))"
            checkIdentifier(location.id, isNew: seen.insert(location.id).inserted, subject)
            if let name = location.name { checkText(name, "name", subject) }
            checkNames(location.names, subject)
            if !floors.contains(location.floor) {
                add(.unknownFloor, subject, "no floor \(shown(location.floor.text))")
            }
            if !(isInRange(location.x) && isInRange(location.y)) {
                add(.coordinateOutOfRange, subject, "x \(location.x), y \(location.y)")
            }
            guard let room = location.room else { continue }
            if let floor = floorOfRoom[room] {
                if floor != location.floor {
                    let detail = "room \(shown(room.text)) is on \(shown(floor.text))"
                    add(.roomOnOtherFloor, subject, detail)
                }
            } else {
                add(.unknownRoom, subject, "no room \(shown(room.text))")
            }
        }
    }

    mutating func checkIdentifier(
        _ identifier: some TextIdentifier, isNew: Bool, _ subject: String
    ) {
        if !isWellFormedIdentifier(identifier.text) {
            add(.malformedIdentifier, subject, "an id is [A-Za-z0-9._-], 1 to 64 characters")
        }
        if !isNew { add(.duplicateIdentifier, subject, "the id is used twice") }
    }

    mutating func checkText(
        _ text: String, _ name: @autoclosure () -> String, _ subject: String,
        limit: Int = SiteLimits.textBytes
    ) {
        if text.utf8.count > limit {
            let detail = "\(name()) has \(text.utf8.count) bytes, at most \(limit)"
            add(.textTooLong, subject, detail)
        }
        if hasControlCharacter(text) {
            add(.controlCharacter, subject, "\(name()) has a control character")
        }
    }

    func isInRange(_ coordinate: Double) -> Bool {
        abs(coordinate) <= SiteLimits.coordinateMetres
    }
}

/// A text from outside, which may be long or unprintable, as it is fit to be shown.
func shown(_ text: String) -> String {
    // Nearly all of them.
    if isWellFormedIdentifier(text) { return text }
    return String(
        String.UnicodeScalarView(
            text.unicodeScalars.prefix(64).map {
                $0.properties.generalCategory == .control ? "?" : $0
            }))
}
