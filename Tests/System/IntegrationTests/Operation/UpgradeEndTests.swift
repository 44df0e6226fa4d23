import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The check before an upgrade") struct UpgradeEndTests {
        /// The structure of the database and the steps that were applied, as text.
        private func dump(_ campus: Campus) async throws -> String {
            let database = campus.environment["DATABASE_URL"] ?? ""
            let structure = try await ProgramRun.of([
                "pg_dump", "--schema-only", "--no-owner", "-d", database,
            ]).successful()
            let steps = try await campus.psql(
                "SELECT schema_name, position, name FROM public.migrations ORDER BY 1, 2")
            // A newer pg_dump writes a random word around the statements.
            return structure.lines.filter { !$0.hasPrefix("\\") }.joined(separator: "\n")
                + steps.joined(separator: "\n")
        }

        @Test("Names the tables and topics of a later release, and changes nothing")
        func later() async throws {
            let campus = try await Campus(.postgres, .together)
            for (_, status) in campus.stop() { #expect(status == 0) }
            let same = try await campus.whereabouts("upgrade", "--check")
            #expect(same.lines.first == "Nothing changes: tables and topics are up to date.")

            // The database as a release without erasures has left it.
            try await campus.psql(
                """
                DROP TABLE site_editor_names.erasures CASCADE;
                DROP TABLE site_editor.outbox_mark;
                DELETE FROM public.migrations AS step USING public.migrations AS erasures
                WHERE (erasures.schema_name, erasures.name) = ('site_editor', 'erasures')
                    AND step.schema_name = 'site_editor' AND step.position >= erasures.position;
                DELETE FROM site_editor_names.rewritten WHERE topic = 'tokens';
                """)
            let before = try await dump(campus)
            let check = try await campus.whereabouts("upgrade", "--check", "--json")
            #expect(try await dump(campus) == before)
            let tables = check.summary["tables"] as? [[String: Any]] ?? []
            #expect(tables.map { $0["schema"] as? String } == ["site_editor"])
            let steps = tables.first?["steps"] as? [String] ?? []
            #expect(steps.starts(with: ["erasures", "erasure-copies", "outbox-mark"]), "\(steps)")
            #expect(check.summary["canGoBack"] as? Bool == false)

            // A database that is newer than the program.
            try await campus.psql(
                "INSERT INTO public.migrations VALUES ('locator', 99, 'from-the-future')")
            let newer = try await ProgramRun.of(
                campus.program + ["upgrade", "--check"], environment: campus.environment)
            #expect(newer.status == 1)
            #expect(newer.errors.contains("newer than this program"), "\(newer.errors)")
        }

        @Test(
            "Tells beforehand what the upgrade of an older program's database then does",
            .enabled(if: Programs.before != nil, "WHEREABOUTS_PROGRAMS_BEFORE is not set"))
        func older() async throws {
            let campus = try await Campus(.postgres, .together, programs: Programs.before)
            _ = try await campus.whereabouts("token", "create", "--role", "administrator")
            let before = try await dump(campus)
            let check = try await campus.whereabouts("upgrade", "--check", "--json")
            #expect(try await dump(campus) == before)
            let planned = (check.summary["tables"] as? [[String: Any]] ?? []).flatMap { schema in
                (schema["steps"] as? [String] ?? []).map {
                    "\(schema["schema"] as? String ?? "") \($0)"
                }
            }
            let known = Set(
                try await campus.psql("SELECT schema_name || ' ' || name FROM public.migrations"))
            try await campus.handOver()
            defer { _ = campus.stop() }
            let done = Set(
                try await campus.psql("SELECT schema_name || ' ' || name FROM public.migrations"))
            #expect(done.subtracting(known) == Set(planned))
            let after = try await campus.whereabouts("upgrade", "--check")
            #expect(after.lines.first == "Nothing changes: tables and topics are up to date.")
        }
    }
}
