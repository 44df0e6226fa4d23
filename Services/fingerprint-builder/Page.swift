import HTTP
import JSON
import Postgres
import ServiceHost

/// Paging by the last row's own id: `?after=...&limit=...`.
struct Page {
    var after: String
    var limit: Int

    init(_ request: HTTPRequest, limit maximum: Int) throws(Problem) {
        after = request.firstQuery("after") ?? ""
        limit = try request.pageLimit(maximum: maximum)
    }

    /// `{"<name>": [...], "next": ...}`; next is null on the last page.
    func response(
        _ name: String, _ rows: PostgresRows, cursor: String,
        write: (PostgresRow, inout JSONWriter) throws -> Void
    ) throws -> HTTPResponse {
        var writer = JSONWriter(capacity: 64 + rows.count * 128)
        writer.beginObject()
        writer.name(name)
        writer.beginArray()
        for row in rows {
            writer.beginObject()
            try write(row, &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.next(rows.count == limit ? try rows.last.map { try $0[cursor] } : nil)
        writer.endObject()
        return .json(writer.finish())
    }
}

extension JSONWriter {
    /// A value that is JSON already.
    mutating func raw(json: String) { Array(json.utf8).withUnsafeBytes { raw($0) } }

    /// The cursor of the next page; null on the last one.
    mutating func next(_ cursor: String?) {
        name("next")
        if let cursor { string(cursor) } else { null() }
    }
}
