import Backups
import Cryptography
import EventLog
import Events
import Foundation
import JSON
import KafkaLog
import Postgres
import PostgresLog
import SeededRandomness
import Storage
import TestSupport
import Wire

/// Backs up an installation while it takes positions. Then it restores the backup into an empty
/// database and an empty log of the same kind, and counts what is there.
///
/// The log gets `--positions` positions directly, and site-editor's tables `--media-megabytes` of
/// media. There are three radio maps of the largest size. Nothing may be missing or doubled, and no
/// command may take more memory than its container has.
struct BackupBenchmark {
    private static let maps = 3
    private static let mapBytes = 15 << 20
    private static let batch = 1_000
    private static let loadBatch = 50
    /// The megabytes of the container `backup` in the compose files.
    private static let limits = ["kafka": 512.0, "postgres": 128.0]

    let options: BenchmarkOptions

    func run() async throws {
        note(MachineInformation.description)
        for kind in options.logs {
            let directory = try temporaryDirectory()
            defer { try? FileManager.default.removeItem(at: directory) }
            try await measure(kind, directory)
        }
    }

    /// A database and a log.
    private struct Installation {
        let database: String
        let log: ChosenLog
        let kafka: RealKafka?

        init(_ kind: String) async throws {
            database = try await PrivatePostgres.shared().makeDatabase().connectionString
            guard kind == "kafka" else {
                (log, kafka) = (.postgres(conninfo: database), nil)
                return
            }
            guard let kafka = RealKafka.start() else { throw BenchmarkFault("there is no Kafka") }
            self.kafka = kafka
            log = .kafka(bootstrapServers: kafka.bootstrapServers)
        }

        func environment(_ backups: URL) -> [String: String] {
            var environment = log.environment
            environment["DATABASE_URL"] = database
            environment["WHEREABOUTS_BACKUPS"] = backups.path
            environment["WHEREABOUTS_LOG_LEVEL"] = "warning"
            environment["WHEREABOUTS_SERVICE_SECRET"] = "a-secret-of-the-benchmark-and-nobody-else"
            return environment
        }
    }

    /// The line that a command printed, its time, and the most memory that it had.
    private struct Outcome {
        var line: String
        var seconds: Double
        var megabytes: Double
    }

    private func measure(_ kind: String, _ directory: URL) async throws {
        let backups = directory.appending(path: "backups")
        let old = try await Installation(kind)
        var environment = old.environment(backups)
        try await makeTables(environment, directory)
        note("writing \(options.positions) positions and \(options.mediaMegabytes) MB of media")
        try await fillTables(old.database)
        var writer = PositionNumbers()
        let log = try old.log.open()
        while writer.count < options.positions {
            let few = min(Self.batch, options.positions - writer.count)
            try await log.append(writer.records(few))
            if writer.count.isMultiple(of: 1_000_000) { note("\(writer.count) positions") }
        }
        let load = PositionLoad(log, writer, each: Self.loadBatch)
        let made = try await command(["make"], environment, directory)
        let accepted = try await load.end()
        await log.close()
        let name = try Self.text("name", made.line)
        guard let moment = Timestamp(text: try Self.text("acceptedBefore", made.line)) else {
            throw BenchmarkFault("backup make printed no time: \(made.line)")
        }
        let checked = try await command(["check", name], environment, directory)
        old.kafka?.stop()
        let new = try await Installation(kind)
        environment = new.environment(backups)
        let restored = try await command(["restore", name], environment, directory)
        let before = accepted.last { $0.at < moment }?.count ?? options.positions
        let counts = try await Self.count(
            new.log, expected: before, most: accepted.last?.count ?? before)
        try await compareTables(old.database, new.database)
        new.kafka?.stop()
        print(
            String(
                format: #"{"benchmark":"backup-%@","positions":%ld,"mediaMegabytes":%ld,"#
                    + #""bytes":%ld,"make":%@,"check":%@,"restore":%@,"#
                    + #""missing":%ld,"doubled":%ld}"#,
                kind, before, options.mediaMegabytes, try Self.number("bytes", made.line),
                Self.json(made), Self.json(checked), Self.json(restored), counts.missing,
                counts.doubled))
        guard counts == (0, 0) else { throw BenchmarkFault("positions are missing or doubled") }
        let limit = Self.limits[kind] ?? 0
        for outcome in [made, checked, restored] where outcome.megabytes > limit {
            throw BenchmarkFault("a command needs more memory than its container has")
        }
    }

    private static func json(_ outcome: Outcome) -> String {
        String(
            format: #"{"seconds":%.1f,"megabytes":%.0f}"#, outcome.seconds, outcome.megabytes)
    }

    private func command(
        _ words: [String], _ environment: [String: String], _ directory: URL
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        let program = try PinnedProgram(
            "whereabouts", ["backup"] + words, processor: nil, environment: environment,
            in: directory)
        var most = 0
        while program.isRunning {
            most = max(most, (try? program.mostResidentBytes()) ?? 0)
            try await Task.sleep(for: .milliseconds(20))
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let output = try program.wholeOutput(limitSeconds: 10)
        guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix("{") }) else {
            throw BenchmarkFault("backup \(words[0]) printed nothing: \(output)")
        }
        let megabytes = Double(most) / 1e6
        note(String(format: "backup %@: %.1f s, %.0f MB", words[0], seconds, megabytes))
        return Outcome(line: String(line), seconds: seconds, megabytes: megabytes)
    }

