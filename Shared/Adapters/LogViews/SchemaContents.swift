import Postgres

/// All objects in a schema. A service's role owns its schemas but may create none. So it can't
/// drop, rename or recreate a schema, only handle the objects in it.
struct SchemaContents {
    let schema: String

    init(of schema: String) { self.schema = schema }

    /// Locks all tables before any is changed, with the tables for the view's own state first.
    /// Dropping locks tables in another order than projectors do. With all locks held, it never has
    /// to wait.
    func lock(_ connection: isolated PostgresConnection) throws {
        let tables: [String] = try connection.query(
            """
            SELECT oid::regclass::text AS name FROM pg_class
            WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p')
                AND NOT relispartition
            ORDER BY starts_with(relname::text, 'view_') DESC, oid DESC
            """, [.text(schema)]
        ).map { try $0["name"] }
        guard !tables.isEmpty else { return }
        try connection.execute(
            script: "LOCK TABLE \(tables.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
    }

    func drop(_ connection: isolated PostgresConnection) throws {
        try forEach(connection) { "DROP \($0) IF EXISTS \($1) CASCADE" }
    }

    func move(to other: String, _ connection: isolated PostgresConnection) throws {
        try forEach(connection) { "ALTER \($0) \($1) SET SCHEMA \(other)" }
    }

    /// Gives all objects to the schema's owner, if we may act as that role. When the database's
    /// owner rebuilds, the objects belong to that person, and the service could not use them.
    func handOver(_ connection: isolated PostgresConnection) throws {
        let rows = try connection.query(
            """
            SELECT quote_ident(pg_get_userbyid(nspowner)) AS owner FROM pg_namespace
            WHERE nspname = $1 AND pg_has_role(nspowner, 'MEMBER')
            """, [.text(schema)])
        guard let row = rows.first else { return }
        let owner: String = try row["owner"]
        try forEach(connection) { "ALTER \($0) \($1) OWNER TO \(owner)" }
    }

    /// Runs a statement for each object, the newest first. The positions are a view's first table,
    /// and projectors lock them last too.
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
