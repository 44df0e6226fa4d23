import Backups
import Cryptography
import EventLog
import Events
import Foundation
import LogViews
import Positioners
import Postgres
import ServiceHost
import Storage
import TestSupport
import Wire

/// An installation without services: a log of its own, a database with the tables of a store, and a
/// folder for backups.
struct BackupBench: Sendable {
    enum Engine: String, Sendable, CaseIterable { case postgres, kafka }

    static let partitions = 3
    static let site = SiteID("museum")
    static let stores = [
        BackupStore(
            Migrator(
                schema: "radio_maps",
                steps: [
                    .schema("radio_maps"),
                    Migrator.Step(
                        "tables",
                        """
                        CREATE TABLE radio_maps.zoo (id text PRIMARY KEY, bytes bytea NOT NULL);
                        -- Its name sorts before the table that it refers to.
                        CREATE TABLE radio_maps.animals (
                            id int PRIMARY KEY, zoo text REFERENCES radio_maps.zoo,
                            name text, born timestamptz, weight float8,
                            twice float8 GENERATED ALWAYS AS (weight * 2) STORED);
                        CREATE TABLE radio_maps.secrets (id int);
                        CREATE UNLOGGED TABLE radio_maps.keys (id int);
                        INSERT INTO radio_maps.zoo VALUES ('made by the migration', '');
                        """),
                    outbox.migration, outbox.markMigration,
                    Migrator.Step(
                        "judged",
                        """
                        CREATE TABLE radio_maps.judged (
                            site text, log_partition int, next_offset bigint)
                        """),
                ]), without: ["radio_maps.secrets"])
    ]
    static let outbox = Outbox(schema: "radio_maps", largestRecord: { _ in nil })

    let host: ServiceHost.Host
    let engine: Engine
    private let kafka: RealKafka?
    private let stores: [BackupStore]

    init(
        _ engine: Engine, folder: String, settings: [String: String] = [:],
        stores: [BackupStore] = Self.stores
    ) async throws {
        self.engine = engine
        self.stores = stores
        kafka = engine == .kafka ? RealKafka.start() : nil
        var environment = [
            "DATABASE_URL": try await PrivatePostgres.shared().makeDatabase().connectionString,
            "WHEREABOUTS_LOG": engine.rawValue, "WHEREABOUTS_PARTITIONS": "\(Self.partitions)",
            "WHEREABOUTS_BACKUPS": folder, "WHEREABOUTS_LOG_LEVEL": "error",
        ].merging(settings) { $1 }
        if let kafka { environment["KAFKA_BOOTSTRAP_SERVERS"] = kafka.bootstrapServers }
        host = try ServiceHost.Host.make(
            environment: environment, service: "test", settings: PositionerSettings.all)
    }

    func close() async {
        await host.log.close()
        await host.requiredDatabase().close()
        kafka?.stop()
    }

    static func folder() -> String {
        FileManager.default.temporaryDirectory.appending(path: "backups-\(UUID().uuidString)").path
    }

    /// As site-editor does it.
    static func eraseBeside(_ place: any StoragePlace) async throws {
        try await ErasureFiles(place).catchUp([erased])
        try await ErasureFiles(place).beat(at: time(0))
    }

    /// An installation on PostgreSQL that has run for a while, and has its first backup in the
    /// folder.
    static func backedUp(
        in folder: String, settings: [String: String] = [:]
    ) async throws -> (bench: BackupBench, files: BackupFiles, manifest: BackupManifest) {
        let bench = try await BackupBench(.postgres, folder: folder, settings: settings)
        try await bench.prepare()
        let files = BackupFiles(FolderPlace(path: folder))
        try await ErasureFiles(files.place).beat(at: time(0))
        return (bench, files, try await bench.making(files).make(.init()))
    }

    var pool: PostgresPool { host.requiredDatabase() }

    func making(_ files: BackupFiles) -> BackupMaking {
        BackupMaking(host, stores: stores, files: files, note: { _ in })
    }

    /// - Parameter later: seconds by which the clock is ahead.
    func restoring(
        _ files: BackupFiles, later: Int64 = 0, copied: BackupRestoring.Copied? = nil,
        sealed: SealedColumn? = nil,
        reapply: @escaping BackupRestoring.Reapplying = { _, _ in }
    ) -> BackupRestoring {
        let host = host
        return BackupRestoring(
            host, stores: stores, files: files, erasures: ErasureFiles(files.place),
            now: { host.now.advanced(byMicroseconds: later * 1_000_000) },
            copied: copied ?? { nil }, sealed: sealed, reapply: reapply, note: { _ in })
    }

