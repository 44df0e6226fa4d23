import Foundation
import Postgres
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Roles of the database") struct DatabaseRolesTests {
        /// A server of its own, since roles are the whole server's.
        private struct Installation {
            let server: PrivatePostgres
            let owner: String
            let folder: URL

            init() async throws {
                server = try PrivatePostgres()
                owner = try await server.makeDatabase().connectionString
                folder = try makeTemporaryFolder("roles")
                AtExit.remove(folder.path)
            }

            func makeRoles(_ services: String..., log: String = "postgres") async throws {
                _ = try await ProgramRun.of(
                    Programs.command("whereabouts") + [
                        "database-roles", "--directory", folder.path,
                    ]
                        + services,
                    environment: [
                        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
                        "DATABASE_URL": owner, "WHEREABOUTS_LOG": log,
                        "WHEREABOUTS_ANALYST_PASSWORD": "an 'analyst's' password",
                    ]
                ).successful()
            }

            func url(_ service: String) throws -> String {
                try String(
                    contentsOf: folder.appending(path: "\(service)/url"), encoding: .utf8)
            }

            /// As the role; the first line of what psql says where it is refused.
            func psql(_ url: String, _ statement: String) async throws -> (Bool, String) {
                let run = try await ProgramRun.of(
                    [
                        "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c",
                        statement,
                    ])
                return (run.status == 0, run.errors + run.lines.joined(separator: "\n"))
            }
        }

        @Test("Services do their work by roles of their own, and none touches what is another's")
        func services() async throws {
            let installation = try await Installation()
            defer { installation.server.stop() }
            try await installation.makeRoles("serve", "locator", "site-editor")
            // Again, as at each start: the passwords stay.
            let before = try installation.url("serve")
            try await installation.makeRoles("serve", "locator", "site-editor")
            #expect(try installation.url("serve") == before)
            let campus = try await Campus(
                .postgres, .together,
                settings: ["DATABASE_URL": before], postgres: installation.server)
            defer { _ = campus.stop() }
            let token = try await campus.whereabouts(
                "token", "create", "--role", "administrator", "--plain"
            ).lines.last
            #expect(try await campus.send("GET", "/v1/sites", token: token).status == 200)
            // What a rebuild has left that did not end goes, and whoever may read may do so still.
            let leftOver = try await installation.psql(
                before,
                "CREATE TABLE locator_rebuild.positions (); "
                    + "CREATE VIEW locator_rebuild.v AS SELECT FROM locator_rebuild.positions")
            #expect(leftOver.0, "\(leftOver)")
            for _ in 1...2 { _ = try await campus.whereabouts("rebuild", "positions") }
            // What was made by one role is handed over when roles are made again.
            try await installation.makeRoles("locator", "site-editor")
            let locator = try installation.url("locator")
            let editor = try installation.url("site-editor")
            for view in ["positions", "visits"] {
                _ = try await ProgramRun.of(
                    Programs.command("whereabouts") + ["rebuild", view],
                    environment: campus.environment.merging(["DATABASE_URL": locator]) { $1 }
                ).successful()
            }
            // As the database's owner, who leaves the view to its service.
            _ = try await ProgramRun.of(
                Programs.command("whereabouts") + ["rebuild", "positions"],
                environment: campus.environment.merging(["DATABASE_URL": installation.owner]) { $1 }
            ).successful()
            let insert = "INSERT INTO site_editor.tokens SELECT * FROM site_editor.tokens"
            for (role, statement, isAllowed) in [
                (locator, insert, false),
                (locator, "SELECT FROM site_editor.tokens", false),
                (locator, "DELETE FROM site_editor.outbox", false),
                (locator, "ALTER SCHEMA site_editor RENAME TO mine", false),
                (locator, "DELETE FROM locator.positions", true),
                (locator, "DELETE FROM public.migrations WHERE schema_name = 'visits'", true),
                (editor, "DELETE FROM locator.positions", false),
                (editor, "SELECT FROM site_editor.tokens", true),
                (locator, "COPY (SELECT 1) TO PROGRAM 'cat'", false),
                (editor, "COPY site_editor.tokens FROM PROGRAM 'true'", false),
                (editor, "CREATE ROLE another", false),
                (before, "CREATE SCHEMA another", false),
                (locator, "CREATE SCHEMA visits_old", false),
                (editor, "DROP SCHEMA visits_rebuild", false),
            ] {
                let (isDone, words) = try await installation.psql(
                    role, "BEGIN; \(statement); ROLLBACK")
                #expect(isDone == isAllowed, "\(statement): \(words)")
            }
            let others = try await installation.psql(
                locator, "SELECT count(*) FROM public.migrations WHERE schema_name = 'site_editor'")
            #expect(others.1.hasSuffix("0"), "\(others)")
        }

        @Test("What an older release granted, or somebody by hand, is taken away at the next run")
        func revocations() async throws {
            let installation = try await Installation()
            defer { installation.server.stop() }
            try await installation.makeRoles("locator", log: "postgres")
            let analyst =
                installation.owner.replacing("user=postgres", with: "user=whereabouts_analyst")
            let locator = try installation.url("locator")
            let (isGranted, words) = try await installation.psql(
                installation.owner,
                """
                GRANT CREATE ON DATABASE test_1 TO whereabouts_locator, whereabouts_serve;
                GRANT whereabouts_site_editor TO whereabouts_locator WITH ADMIN OPTION;
                GRANT CREATE ON SCHEMA public TO whereabouts_locator;
                CREATE TABLE site_editor.tokens ();
                ALTER TABLE site_editor.tokens OWNER TO whereabouts_site_editor;
                GRANT USAGE ON SCHEMA site_editor TO whereabouts_analyst;
                GRANT SELECT ON site_editor.tokens TO whereabouts_analyst;
                """)
            #expect(isGranted, "\(words)")
            let statements = [
                (locator, "CREATE SCHEMA another"), (locator, "CREATE TABLE public.another ()"),
                (locator, "SELECT FROM site_editor.tokens"),
                (locator, "CREATE TABLE log.another ()"),
                (analyst, "SELECT FROM site_editor.tokens"),
            ]
            for isAllowed in [true, false] {
                for (role, statement) in statements {
                    let (isDone, words) = try await installation.psql(
                        role, "BEGIN; \(statement); ROLLBACK")
                    #expect(isDone == isAllowed, "\(statement): \(words)")
                }
                // With the log on Kafka, nobody acts as the log's owner either.
                try await installation.makeRoles("locator", log: "kafka")
            }
            // An administrator who lets only some connect is not undone.
            let connects = try await installation.psql(
                installation.owner,
                """
                REVOKE CONNECT ON DATABASE test_1 FROM PUBLIC;
                GRANT CONNECT ON DATABASE test_1 TO whereabouts_locator
                """)
            #expect(connects.0, "\(connects)")
            try await installation.makeRoles("locator", log: "kafka")
            let stays = try await installation.psql(locator, "SELECT 1")
            #expect(stays.0, "\(stays)")
        }

        @Test("What was handed on goes too, by whomever, and columns with their table")
        func handedOn() async throws {
            let installation = try await Installation()
            defer { installation.server.stop() }
            try await installation.makeRoles("locator", log: "postgres")
            let (isGranted, words) = try await installation.psql(
                installation.owner,
                """
                CREATE ROLE stranger;
                CREATE TABLE locator.handed (x int);
                ALTER TABLE locator.handed OWNER TO whereabouts_locator;
                GRANT USAGE ON SCHEMA locator TO stranger, whereabouts_log;
                GRANT UPDATE (x) ON locator.handed TO whereabouts_router;
                SET ROLE whereabouts_locator;
                GRANT SELECT ON locator.handed TO whereabouts_log WITH GRANT OPTION;
                GRANT INSERT ON locator.handed TO stranger WITH GRANT OPTION;
                SET ROLE whereabouts_log;
                GRANT SELECT ON locator.handed TO PUBLIC;
                SET ROLE stranger;
                GRANT INSERT ON locator.handed TO whereabouts_analyst;
                RESET ROLE;
                GRANT whereabouts_site_editor TO whereabouts_locator WITH ADMIN OPTION;
                SET ROLE whereabouts_locator;
                GRANT whereabouts_site_editor TO stranger;
                """)
            #expect(isGranted, "\(words)")
            try await installation.makeRoles("locator", log: "postgres")
            let left = try await installation.psql(
                installation.owner,
                """
                SELECT relacl, attacl, pg_has_role('stranger', 'whereabouts_site_editor', 'MEMBER')
                FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
                WHERE relname = 'handed' AND attname = 'x'
                """)
            let rights = "whereabouts_locator=arwdDxt"
            #expect(left.1.hasPrefix("{" + rights), "\(left)")
            #expect(
                left.1.hasSuffix("/whereabouts_locator,stranger=a*/whereabouts_locator}||f"),
                "\(left)")
        }

        @Test("An analyst reads positions, visits and their topics, and nothing else")
        func analyst() async throws {
            let installation = try await Installation()
            defer { installation.server.stop() }
            try await installation.makeRoles("serve")
            let campus = try await Campus(
                .postgres, .together,
                settings: ["DATABASE_URL": try installation.url("serve")],
                postgres: installation.server)
            defer { _ = campus.stop() }
            _ = try await campus.whereabouts("rebuild", "positions")
            let analyst =
                installation.owner.replacing("user=postgres", with: "user=whereabouts_analyst")
            for (statement, isAllowed) in [
                ("SELECT count(*) FROM locator.positions", true),
                ("SELECT count(*) FROM locator.latest_positions", true),
                ("SELECT count(entered_at) FROM visits.stays", true),
                (#"SELECT "group", entered, "left" FROM visits.group_visits"#, true),
                ("SELECT count(*) FROM smoothed.positions", true),
                (#"SELECT count(value) FROM log."whereabouts.positions""#, true),
                (#"SELECT count(value) FROM log."whereabouts.visits""#, true),
                (#"SELECT headers FROM log."whereabouts.scans-inbound""#, false),
                (#"SELECT value FROM log."whereabouts.tokens""#, false),
                ("SELECT FROM site_editor.tokens", false),
                (
                    "SET default_transaction_read_only = off; "
                        + "INSERT INTO site_editor.tokens SELECT FROM site_editor.tokens", false
                ),
                (
                    "SET default_transaction_read_only = off; DELETE FROM locator.positions",
                    false
                ),
                (
                    "SET default_transaction_read_only = off; CREATE TEMP TABLE t (x text); "
                        + "COPY t FROM PROGRAM 'id'", false
                ),
                ("SET default_transaction_read_only = off; CREATE TABLE public.t ()", false),
                ("SELECT pg_read_file('/etc/hostname')", false),
                ("SELECT pg_advisory_lock(1)", false),
                ("SELECT pg_try_advisory_xact_lock_shared(1, 2)", false),
            ] {
                let (isDone, words) = try await installation.psql(analyst, statement)
                #expect(isDone == isAllowed, "\(statement): \(words)")
            }
        }
    }
}
