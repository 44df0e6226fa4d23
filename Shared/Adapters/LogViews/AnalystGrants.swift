/// The rights of the analysts' database role: some tables, and topics as text if the log is in
/// PostgreSQL. An administrator creates the role with `whereabouts database-roles`.
public enum AnalystGrants {
    public static let role = "whereabouts_analyst"

    /// The SQL script that grants the rights. It skips a missing role, table or view, so it can run
    /// again later.
    public static func script(_ tables: [String], topics: [String]) -> String {
        let names = tables + topics.map { "log.\"\($0)\"" }
        let grants = names.map { name in
            let schema = name.prefix { $0 != "." }
            return """
                BEGIN
                    IF to_regclass('\(name)') IS NOT NULL THEN
                        GRANT USAGE ON SCHEMA \(schema) TO \(role);
                        GRANT SELECT ON \(name) TO \(role);
                    END IF;
                EXCEPTION WHEN insufficient_privilege THEN
                    NULL; -- A log of before, which is not this service's.
                END;
                """
        }
        return """
            DO $body$ BEGIN
                IF EXISTS (SELECT FROM pg_roles WHERE rolname = '\(role)') THEN
                    \(grants.joined(separator: "\n"))
                END IF;
            END $body$;
            """
    }
}
