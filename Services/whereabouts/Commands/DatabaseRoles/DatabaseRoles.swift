import LogViews
import Postgres

/// The PostgreSQL roles of the services and of analysts, and the rights of each. The database's
/// owner makes them; the statements may be run any number of times.
struct DatabaseRoles: Sendable {
    /// The schemas that each service owns, by its name.
    static let schemas: [String: [String]] = [
        "scan-ingest": [],
        "site-editor": ["site_editor", "site_editor_names"] + view("surveyed_places"),
        "fingerprint-builder": view("fingerprint_builder") + view("node_hearings")
            + ["radio_maps", "magnetic_routes"],
        "locator": view("locator") + view("smoothed") + view("visits") + ["locator_counts"],
        "router": [],
        "timetable-fetcher": ["timetables"],
    ]

    /// A view's schema and the second one in which it is rebuilt. Both are made here: a role that
    /// could make schemas could also make those of other services.
    private static func view(_ schema: String) -> [String] {
        [schema, ViewRebuild.shadow(of: schema)]
    }

    /// The name for all services in one process.
    static let together = "serve"
    /// The role that owns the log; nobody can log in with it.
    static let log = "whereabouts_log"
    static let analyst = AnalystGrants.role

    static func role(_ service: String) -> String {
        "whereabouts_" + service.replacing("-", with: "_")
    }

    /// Whether the log is in PostgreSQL: then every service has to write to it.
    let keepsLog: Bool

    private var services: [String] { Self.schemas.keys.sorted() }
    private var owners: [(role: String, schemas: [String])] {
        services.map { (Self.role($0), Self.schemas[$0] ?? []) } + [(Self.log, ["log"])]
    }

    private var all: [String] {
        services.map(Self.role) + [Self.role(Self.together), Self.log, Self.analyst]
    }

    /// Statements that make roles and schemas, give existing tables to their roles, and revoke all
    /// rights that are not granted here. They run in one transaction, so that no service is
    /// without rights meanwhile.
    var script: String {
        ([Migrator.table + ";", Self.turn] + all.map(Self.make) + [joining]
            + owners.flatMap { owner in owner.schemas.map { Self.give($0, to: owner.role) } }
            + [
                revocations, members, Self.ownRows, writers, locks, analystLimits, grants,
                Self.leaving,
            ])
            .joined(separator: "\n")
    }

    /// Waits for migrations, which may run at the same time during an upgrade. They acquire this
    /// lock before any other; the same order here avoids deadlocks.
    private static let turn = "LOCK TABLE public.migrations IN ACCESS EXCLUSIVE MODE;"

    /// Lets the role log in. The password is passed as a parameter, and the server quotes it.
    static func admit(
        _ role: String, password: String, _ connection: isolated PostgresConnection
    ) throws {
        // The password must not appear in the server's log of statements.
        try connection.query(
            """
            SELECT set_config('log_statement', 'none', true) FROM pg_roles
            WHERE rolname = current_user AND rolsuper
            """)
        let rows = try connection.query(
            "SELECT format('ALTER ROLE %I LOGIN PASSWORD %L', $1::text, $2::text) AS statement",
            [.text(role), .text(password)])
        let statement: String = try rows[0]["statement"]
        try connection.execute(script: statement)
    }

    private static func make(_ role: String) -> String {
        """
        DO $body$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '\(role)') THEN
                CREATE ROLE \(role) NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
            END IF;
        END $body$;
        """
    }

    /// Makes the owner a member of all roles until `leaving`. Without being superuser, an owner can
    /// give a table only to a role that the owner is a member of.
    private var joining: String {
        let roles = all.map { "'\($0)'" }.joined(separator: ", ")
        return """
            DO $body$ DECLARE
                joined CONSTANT name[] := ARRAY(
                    SELECT name FROM unnest(ARRAY[\(roles)]::name[]) name
                    WHERE NOT pg_has_role(current_user, name, 'USAGE'));
                role name;
            BEGIN
                PERFORM set_config('whereabouts.joined', joined::text, true);
                FOREACH role IN ARRAY joined LOOP
                    EXECUTE format('GRANT %I TO %I', role, current_user);
                END LOOP;
            END $body$;
            """
    }

