import Access
import JSON

extension Command {
    /// Prints the tables that the program is made of.
    public static let describe = Command(
        name: "describe", summary: "print the tables of errors, paths, roles and settings",
        help: """
            whereabouts describe errors       each code of an error: its status and what to do
            whereabouts describe paths        each path and the service that answers it
            whereabouts describe caddyfile    the proxy's routes, made of the same
            whereabouts describe roles        who may call what, and a line of JSON; --page: docs/roles.md
            whereabouts describe settings     deploy/example.env

            Prints a part of a document of the repository, as it has to stand there. deploy/describe.py
            writes all of them.
            """,
        run: { try describe($0) })

    private static func describe(_ invocation: Invocation) throws {
        if invocation.arguments == ["roles"] {
            invocation.note(RoleTables.text)
            return invocation.output(json(AccessTable.rows))
        }
        if invocation.arguments == ["roles", "--page"] {
            return invocation.output(RoleTables.text)
        }
        guard invocation.arguments.count == 1,
            let table = DescribedTable(rawValue: invocation.arguments[0])
        else {
            let names = DescribedTable.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageFault("describe takes one of \(names)")
        }
        invocation.output(table.text)
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
