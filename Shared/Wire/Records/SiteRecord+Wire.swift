internal import Events
public import JSON
public import Site
internal import SiteExchange

/// A record of a site that stands as one JSON object, in a document or alone.
public protocol SiteRecordWire: SiteRecord {
    /// Reads one object. Faults name the field.
    init(json: [UInt8]) throws(WireFault)
    var json: [UInt8] { get }
    /// Writes the record as those who ask for it get it: with what follows from it and its site.
    func writeAnswer(to writer: inout JSONWriter, in document: SiteDocument)
}

extension SiteRecordWire {
    public func answer(in document: SiteDocument) -> [UInt8] {
        var writer = JSONWriter()
        writeAnswer(to: &writer, in: document)
        return writer.finish()
    }
}

/// A record with its members. A new kind lists them; all else follows.
protocol SiteRecordObject: SiteRecordWire, WireObject {
    /// Whether documents have the list also where it is empty: those of the first version do.
    static var isListedWhenEmpty: Bool { get }
    /// Values of members that a feature made by hand may leave out.
    static func usual(
        _ value: PropertyValue, timeZone: String
    ) -> [(member: String, value: PropertyValue)]
}

extension SiteRecordObject {
    static var isListedWhenEmpty: Bool { false }

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
    /// `all` as they are written. A test finds a kind that is not.
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
