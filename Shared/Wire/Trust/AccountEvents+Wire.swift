public import Events
public import JSON

extension AccountChanged: WireEvent {
    public static let keyPrefix = "account/"
    /// The most grants of one account.
    static let maximumGrants = 100

    public static var eventType: EventType { .accountChanged }
    public static var eventTopic: Topic { .tokens }

    public var recordKey: [UInt8] { Array((Self.keyPrefix + account.description).utf8) }
    public var eventID: String { "\(account)/\(version)" }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { nil }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("account", account.event)
        writer.field("version", version)
        writer.name("grants")
        writer.grants(grants)
        writer.field("sessionsEnded", sessionsEnded)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            account: AccountID(try fields.required("account").eventID()),
            version: try fields.required("version").integer(in: 1...Int(Int32.max)),
            grants: try RoleGrant.list(fields, "grants"),
            sessionsEnded: try fields.required("sessionsEnded").integer(in: 0...Int(Int32.max)),
            at: try fields.required("at").time())
    }
}

extension JSONWriter {
    /// Writes the grants as an array; a grant at a site is `{"role", "site", "buildings"}`.
    mutating func grants(_ grants: [RoleGrant]) {
        beginArray()
        for grant in grants {
            beginObject()
            field("role", grant.role.rawValue)
            field("site", grant.site)
            if !grant.buildings.isEmpty {
                name("buildings")
                beginArray()
                for building in grant.buildings { string(building.text) }
                endArray()
            }
            endObject()
        }
        endArray()
    }
}

extension FieldReader {
    /// The buildings of a role; empty for all of the site, which the member's absence says.
    ///
    /// - Throws: also for an empty array: who takes the last building away must not give all.
    func grantedBuildings() throws(WireFault) -> [BuildingID] {
        let buildings = try elements("buildings") { (building) throws(WireFault) in
            try building.identifier() as BuildingID
        }
        if buildings.isEmpty, optional("buildings") != nil { throw .noBuildings }
        return buildings
    }
}

extension WireFault {
    fileprivate static let noBuildings = WireFault(
        .fieldOutOfRange, path: "buildings",
        "name a building, or leave the member out for all buildings of the site")
}

extension RoleGrant {
    private static let maximumBuildings = 100

    /// Reads a grant as `JSONWriter.grants` writes it.
    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        self.init(
            try fields.required("role").choice(),
            site: try fields.optional("site")?.identifier(.siteMalformed),
            buildings: try fields.grantedBuildings())
        guard site != nil || buildings.isEmpty else {
            throw WireFault(.fieldOutOfRange, path: "buildings", "name the site of the buildings")
        }
        guard buildings.count <= Self.maximumBuildings else {
            throw WireFault(
                .fieldOutOfRange, path: "buildings",
                "name at most \(Self.maximumBuildings) buildings")
        }
    }

    /// Reads the grants in the member of this name.
    static func list(_ fields: FieldReader, _ name: StaticString) throws(WireFault) -> [RoleGrant] {
        let grants = try fields.elements(name) { (value) throws(WireFault) in
            try RoleGrant(value)
        }
        guard grants.count <= AccountChanged.maximumGrants else {
            throw WireFault(
                .fieldOutOfRange, path: "\(name)",
                "send at most \(AccountChanged.maximumGrants) grants")
        }
        return grants
    }

    /// Reads the grants of a request, where unknown members are refused.
    static func ordered(
        _ fields: FieldReader, _ name: StaticString
    ) throws(WireFault) -> [RoleGrant] {
        _ = try fields.elements(name) { (value) throws(WireFault) in
            try FieldReader(value).object.checkMembers(["role", "site", "buildings"])
        }
        return try list(fields, name)
    }

    /// Reads the grants from a JSON array.
    public static func list(json: [UInt8]) throws(WireFault) -> [RoleGrant] {
        try withJSON(json) { (root) throws(WireFault) in
            try WireValue(root).elements { (value) throws(WireFault) in try RoleGrant(value) }
        }
    }
}

extension SessionKeyMade: WireEvent {
    public static let keyPrefix = "session-key/"

    public static var eventType: EventType { .sessionKeyMade }
    public static var eventTopic: Topic { .tokens }

    public var recordKey: [UInt8] { Array((Self.keyPrefix + id).utf8) }
    public var eventID: String { id }
    public var eventTime: Timestamp? { madeAt }
    public var eventSite: SiteID? { nil }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("publicKey", publicKey)
        writer.field("madeAt", madeAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            id: try fields.required("id").text(maximumBytes: 16),
            publicKey: try fields.required("publicKey").text(maximumBytes: 64),
            madeAt: try fields.required("madeAt").time())
    }
}
