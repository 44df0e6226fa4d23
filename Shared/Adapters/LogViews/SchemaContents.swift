import Postgres

/// All that stands in a schema, for roles that own schemas and may make none: they can't be dropped,
/// renamed or made anew.
struct SchemaContents {
    let schema: String

    init(of schema: String) { self.schema = schema }

    func drop(_ connection: isolated PostgresConnection) throws {
        try forEach(connection) { "DROP \($0) IF EXISTS \($1) CASCADE" }
    }

    func move(to other: String, _ connection: isolated PostgresConnection) throws {
        try forEach(connection) { "ALTER \($0) \($1) SET SCHEMA \(other)" }
    }

    /// Runs a statement for each, the newest first: positions are a view's first table, and projectors
    /// too lock them last.
    private func forEach(
        _ connection: isolated PostgresConnection,
        statement: (_ type: String, _ identity: String) -> String
    ) throws {
        let statements: [String] = try connection.query(
            """
            SELECT thing.type, thing.identity
            FROM pg_depend d CROSS JOIN pg_identify_object(d.classid, d.objid, 0) thing
            WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = to_regnamespace($1)
                AND d.deptype = 'n'
                -- Sequences of columns go with their tables.
                AND NOT (thing.type = 'sequence' AND EXISTS (
                    SELECT FROM pg_depend own WHERE own.classid = d.classid
                        AND own.objid = d.objid AND own.deptype IN ('a', 'i')))
            ORDER BY d.objid DESC
            """, [.text(schema)]
        ).map { try statement($0["type"], $0["identity"]) }
        guard !statements.isEmpty else { return }
        try connection.execute(script: statements.joined(separator: ";\n"))
    }
}
