import JSON

/// The members of a site or a record that the visitor's page shows.
public struct ShownRecord: Hashable, Sendable {
    public var id: String
    public var name: String?
    /// The name by language.
    public var names: [String: String] = [:]
    /// The floor's sign.
    public var level: String?
    public var floor: String?
    public var building: String?
    public var timeZone: String?
    public var openingHours: String?
    public var website: String?
    public var telephone: String?
    /// The connection of an outage, and why it is out of order.
    public var connection: String?
    public var reason: String?

    /// A record, from the answer of `GET /v1/sites/{site}/rooms/{id}` or a neighbour of it.
    ///
    /// - Throws: a fault for JSON of another shape.
    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            try ShownRecord(FieldReader(WireValue(root)))
        }
    }

    /// The elements of a list such as `sites`, from the answer of `GET /v1/sites`.
    ///
    /// - Throws: a fault for JSON of another shape.
    public static func list(
        _ name: StaticString, json: [UInt8]
    ) throws(WireFault) -> [ShownRecord] {
        try withJSON(json) { (root) throws(WireFault) in
            try FieldReader(WireValue(root)).elements(name) { (value) throws(WireFault) in
                try ShownRecord(FieldReader(value))
            }
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        id = try fields.required("id").text()
        name = try fields.optional("name")?.text()
        if let object = fields.optional("names")?.json.object {
            for member in object {
                names[member.name.string] = try WireValue(member.value).text()
            }
        }
        level = try fields.optional("level")?.text()
        floor = try fields.optional("floor")?.text()
        building = try fields.optional("building")?.text()
        timeZone = try fields.optional("timeZone")?.text()
        openingHours = try fields.optional("openingHours")?.text()
        website = try fields.optional("website")?.text()
        telephone = try fields.optional("telephone")?.text()
        connection = try fields.optional("connection")?.text()
        reason = try fields.optional("reason")?.text()
    }

    /// The name in the language, else the plain name, else the id.
    public func shownName(in language: String) -> String { names[language] ?? name ?? id }
}
