import Access
import JSON

extension Command {
    /// Prints what the program knows of itself.
    public static let describe = Command(
        name: "describe", summary: "print who may call what",
        help: """
            whereabouts describe roles

            Prints each operation of the API with the roles that may call it and how far they reach, as the
            server asks it, and as the last line of stdout a JSON object of the same.
            """,
        run: { try describe($0) })

    private static func describe(_ invocation: Invocation) throws {
        guard invocation.arguments == ["roles"] else { throw UsageFault("describe takes roles") }
        for line in lines(AccessTable.rows) { invocation.note(line) }
        invocation.output(json(AccessTable.rows))
    }

    /// A line for each operation, in columns.
    private static func lines(_ rows: [AccessRow]) -> [String] {
        let table = rows.map { row in
            [row.operation.method, row.operation.pattern, row.scope.rawValue]
        }
        let widths = (0..<3).map { column in table.map { $0[column].count }.max() ?? 0 }
        return zip(rows, table).map { row, cells in
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let roles = row.roles.roles.map(\.rawValue).joined(separator: " ")
            return (padded + [roles]).joined(separator: "  ")
        }
    }

    private static func json(_ rows: [AccessRow]) -> String {
        var line = JSONWriter(capacity: 16_384)
        line.beginObject()
        line.name("operations")
        line.beginArray()
        for row in rows {
            line.beginObject()
            line.field("method", row.operation.method)
            line.field("path", row.operation.pattern)
            line.field("scope", row.scope.rawValue)
            line.name("roles")
            line.beginArray()
            for role in row.roles.roles { line.string(role.rawValue) }
            line.endArray()
            line.endObject()
        }
        line.endArray()
        line.endObject()
        return line.finishText()
    }
}
