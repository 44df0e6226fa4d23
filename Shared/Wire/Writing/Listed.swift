public import JSON

/// A row of a list that clients read at once or a page at a time.
public protocol Listed {
    /// The member of the answer that holds the rows.
    static var listName: StaticString { get }
    /// The value of `?after=` for the rows after this one; nil where there are none.
    var cursor: String? { get }
    func writeMembers(to writer: inout JSONWriter)
}

extension Listed {
    public var cursor: String? { nil }

    /// The row as an answer of its own.
    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.finish()
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }
}

/// Answers that are lists.
public enum ListAnswer {
    /// `{"<name>": [...], "next": ...}`; `next` is null where there are fewer rows than the limit.
    public static func page<Row: Listed>(_ rows: [Row], limit: Int) -> [UInt8] {
        page(rows, next: rows.count == limit ? rows.last?.cursor : nil)
    }

    /// `{"<name>": [...], "next": ...}` of a page that may end before its limit.
    public static func page<Row: Listed>(_ rows: [Row], next: String?) -> [UInt8] {
        json(rows) { $0.next(next) }
    }

    /// `{"<name>": [...]}`, with `next` only where there is one.
    public static func json<Row: Listed>(_ rows: [Row], next: String? = nil) -> [UInt8] {
        json(rows) { $0.field("next", next) }
    }

    private static func json<Row: Listed>(
        _ rows: [Row], end: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + rows.count * 256)
        writer.beginObject()
        writer.array(Row.listName, rows) { $0.write(to: &$1) }
        end(&writer)
        writer.endObject()
        return writer.finish()
    }
}
