public import EventLog

/// The number of an event in its outbox, as a header of its record, such as `site_editor/151`.
///
/// Numbers grow, so the newest one on the log shows whether the database has forgotten some.
public enum OutboxNumber {
    private static let name: StaticString = "outbox-number"

    /// The most bytes that the header adds to a record of this outbox.
    static func byteCount(of schema: String) -> Int {
        LogHeaders.size(
            name: name.utf8CodeUnitCount, value: schema.utf8.count + "/\(Int64.max)".utf8.count)
    }

    static func add(_ number: Int64, of schema: String, to headers: inout LogHeaders) {
        headers.append(name, "\(schema)/\(number)")
    }

    /// The number of the record's event; nil where another outbox, an earlier release or nobody
    /// gave one.
    public static func of(_ headers: LogHeaders, in schema: String) -> Int64? {
        guard let text = headers[name], text.hasPrefix("\(schema)/") else { return nil }
        return Int64(text.dropFirst(schema.utf8.count + 1))
    }
}