    private static func member(_ name: String, _ line: String) throws -> Any {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let value = object?[name] else { throw BenchmarkFault("no \(name) in \(line)") }
        return value
    }

    private static func text(_ name: String, _ line: String) throws -> String {
        try member(name, line) as? String ?? ""
    }

    private static func number(_ name: String, _ line: String) throws -> Int {
        try member(name, line) as? Int ?? 0
    }

    // MARK: What is backed up

    /// Lets the services make their tables and topics, and the mark beside the backups.
    private func makeTables(_ environment: [String: String], _ directory: URL) async throws {
        var environment = environment
        environment["WHEREABOUTS_LISTEN"] = "127.0.0.1:24299"
        let program = try PinnedProgram(
            "whereabouts", ["serve"], processor: nil, environment: environment, in: directory)
        let connection = PostgresConnection(.init(environment["DATABASE_URL"] ?? ""))
        let backups = ErasureFiles(FolderPlace(path: environment["WHEREABOUTS_BACKUPS"] ?? ""))
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            let rows = try? await connection.query(
                """
                SELECT to_regclass('radio_maps.part_notes') IS NOT NULL
                    AND to_regclass('site_editor_names.erasures') IS NOT NULL
                    AND to_regclass('magnetic_routes.outbox') IS NOT NULL AS made
                """)
            let isMade: Bool = (try? rows?.first?["made"]) ?? false
            if isMade, try await backups.silence(at: .now) == nil { break }
            guard ContinuousClock.now < deadline, program.isRunning else {
                throw BenchmarkFault("the services made no tables")
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        program.end()
        await connection.close()
    }

    /// Media, and radio maps with their announcements in the outbox. All bytes are random, so that
    /// nothing of them is compressed.
    private func fillTables(_ database: String) async throws {
        let connection = PostgresConnection(.init(database))
        let now = Timestamp.now
        let megabytes = options.mediaMegabytes
        for number in 0..<megabytes {
            let hash = sha256Hex("media \(number)")
            let piece = randomBytes(1 << 20)
            try await connection.query(
                "INSERT INTO site_editor.media (hash, type, bytes, stored_at) "
                    + "VALUES ($1, 'audio/ogg', $2, now())",
                [.text(hash), .int(piece.count)])
            try await connection.query(
                "INSERT INTO site_editor.media_pieces (hash, number, piece) VALUES ($1, 0, $2)",
                [.text(hash), .bytes(piece)])
        }
        for number in 0..<Self.maps {
            let bytes = randomBytes(Self.mapBytes)
            let event = RadioMapAnnounced(
                site: SiteID("site-\(number)"), version: 1, hash: sha256Hex(bytes),
                byteCount: bytes.count, siteVersion: 1, surveyOffsets: [], builderVersion: "1",
                builtAt: now, fingerprints: 1, accessPoints: 1)
            try await connection.query(
                "INSERT INTO radio_maps.artifacts (hash, bytes) VALUES ($1, $2)",
                [.text(event.hash), .bytes(bytes)])
            try await connection.query(
                """
                INSERT INTO radio_maps.radio_maps
                    (site, version, hash, site_version, surveys, built_at, event)
                VALUES ($1, 1, $2, 1, 1, now(), $3)
                """, [.text(event.site.text), .text(event.hash), .bytes(event.json)])
        }
        await connection.close()
    }

    private func compareTables(_ old: String, _ new: String) async throws {
        func sums(_ database: String) async throws -> [String] {
            let connection = PostgresConnection(.init(database))
            let rows = try await connection.query(
                """
                SELECT md5(bytes) AS sum FROM radio_maps.artifacts
                UNION ALL SELECT md5(string_agg(md5(piece), '' ORDER BY hash, number))
                    FROM site_editor.media_pieces
                UNION ALL SELECT count(*)::text FROM radio_maps.radio_maps
                """)
            await connection.close()
            return try rows.map { try $0["sum"] ?? "" }.sorted()
        }
        guard try await sums(old) == sums(new) else {
            throw BenchmarkFault("media or radio maps differ after the restore")
        }
    }

    // MARK: What is there afterwards

    private static func count(
        _ choice: ChosenLog, expected: Int, most: Int
    ) async throws -> (missing: Int, doubled: Int) {
        let log = try choice.open()
        var seen = [UInt8](repeating: 0, count: most)
        try await log.readRange(log.ranges(of: [Topic.positions.name])) { records in
            for record in records {
                guard let number = PositionNumbers.number(of: record), number < most else {
                    throw BenchmarkFault("a position that nobody has written")
                }
                seen[number] = min(seen[number], 254) + 1
            }
        }
        await log.close()
        return (seen.prefix(expected).count { $0 == 0 }, seen.count { $0 > 1 })
    }
}
