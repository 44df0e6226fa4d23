import Events
public import JSON
public import Site

/// A record of a site that stands as one JSON object, in a document or alone.
public protocol SiteRecordWire: SiteRecord {
    /// What a list of them is called in documents.
    static var listMember: StaticString { get }
    /// The member that holds the id.
    static var idMember: StaticString { get }
    /// The thing of this kind that the text names; nil when the text is no such id.
    static func thing(named text: String) -> SiteThing?
    /// Reads one object. Faults name the field.
    init(json: [UInt8]) throws(WireFault)
    func write(to writer: inout JSONWriter)
    /// Writes the record as those who ask for it get it: with what follows from it and its site.
    func writeAnswer(to writer: inout JSONWriter, in document: SiteDocument)
}

extension SiteRecordWire {
    public static var idMember: StaticString { "id" }

    public func writeAnswer(to writer: inout JSONWriter, in document: SiteDocument) {
        write(to: &writer)
    }

    public func answer(in document: SiteDocument) -> [UInt8] {
        var writer = JSONWriter()
        writeAnswer(to: &writer, in: document)
        return writer.finish()
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.finish()
    }
}

private func read<Record>(
    _ json: [UInt8], _ make: (WireValue) throws(WireFault) -> Record
) throws(WireFault) -> Record {
    try withJSON(json) { (root) throws(WireFault) in
        guard root.object != nil else { throw WireFault(.notAnObject, "an object is expected") }
        return try make(WireValue(root))
    }
}

extension BuildingRecord: SiteRecordWire {
    public static var listMember: StaticString { "buildings" }
    public static func thing(named text: String) -> SiteThing? {
        BuildingID(validating: text).map(SiteThing.building)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension FloorRecord: SiteRecordWire {
    public static var listMember: StaticString { "floors" }
    public static func thing(named text: String) -> SiteThing? {
        FloorID(validating: text).map(SiteThing.floor)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension FloorPlanRecord: SiteRecordWire {
    public static var listMember: StaticString { "floorPlans" }
    public static func thing(named text: String) -> SiteThing? {
        FloorPlanID(validating: text).map(SiteThing.floorPlan)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }

    /// With how far, in the mean of squares, the plan's pairs lie from where they should.
    public func writeAnswer(to writer: inout JSONWriter, in document: SiteDocument) {
        let transform = try? PlanTransform(
            alignment, widthPixels: widthPixels, heightPixels: heightPixels,
            siteBearingDegrees: document.bearingDegrees)
        writer.beginObject()
        writeMembers(to: &writer)
        writer.field("residualMetres", transform?.residualMetres, decimals: 4)
        writer.endObject()
    }
}

extension RoomRecord: SiteRecordWire {
    public static var listMember: StaticString { "rooms" }
    public static func thing(named text: String) -> SiteThing? {
        RoomID(validating: text).map(SiteThing.room)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension LocationRecord: SiteRecordWire {
    public static var listMember: StaticString { "locations" }
    public static func thing(named text: String) -> SiteThing? {
        LocationID(validating: text).map(SiteThing.location)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension ConnectionRecord: SiteRecordWire {
    public static var listMember: StaticString { "connections" }
    public static func thing(named text: String) -> SiteThing? {
        ConnectionID(validating: text).map(SiteThing.connection)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension ZoneRecord: SiteRecordWire {
    public static var listMember: StaticString { "zones" }
    public static func thing(named text: String) -> SiteThing? {
        ZoneID(validating: text).map(SiteThing.zone)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension SiteBeacon: SiteRecordWire {
    public static var listMember: StaticString { "beacons" }
    public static func thing(named text: String) -> SiteThing? {
        BeaconID(validating: text).map(SiteThing.beacon)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension AccessPointPlace: SiteRecordWire {
    public static var listMember: StaticString { "accessPointPlaces" }
    public static var idMember: StaticString { "address" }
    public static func thing(named text: String) -> SiteThing? {
        HardwareAddress(text).map(SiteThing.accessPoint)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension ContentRecord: SiteRecordWire {
    public static var listMember: StaticString { "contents" }
    public static func thing(named text: String) -> SiteThing? {
        ContentID(validating: text).map(SiteThing.content)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension DirectoryEntry: SiteRecordWire {
    public static var listMember: StaticString { "directory" }
    public static func thing(named text: String) -> SiteThing? {
        DirectoryID(validating: text).map(SiteThing.directoryEntry)
    }
    public init(json: [UInt8]) throws(WireFault) { self = try read(json, Self.init) }
}

extension SiteThing {
    /// The id as it stands in documents.
    public var idText: String {
        switch self {
        case .building(let id): id.text
        case .floor(let id): id.text
        case .floorPlan(let id): id.text
        case .room(let id): id.text
        case .location(let id): id.text
        case .connection(let id): id.text
        case .zone(let id): id.text
        case .beacon(let id): id.text
        case .accessPoint(let address): address.text
        case .content(let id): id.text
        case .directoryEntry(let id): id.text
        }
    }

    /// `{"kind": "room", "id": "S6.01"}`.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", kind)
        writer.field("id", idText)
        writer.endObject()
    }
}
