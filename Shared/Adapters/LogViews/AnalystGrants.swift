/// What the role of analysts may read, where an administrator has made it (`whereabouts
/// database-roles`): some tables, and topics as text where the log is in PostgreSQL.
public enum AnalystGrants {
    public static let role = "whereabouts_analyst"

    /// Does nothing where the role, a table or a topic's view is missing, so that it may be run
    /// again.
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