    /// All records of a topic by partition, in their order.
    func records(_ topic: Topic) async throws -> [Int: [StoredRecord]] {
        var found: [Int: [StoredRecord]] = [:]
        try await host.log.readRange(host.log.ranges(of: [topic.name])) { records in
            for record in records { found[record.partition, default: []].append(record) }
        }
        return found
    }

    // MARK: An installation that has run for a while

    func prepare() async throws {
        try await host.log.createTopics(host.topics)
        try await pool.withConnection { connection in
            for store in stores { _ = try await store.migrator.migrate(connection) }
            try await connection.execute(
                script: """
                    INSERT INTO radio_maps.zoo VALUES ('london', '\\x00ff0a5c'), ('bern', '');
                    -- Large enough to be read in parts.
                    INSERT INTO radio_maps.zoo VALUES (
                        E'large\\tzoo\\n', decode(repeat('00ff0a5c', 700001), 'hex'));
                    INSERT INTO radio_maps.animals VALUES
                        (1, 'london', E'a\\tb\\nc\\\\d', '2026-11-24 03:00:00.123456+00', 0.1),
                        (2, NULL, NULL, NULL, 'NaN'), (3, 'bern', '', 'infinity', 1e300);
                    INSERT INTO radio_maps.secrets VALUES (1);
                    INSERT INTO radio_maps.keys VALUES (1);
                    INSERT INTO radio_maps.judged VALUES ('museum', 0, 3), ('museum', 1, 2)
                    """)
        }
        for number in 0..<12 {
            try await append(
                Self.survey(number, number == 0 ? "erased" : "surveyor"), number % 3,
                topic: Topic.surveys)
        }
        for number in 0..<6 {
            try await append(
                Self.survey(number, number == 1 ? "erased" : "surveyor"), number % 3,
                topic: Topic.surveyRecords)
        }
        try await append(
            SurveysJudged(
                site: Self.site, surveyOffsets: [3, 2, 4], radioMapVersion: 1, at: Self.time(1)), 0)
        for number in 0..<30 {
            try await append(Self.position(number, number % 5 == 0 ? "erased" : "anna"), number % 3)
        }
        try await append(
            DeadLettered(
                topic: Topic.scans.name, partition: 1, offset: 7, code: "not-json", detail: "no",
                key: nil, value: [1], at: Self.time(1), headers: [], appendedAt: Self.time(1)), 1)
        try await append(
            DeadLettered(
                topic: Topic.scans.name, partition: 2, offset: 8, code: "erased", detail: "no",
                key: RecordKey.bytes(Self.site, DeviceID("erased")), value: [1], at: Self.time(1),
                headers: [], appendedAt: Self.time(1)), 2)
        try await append(
            SessionKeyMade(id: "0123456789abcdef", publicKey: "00", madeAt: Self.time(1)), 0)
        try await host.log.append([
            LogRecord(
                topic: Topic.tokens.name, partition: 2, key: Array("hash".utf8),
                value: Array("{}".utf8)),
            LogRecord(
                topic: Topic.tokens.name, partition: 2, key: Array("gone".utf8), value: nil),
        ])
        for number in 0..<9 { try await append(Self.scan(number), number % 3) }
        try await host.log.moveGroup(
            "locator",
            to: Dictionary(
                uniqueKeysWithValues: (0..<Self.partitions).map {
                    (TopicPartition(Topic.scans.name, $0), Int64($0))
                }))
    }

    private func append(
        _ event: some WireEvent, _ partition: Int, topic: Topic? = nil
    ) async throws {
        var record = event.record(topic: topic?.name, source: "/test")
        record.partition = partition
        try await host.log.append([record])
    }

    static func time(_ second: Int) -> Timestamp {
        Timestamp(milliseconds: 1_795_305_600_000 + Int64(second) * 1_000)
    }

    static func scan(_ number: Int, _ device: String = "anna") -> ScanRecorded {
        ScanRecorded(
            id: EventID(high: 1, low: UInt64(number)), site: site, device: DeviceID(device),
            scanner: ScannerID("s"), at: time(number), receivedAt: time(number), steps: 1)
    }

    static func survey(_ number: Int, _ device: String) -> SurveyRecorded {
        SurveyRecorded(
            scan: scan(number, device), place: .location(LocationID("hall")), author: "a")
    }

    static func position(_ number: Int, _ device: String) -> PositionEstimated {
        PositionEstimated(
            id: EventID(high: 2, low: UInt64(number)), scan: EventID(high: 3, low: UInt64(number)),
            at: time(number), locatedAt: time(number), device: DeviceID(device), site: site,
            siteVersion: 1, state: .lost, late: false, positioner: "knn", radioMapVersion: 1)
    }

    static let erased = DeviceErased(
        id: EventID(high: 4, low: 4), site: site, device: DeviceID("erased"), at: time(1_000))
}
