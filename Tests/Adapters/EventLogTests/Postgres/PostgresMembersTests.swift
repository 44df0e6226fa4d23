import EventLog
import Postgres
import TestSupport
import Testing

@testable import PostgresLog

@Suite(
    "Members of groups in PostgreSQL", .serialized,
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PostgresMembersTests {
    /// It is long, so that a slow machine keeps well within half of it.
    private static let session: Int64 = 20_000_000

    private func withGroup(
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        let settings = PostgresLogSettings(try await PrivatePostgres.shared().makeDatabase())
        let log = PostgresLog(settings)
        try await log.createTopics([.forever("scans", 2)])
        await log.close()
        let connection = PostgresConnection(settings.database)
        // The server's start counts as a heartbeat, and this server may have just started. The
        // members come afterwards, or their silence until then would be a stall.
        #expect(
            await isSoon {
                let rows = try? await connection.query(
                    "SELECT clock_timestamp() - pg_postmaster_start_time() > '21 s' AS old")
                return (try? rows?[0]["old"]) ?? false
            })
        for member in ["a", "b"] {
            try await connection.query(
                "SELECT log.join_group('locator', md5($1)::uuid, ARRAY[1], $2)",
                [.text(member), .int64(Self.session)])
        }
        try await body(connection)
        await connection.close()
    }

    /// Moves the last heartbeats of these members 45 seconds into the past.
    private func age(_ members: String, _ connection: PostgresConnection) async throws {
        try await connection.execute(
            script: """
                UPDATE log.members SET heartbeat_at = clock_timestamp() - interval '45 s'
                WHERE member IN (SELECT md5(name)::uuid FROM unnest('\(members)'::text[]) name)
                """)
    }

    private func beat(_ member: String, _ connection: PostgresConnection) async throws -> Bool {
        let row = try await connection.query(
            "SELECT lives, mourns FROM log.heartbeat('locator', md5($1)::uuid, $2)",
            [.text(member), .int64(Self.session)])[0]
        #expect(try row["lives"])
        return try row["mourns"]
    }

    @Test("no member is removed after a stall that stopped all members")
    func stall() async throws {
        try await withGroup { connection in
            try await age("{a,b}", connection)
            // This must happen at once, because the end of a stall counts only for one session.
            let heartbeat = PostgresStatement(
                "SELECT mourns FROM log.heartbeat('locator', md5('a')::uuid, $1)",
                [.int64(Self.session)])
            let burial = PostgresStatement(
                "SELECT log.bury('locator', $1)", [.int64(Self.session)])
            let members = PostgresStatement("SELECT member FROM log.members")
            let results = try await connection.pipeline([heartbeat, burial, members])
            #expect(try results[0][0]["mourns"] == false)
            #expect(results[2].count == 2)
        }
    }

    @Test("no member is removed by one that stood still itself, or by one that comes or goes")
    func halfAStall() async throws {
        try await withGroup { connection in
            // It is too short for `b`, whose last heartbeat came before the one of `a`.
            try await age("{b}", connection)
            try await connection.query(
                """
                UPDATE log.members SET heartbeat_at = clock_timestamp() - interval '15 s'
                WHERE member = md5('a')::uuid
                """)
            #expect(try await !beat("a", connection))
            for function in [
                "join_group('locator', md5('c')::uuid, ARRAY[1], $1)",
                "leave_group('locator', md5('c')::uuid, $1)",
            ] {
                try await connection.query("SELECT log.\(function)", [.int64(Self.session)])
            }
            #expect(try await connection.query("SELECT member FROM log.members").count == 2)
            #expect(try await beat("a", connection), "it is awake for a while")
        }
    }

    @Test("a heartbeat is heard also while no transaction can be written to the disk")
    func disk() async throws {
        let server = try PrivatePostgres()
        defer { server.stop() }
        var settings = PostgresLogSettings(try await server.makeDatabase())
        settings.heartbeatInterval = .milliseconds(100)
        // A member that polls no more sends heartbeats for one session. Here it never polls.
        settings.sessionTimeout = .seconds(600)
        let log = PostgresLog(settings)
        try await log.createTopics([.forever("scans", 1)])
        let member = try await log.join(group: "locator", topics: ["scans"])
        let connection = PostgresConnection(settings.database)
        // A commit that waits for a standby waits as for a disk.
        func wait(for standby: String) async throws {
            try await connection.execute(
                script: "ALTER SYSTEM SET synchronous_standby_names = '\(standby)'")
            try await connection.execute(script: "SELECT pg_reload_conf()")
        }
        try await connection.execute(script: "SET synchronous_commit = off")
        try await wait(for: "nobody")
        try await Task.sleep(for: .milliseconds(500))
        let before: Int64 = try await connection.query(
            "SELECT heartbeat_at AS at FROM log.members")[0]["at"]
        #expect(
            await isSoon {
                let row = try? await connection.query(
                    "SELECT heartbeat_at AS at FROM log.members")[0]
                return row.flatMap { try? $0["at"] }.map { (at: Int64) in at > before } ?? false
            })
        try await wait(for: "")
        await member.close()
        await connection.close()
        await log.close()
    }

    @Test("a member that is silent while others send heartbeats is removed")
    func silence() async throws {
        try await withGroup { connection in
            #expect(try await !beat("a", connection))
            try await age("{b}", connection)
            #expect(try await beat("a", connection))
            try await connection.query(
                "SELECT log.bury('locator', $1)", [.int64(Self.session)])
            let left = try await connection.query("SELECT member FROM log.members").count
            #expect(left == 1)
        }
    }

    @Test("a locked group does not block the heartbeats of other groups' members")
    func lockedGroup() async throws {
        var settings = PostgresLogSettings(try await PrivatePostgres.shared().makeDatabase())
        settings.sessionTimeout = .seconds(12)
        settings.heartbeatInterval = .milliseconds(200)
        let log = PostgresLog(settings)
        try await log.createTopics([.forever("scans", 2)])
        let stuck = try await log.join(group: "stuck", topics: ["scans"])
        let other = try await log.join(group: "other", topics: ["scans"])
        let connection = PostgresConnection(settings.database)
        let holder = PostgresConnection(settings.database)
        // A dead member's partitions are to be given to others, but can't be.
        try await connection.execute(
            script: """
                INSERT INTO log.members
                VALUES ('stuck', gen_random_uuid(), ARRAY[1], '2020-01-01');
                """)
        try await holder.execute(script: "BEGIN; SELECT log.lock_group('stuck')")
        let lockedAt = ContinuousClock.now
        var isHeard = true
        while ContinuousClock.now - lockedAt < .seconds(16), isHeard {
            _ = try await other.poll(maximum: 1, wait: .milliseconds(100))
            isHeard = try await connection.query(
                """
                SELECT heartbeat_at > clock_timestamp() - interval '11.5 s' AS heard
                FROM log.members WHERE group_name = 'other'
                """)[0]["heard"]
        }
        #expect(isHeard)
        try await holder.execute(script: "ROLLBACK")
        #expect(
            await isSoon {
                _ = try? await other.poll(maximum: 1, wait: .milliseconds(50))
                _ = try? await stuck.poll(maximum: 1, wait: .milliseconds(50))
                let rows = try? await connection.query(
                    "SELECT FROM log.members WHERE group_name = 'stuck'")
                return rows?.count == 1
            })
        for member in [stuck, other] { await member.close() }
        await log.close()
    }

    @Test("a member that failed to join leaves nothing behind")
    func failedJoin() async throws {
        let server = try PrivatePostgres()
        defer { server.stop() }
        let log = PostgresLog(PostgresLogSettings(try await server.makeDatabase()))
        try await log.createTopics([.forever("scans", 1)])
        let member = try await log.join(group: "locator", topics: ["scans"])
        let before = log.bell.audience
        server.stop()
        for _ in 0..<3 {
            await expect(.unavailable) {
                _ = try await log.join(group: "locator", topics: ["scans"])
            }
        }
        #expect(log.bell.audience == before)
        try server.start()
        await member.close()
        await log.close()
    }
}
