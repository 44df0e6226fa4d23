internal import Events
public import JSON
public import Site
internal import SiteExchange

/// A record of a site as one JSON object, in a document or alone.
public protocol SiteRecordWire: SiteRecord {
    /// Reads one object. Faults name the field.
    init(json: [UInt8]) throws(WireFault)
    /// Refuses members that no record of this kind has, in a body that somebody sends.
    static func checkMembers(of body: [UInt8]) throws(WireFault)
    var json: [UInt8] { get }
    /// Writes the record as an answer, with values that are computed from it and its site.
    func writeAnswer(to writer: inout JSONWriter, in document: SiteDocument)
}

extension SiteRecordWire {
    public func answer(in document: SiteDocument) -> [UInt8] {
        var writer = JSONWriter()
        writeAnswer(to: &writer, in: document)
        return writer.finish()
    }
}

/// A record that lists its members. A new kind needs nothing else here.
protocol SiteRecordObject: SiteRecordWire, WireObject {
    /// Whether documents have the list even when it is empty, as those of the first version did.
    static var isListedWhenEmpty: Bool { get }
    /// Further members of answers, which may be sent back as they are.
    static var answered: Set<String> { get }
    /// Adds usual values for members that a feature drawn by hand may leave out.
    static func usual(
        _ value: PropertyValue, timeZone: String
    ) -> [(member: String, value: PropertyValue)]
}

extension SiteRecordObject {
    static var isListedWhenEmpty: Bool { false }

    static var answered: Set<String> { [] }

    static func usual(
        _ value: PropertyValue, timeZone: String
    ) -> [(member: String, value: PropertyValue)] {
        []
    }

    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            guard root.object != nil else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            return try Self(reading: WireValue(root))
        }
    }

    public static func checkMembers(of body: [UInt8]) throws(WireFault) {
        try withJSON(body) { (root) throws(WireFault) -> Void in
            guard let object = root.object else { return }
            try object.checkMembers(memberNames, or: answered)
        }
    }

    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.finish()
    }

    public func writeAnswer(to writer: inout JSONWriter, in document: SiteDocument) {
        write(to: &writer)
    }
}

extension RecordKind {
    /// All kinds of records that have a JSON form. A test finds a kind without one.
    public static let written: [any SiteRecordWire.Type] = objects
    static let objects = all.compactMap { $0 as? any SiteRecordObject.Type }
}

extension SiteThing {
    /// `{"kind": "room", "id": "S6.01"}`.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("kind", kind)
        writer.field("id", id)
        writer.endObject()
    }
}