    private static let leaving = """
        DO $body$ DECLARE
            role name;
        BEGIN
            FOREACH role IN ARRAY current_setting('whereabouts.joined')::name[] LOOP
                EXECUTE format('REVOKE %I FROM %I', role, current_user);
            END LOOP;
        END $body$;
        """

    private var memberships: [(role: String, member: String)] {
        let owning = services.map(Self.role) + (keepsLog ? [Self.log] : [])
        let writing = keepsLog ? services.map(Self.role) : []
        return owning.map { ($0, Self.role(Self.together)) } + writing.map { (Self.log, $0) }
    }

    private var members: String {
        memberships.map { "GRANT \($0.role) TO \($0.member);" }.joined(separator: "\n")
    }

    /// Revokes rights that an older release or a person has granted to these roles, and rights
    /// that these roles have granted to others. The rights to connect and to use the schema
    /// `public` are left to the administrator.
    private var revocations: String {
        let roles = all.map { "'\($0)'" }.joined(separator: ", ")
        let kept = memberships.map { "('\($0.role)', '\($0.member)')" }.joined(separator: ", ")
        return """
            DO $body$ DECLARE
                ours CONSTANT name[] := ARRAY[\(roles)];
                before CONSTANT name := current_user;
                thing record;
            BEGIN
                FOR thing IN
                    SELECT r.rolname AS role, m.rolname AS member, g.rolname AS grantor
                    FROM pg_auth_members a JOIN pg_roles r ON r.oid = a.roleid
                    JOIN pg_roles m ON m.oid = a.member LEFT JOIN pg_roles g ON g.oid = a.grantor
                    WHERE (m.rolname = ANY (ours) AND (a.admin_option
                        OR (r.rolname::text, m.rolname::text) NOT IN (VALUES \(kept))))
                        -- Before PostgreSQL 16 a grant outlives the right of its grantor.
                        OR g.rolname = ANY (ours)
                LOOP
                    EXECUTE format('REVOKE %I FROM %I', thing.role, thing.member)
                        || coalesce(' GRANTED BY ' || quote_ident(thing.grantor), '')
                        || ' CASCADE';
                END LOOP;
                FOR thing IN
                    -- Revoking a table's rights revokes those of its columns, too.
                    SELECT format('ALL ON TABLE %s', c.oid::regclass) AS rights, a.grantee,
                        a.grantor, a.grantor = c.relowner AS is_owners
                    FROM pg_class c, aclexplode(c.relacl) a WHERE a.grantee <> c.relowner
                    UNION SELECT format('ALL ON TABLE %s', c.oid::regclass), a.grantee,
                        a.grantor, a.grantor = c.relowner
                    FROM pg_class c JOIN pg_attribute ON attrelid = c.oid, aclexplode(attacl) a
                    WHERE a.grantee <> c.relowner
                    UNION SELECT format('%s ON SCHEMA %I',
                        CASE n.nspname WHEN 'public' THEN 'CREATE' ELSE 'ALL' END, n.nspname),
                        a.grantee, a.grantor, a.grantor = n.nspowner
                    FROM pg_namespace n, aclexplode(n.nspacl) a WHERE a.grantee <> n.nspowner
                    UNION SELECT format('CREATE ON DATABASE %I', d.datname), a.grantee,
                        a.grantor, a.grantor = d.datdba
                    FROM pg_database d, aclexplode(d.datacl) a
                    WHERE d.datname = current_database() AND a.grantee <> d.datdba
                    ORDER BY is_owners DESC
                LOOP
                    CONTINUE WHEN pg_get_userbyid(thing.grantee) <> ALL (ours);
                    IF thing.is_owners THEN
                        EXECUTE format('REVOKE %s FROM %s CASCADE',
                            thing.rights, thing.grantee::regrole);
                        CONTINUE;
                    END IF;
                    -- Only the grantor of a right can revoke it. The statement may fail where the
                    -- grantor's own right is already revoked, and this one with it.
                    BEGIN
                        EXECUTE format('SET LOCAL ROLE %s', thing.grantor::regrole);
                        EXECUTE format('REVOKE %s FROM %s CASCADE',
                            thing.rights, thing.grantee::regrole);
                        EXECUTE format('SET LOCAL ROLE %I', before);
                    EXCEPTION WHEN insufficient_privilege THEN
                        RAISE NOTICE '%', SQLERRM;
                    END;
                END LOOP;
            END $body$;
            """
    }

