import Access
import JSON

extension Command {
    /// Prints the program's tables, such as those of errors, paths, roles and settings.
    public static let describe = Command(
        name: "describe",
        summary: "print the tables of errors, paths, roles, settings, metrics, alarms and data",
        help: """
            whereabouts describe errors          each error's code, status and advice
            whereabouts describe paths           each path and the service that answers it
            whereabouts describe caddyfile       the proxy's routes, from the same table
            whereabouts describe roles [--page]  the roles that may call each operation; the last
                                                 line is the same as JSON, --page leaves it out
            whereabouts describe settings        each setting with its default, for example.env
            whereabouts describe personal-data   each place where data about people lies
            whereabouts describe security-events each line of the security log
            whereabouts describe metrics         each metric and its meaning
            whereabouts describe alarms          each alarm, its cause and the remedy
            whereabouts describe prometheus-rules, prometheus-tests
                                                 the alarms as Prometheus' files

            Prints one table as it stands in a document of the repository. deploy/describe.py
            writes all these documents.
            """,
        run: { try describe($0) })

    private static func describe(_ invocation: Invocation) throws {
        if invocation.arguments == ["roles"] {
            invocation.output(RoleTables.text)
            return invocation.output(json(AccessTable.rows))
        }
        if invocation.arguments == ["roles", "--page"] {
            return invocation.output(RoleTables.text)
        }
        guard invocation.arguments.count == 1,
            let table = DescribedTable(rawValue: invocation.arguments[0])
        else {
            let names = DescribedTable.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageFault("describe needs one of \(names)")
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
