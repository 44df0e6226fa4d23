public import Events
internal import JSON
public import Privacy

/// Data about one device at one place: a table, a topic, the memory of a process.
public struct KeptData: Hashable, Sendable {
    /// The place as docs/privacy.md names it.
    public var place: String
    public var holds: String
    public var purpose: String
    public var until: String
    /// The number of rows; nil where they are not counted, such as on a topic.
    public var rows: Int?
    /// The times of the oldest and the newest row.
    public var first: Timestamp?
    public var last: Timestamp?
    /// The path where the device's owner can read the rows.
    public var path: String?

    /// - Parameter place: must be on the list of personal data.
    public init(
        _ place: PersonalDatum.Place, rows: Int? = nil, first: Timestamp? = nil,
        last: Timestamp? = nil, path: String? = nil
    ) {
        guard let datum = PersonalData.all.first(where: { $0.place == place }) else {
            preconditionFailure("\(place.text) is not on the list of personal data")
        }
        self.place = datum.place.text
        (holds, purpose, until) = (datum.holds, datum.purpose, datum.until)
        (self.rows, self.first, self.last, self.path) = (rows, first, last, path)
    }

    init(_ value: WireValue) throws(WireFault) {
        let fields = try FieldReader(value)
        place = try fields.required("place").text()
        holds = try fields.required("holds").text()
        purpose = try fields.required("purpose").text()
        until = try fields.required("until").text()
        rows = try fields.optional("rows").map { value throws(WireFault) in
            try value.integer(in: 0...Int.max)
        }
        first = try fields.optional("first").map { value throws(WireFault) in try value.time() }
        last = try fields.optional("last").map { value throws(WireFault) in try value.time() }
        path = try fields.optional("read").map { value throws(WireFault) in try value.text() }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("place", place)
        writer.field("holds", holds)
        writer.field("purpose", purpose)
        writer.field("until", until)
        if let rows { writer.field("rows", rows) }
        if let first { writer.field("first", first) }
        if let last { writer.field("last", last) }
        if let path { writer.field("read", path) }
        writer.endObject()
    }
}

/// All that is kept about a device: the answer of `GET /v1/sites/{site}/devices/{id}/report`.
public struct DeviceReport: Sendable {
    private let site: SiteID
    private let device: DeviceID
    private let at: Timestamp
    private let erasedAt: Timestamp?

    /// - Parameter erasedAt: when the device was last erased; nil if it was not, or long ago.
    public init(
        _ device: DeviceID, of site: SiteID, at moment: Timestamp, erasedAt: Timestamp? = nil
    ) {
        (self.site, self.device, at, self.erasedAt) = (site, device, moment, erasedAt)
    }

    /// - Parameter parts: the data of each service; nil for one that did not answer.
    public func json(_ parts: [(name: String, kept: [KeptData]?)]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", site)
        writer.field("device", device)
        writer.field("at", at)
        if let erasedAt { writer.field("erasedAt", erasedAt) }
        writer.field("complete", parts.allSatisfy { $0.kept != nil })
        writer.array("services", parts) { part, writer in
            writer.beginObject()
            writer.field("service", part.name)
            writer.field("state", part.kept == nil ? "unreachable" : "answered")
            writer.array("kept", part.kept ?? []) { $0.write(to: &$1) }
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }

    /// A service's own part: `{"kept": [...]}`.
    public static func json(_ kept: [KeptData]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.array("kept", kept) { $0.write(to: &$1) }
        writer.endObject()
        return writer.finish()
    }

    /// Reads a service's own part; nil where it can't be read.
    public static func kept(_ body: [UInt8]) -> [KeptData]? {
        try? withJSON(body) { (root) throws(WireFault) in
            try FieldReader(WireValue(root)).elements("kept") { (value) throws(WireFault) in
                try KeptData(value)
            }
        }
    }
}