    /// In the table of migrations, a service can read and change only the rows of its own schemas.
    private static let ownRows = """
        REVOKE CREATE ON SCHEMA public FROM PUBLIC;
        ALTER TABLE public.migrations ENABLE ROW LEVEL SECURITY;
        DROP POLICY IF EXISTS own_schemas ON public.migrations;
        CREATE POLICY own_schemas ON public.migrations USING (
            to_regnamespace(schema_name) IS NULL OR pg_has_role(
                (SELECT nspowner FROM pg_namespace WHERE nspname = schema_name), 'MEMBER'));
        """

    /// Makes the role the owner of the schema and of everything in it. Makes a missing schema.
    private static func give(_ schema: String, to role: String) -> String {
        """
        CREATE SCHEMA IF NOT EXISTS \(schema) AUTHORIZATION \(role);
        DO $body$ DECLARE
            thing record;
        BEGIN
            EXECUTE 'ALTER SCHEMA \(schema) OWNER TO \(role)';
            FOR thing IN
                SELECT c.oid::regclass AS name FROM pg_class c
                WHERE c.relnamespace = '\(schema)'::regnamespace
                    AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
                    AND c.relowner <> '\(role)'::regrole
                    -- A column's sequence gets its new owner together with the table.
                    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid
                        AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
                        AND c.relkind = 'S')
            LOOP
                EXECUTE format('ALTER TABLE %s OWNER TO \(role)', thing.name);
            END LOOP;
            FOR thing IN
                SELECT p.oid::regprocedure AS name FROM pg_proc p
                WHERE p.pronamespace = '\(schema)'::regnamespace
                    AND p.proowner <> '\(role)'::regrole
            LOOP
                EXECUTE format('ALTER ROUTINE %s OWNER TO \(role)', thing.name);
            END LOOP;
        END $body$;
        """
    }

    /// Lets the roles that run migrations write to the table of migrations.
    private var writers: String {
        let owners = owners.filter { !$0.schemas.isEmpty }.map(\.role)
        let users = (owners + [Self.role(Self.together)]).joined(separator: ", ")
        return "GRANT SELECT, INSERT, UPDATE, DELETE ON public.migrations TO \(users);"
    }

    /// Lets only the services and the database's owner acquire advisory locks; PostgreSQL lets
    /// everybody. Only a superuser can restrict this: for other owners nothing changes.
    private var locks: String {
        let users = (services + [Self.together]).map(Self.role) + [Self.log]
        return """
            DO $body$ DECLARE
                thing record;
            BEGIN
                FOR thing IN
                    SELECT p.oid::regprocedure AS name, d.datdba::regrole AS owner
                    FROM pg_proc p JOIN pg_database d ON d.datname = current_database()
                    WHERE p.pronamespace = 'pg_catalog'::regnamespace
                        AND p.proname ~ '^pg_(try_)?advisory_'
                LOOP
                    EXECUTE format(
                        'GRANT EXECUTE ON FUNCTION %s TO %s, \(users.joined(separator: ", "))',
                        thing.name, thing.owner);
                    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', thing.name);
                END LOOP;
            EXCEPTION WHEN insufficient_privilege THEN
                NULL;
            END $body$;
            """
    }

    /// Ends an analyst's forgotten queries: an open one keeps the server from removing old rows.
    /// Compiling a query of the view `locator.positions` takes longer than most of its answers.
    private var analystLimits: String {
        """
        ALTER ROLE \(Self.analyst) SET jit = off;
        ALTER ROLE \(Self.analyst) SET default_transaction_read_only = on;
        ALTER ROLE \(Self.analyst) SET statement_timeout = '10min';
        ALTER ROLE \(Self.analyst) SET idle_in_transaction_session_timeout = '1min';
        """
    }

    private var grants: String {
        AnalystGrants.script(
            [
                "locator.positions", "locator.room_hours", "locator.latest_positions",
                "smoothed.positions", "visits.visits", "visits.stays", "visits.group_visits",
                "locator_counts.closed",
            ],
            topics: [
                "whereabouts.positions", "whereabouts.positions-smoothed", "whereabouts.visits",
            ])
    }
}
