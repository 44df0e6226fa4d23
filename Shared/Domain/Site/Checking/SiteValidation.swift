import Events
import Geometry

/// Finds the errors of a site's document.
public struct SiteValidation {
    let document: SiteDocument
    /// Whether one fault of each record is kept, of all records; else the first few of all.
    private let isFirstOfEach: Bool
    private(set) var faults: [SiteFault] = []
    /// The record that is being checked, such as `room 6.01`.
    var subject = "site"
    private let buildings: Set<BuildingID>
    private let floors: Set<FloorID>
    private let floorOfRoom: [RoomID: FloorID]
    /// The ids of each kind that has been looked up so far.
    private var known: [String: Set<String>] = [:]
    private var seen: Set<AnyHashable> = []

    /// The faults of the document in the order of its parts; empty if it may be published.
    public static func faults(in document: SiteDocument) -> [SiteFault] {
        faults(in: document, isFirstOfEach: false)
    }

    /// The first fault of each wrong record, however many these are.
    public static func firstFaults(in document: SiteDocument) -> [SiteFault] {
        faults(in: document, isFirstOfEach: true)
    }

    private static func faults(in document: SiteDocument, isFirstOfEach: Bool) -> [SiteFault] {
        var validation = SiteValidation(document, isFirstOfEach: isFirstOfEach)
        validation.checkSize()
        // The records of a document that is over its limits are not checked.
        guard validation.faults.isEmpty else { return validation.faults }
        validation.checkFrame()
        for type in RecordKind.all { validation.checkRecords(type) }
        validation.checkSurveyDiscards()
        return validation.faults
    }

    init(_ document: SiteDocument, isFirstOfEach: Bool) {
        self.document = document
        self.isFirstOfEach = isFirstOfEach
        buildings = Set(document.buildings.map(\.id))
        floors = Set(document.floors.map(\.id))
        floorOfRoom = Dictionary(
            document.rooms.map { ($0.id, $0.floor) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func add(_ code: SiteFault.Code, _ detail: String) {
        if isFirstOfEach {
            guard faults.last?.subject != subject else { return }
        } else {
            guard faults.count < SiteLimits.faultsReported else { return }
        }
        faults.append(SiteFault(code: code, subject: subject, detail: detail))
    }

    mutating func checkSize() {
        var corners = 0
        func measure<Record: SiteRecord>(_: Record.Type) -> Int {
            let records = document[keyPath: Record.records]
            corners += records.reduce(0) { $0 + $1.cornerCount }
            return records.count
        }
        var counts = RecordKind.all.map { ($0.kind.many, measure($0), $0.kind.most) }
        counts += [
            ("survey discards", document.surveyDiscards.count, SiteLimits.surveyDiscards),
            ("corners", corners, SiteLimits.corners),
        ]
        for (name, count, limit) in counts where count > limit {
            add(.tooMany, "\(count) \(name), at most \(limit)")
        }
    }

    private mutating func checkFrame() {
        checkText(document.name, "name")
        checkNames(document.names)
        checkText(document.attribution, "attribution")
        let latitude = document.originLatitude
        if !(abs(latitude) <= SiteLimits.latitudeDegrees) {
            add(.originOutOfRange, "latitude \(latitude), within ±85")
        }
        if !(abs(document.originLongitude) <= 180) {
            add(.originOutOfRange, "longitude \(document.originLongitude), within ±180")
        }
        if !(abs(document.bearingDegrees) <= 360) {
            add(.originOutOfRange, "bearing \(document.bearingDegrees), within ±360")
        }
        checkOutline(document.outline)
        checkLink()
    }

    private mutating func checkLink() {
        if let secret = document.linkSecret {
            let isPlain = secret.utf8.allSatisfy { Self.secretBytes.contains($0) }
            if !isPlain || !SiteLimits.linkSecretBytes.contains(secret.utf8.count) {
                add(.malformedLinkSecret, "a link's secret is 22 to 128 of A-Z a-z 0-9 _ -")
            }
        } else if document.audience == .link {
            add(.malformedLinkSecret, "a site that is seen by its link needs linkSecret")
        }
    }

    private static let secretBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-".utf8)

    private mutating func checkRecords<Record: SiteRecord>(_: Record.Type) {
        let kind = Record.kind
        let title = kind.title
        var ids: Set<String> = []
        for record in document[keyPath: Record.records] {
            let id = record.idText
            subject = "\(title) \(shown(id))"
            if case .id = kind.key, !isWellFormedIdentifier(id) { addMalformedIdentifier() }
            if !ids.insert(id).inserted {
                add(.duplicateIdentifier, "the \(kind.key.member) is used twice")
            }
            record.check(&self)
        }
    }

    mutating func checkSurveyDiscards() {
        for (number, discard) in document.surveyDiscards.enumerated() {
            subject = "survey discard \(number)"
            // The floor need not exist: a discard outlives the place that it was made for.
            if !isWellFormedIdentifier(discard.floor.text) { addMalformedIdentifier() }
            checkOutline(discard.outline)
            checkCount(discard.locations.count, "locations")
            checkCount(discard.holes.count, "holes")
            for hole in discard.holes.prefix(SiteLimits.placesPerThing) { checkOutline(hole) }
        }
    }

    mutating func addMalformedIdentifier() {
        add(.malformedIdentifier, "an id is [A-Za-z0-9._-], 1 to 64 characters")
    }
}

// MARK: References

extension SiteValidation {
    /// Whether no earlier record of the document has this key.
    mutating func isFirst(_ key: some Hashable) -> Bool { seen.insert(key).inserted }

    mutating func isKnown(_ thing: SiteThing) -> Bool {
        if let ids = known[thing.kind] { return ids.contains(thing.id) }
        var ids: Set<String> = []
        for type in RecordKind.all where type.kind.name == thing.kind { ids = self.ids(of: type) }
        known[thing.kind] = ids
        return ids.contains(thing.id)
    }

    private func ids<Record: SiteRecord>(of _: Record.Type) -> Set<String> {
        Set(document[keyPath: Record.records].map(\.idText))
    }

    mutating func checkBuilding(_ building: BuildingID) {
        if !buildings.contains(building) {
            add(.unknownBuilding, "no building \(shown(building.text))")
        }
    }

    mutating func checkFloor(_ floor: FloorID) {
        if !floors.contains(floor) { add(.unknownFloor, "no floor \(shown(floor.text))") }
    }

    mutating func checkRoom(_ room: RoomID) {
        if floorOfRoom[room] == nil { add(.unknownRoom, "no room \(shown(room.text))") }
    }

    /// - Parameter floor: the floor that the room must be on.
    mutating func checkRoom(_ room: RoomID, on floor: FloorID?) {
        guard let known = floorOfRoom[room] else { return checkRoom(room) }
        if known != floor {
            add(.roomOnOtherFloor, "room \(shown(room.text)) is on \(shown(known.text))")
        }
    }

    mutating func checkPlace(_ place: PlaceReference) {
        if !isKnown(place.thing) { add(.unknownPlace, "no \(shown("\(place)"))") }
    }
}
