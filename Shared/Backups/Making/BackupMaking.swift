import EventLog
import Events
import Postgres
public import ServiceHost
import ServiceRuntime
public import Wire

/// Makes a backup while the services run.
///
/// It has two moments. The tables are of the first, with all that they had sent to the log. Records
/// of devices and surveyors are of the second one: all that was accepted before it is there.
public struct BackupMaking: Sendable {
    public struct Options: Sendable {
        public var kind: BackupManifest.Kind
        /// Whether scans are kept that were located already.
        public var withScans: Bool

        public init(kind: BackupManifest.Kind = .whole, withScans: Bool = false) {
            self.kind = kind
            self.withScans = withScans
        }
    }

    private let host: Host
    private let pool: PostgresPool
    private let stores: [BackupStore]
    private let files: BackupFiles
    private let note: @Sendable (String) -> Void

    /// - Parameter note: gets lines for a person.
    public init(
        _ host: Host, stores: [BackupStore], files: BackupFiles,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.host = host
        pool = host.requiredDatabase()
        self.stores = stores
        self.files = files
        self.note = note
    }

    /// Makes the backup, and returns its manifest.
    public func make(_ options: Options) async throws -> BackupManifest {
        try await BackupTurn.during(pool) { try await make(options, $0) }
    }

    /// Makes room: removes what interrupted backups have left.
    func removeUnfinished() async throws {
        try await BackupTurn.during(pool) { _ in try await files.removeUnfinished(note: note) }
    }

    private func make(_ options: Options, _ turn: BackupTurn) async throws -> BackupManifest {
        if let mark = try await RestoreMark.unfinished(pool) { throw BackupFault("\(mark)") }
        try await files.removeUnfinished(note: note)
        let begun = try await freeMoment(options.kind)
        var manifest = BackupManifest(
            name: BackupFiles.name(at: begun, options.kind), kind: options.kind,
            program: whereaboutsVersion, log: host.configuration.text("WHEREABOUTS_LOG"),
            partitions: host.configuration.integer("WHEREABOUTS_PARTITIONS"),
            hasScans: options.withScans, tablesAt: begun, recordsAt: begun, finishedAt: begun)
        manifest.retentions = host.topics.retentions
        let erased = try await Host.erasedDevices(in: host.log, at: begun)
        let copying = RecordCopying(
            log: host.log, files: files, backup: manifest.name, erased: erased)
        try await copyTables(&manifest, copying, turn)
        for (topic, ranges) in try await laterRanges(&manifest, options) {
            try await turn.check()
            manifest.topics.append(try await copying.copy(topic, ranges))
        }
        manifest.finishedAt = host.now.whole
        try await turn.check()
        try await files.requireUntouched(manifest)
        try await files.write(manifest)
        return manifest
    }

    /// The present moment, once no backup has its name: names have whole seconds. Files of another
    /// backup are never written over.
    private func freeMoment(_ kind: BackupManifest.Kind) async throws -> Timestamp {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            // Before the files are asked: those may be slow, and the next second's name is free.
            let isLast = ContinuousClock.now >= deadline
            let moment = host.now.whole
            let name = BackupFiles.name(at: moment, kind)
            if try await files.isFree(name) { return moment }
            guard !isLast else {
                throw BackupFault("there is a backup \(name) already: is the clock right?")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Copies what the outboxes had sent and the tables, both as of one moment.
    private func copyTables(
        _ manifest: inout BackupManifest, _ copying: RecordCopying, _ turn: BackupTurn
    ) async throws {
        guard let log = host.log as? any RestorableLog else {
            throw BackupFault("this log can't be backed up")
        }
        let (start, files, stores, pool) = (manifest, files, stores, pool)
        let outboxes: [String] = try await pool.query(
            """
            SELECT schemaname AS name FROM pg_tables
            WHERE tablename = 'outbox' AND schemaname = ANY ($1) ORDER BY 1
            """, [.textArray(stores.flatMap(\.schemas))]
        ).map { try $0["name"] }
        let connection = pool.separateConnection(
            statementTimeout: PostgresConfiguration.unlimited,
            settings: ["idle_in_transaction_session_timeout": "0"])
        let copied: Result<BackupManifest, any Error>
        do {
            copied = .success(
                try await connection.withTransaction { connection in
                    var manifest = start
                    try connection.execute(
                        script: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    // These topics are compacted. The newest records of this moment must still be
                    // there when they are read, so the topics come before the tables.
                    let hold = try await log.holdCompaction()
                    do {
                        let sent = try await pausedRanges(
                            OutboxPause(outboxes, pool), log, &manifest, connection)
                        for topic in Topic.allCases where topic.backupPart == .sent {
                            try await turn.check()
                            let ranges = sent.filter { $0.key.topic == topic.name }
                            manifest.topics.append(try await copying.copy(topic.name, ranges))
                        }
                        try await hold.check()
                    } catch {
                        await hold.end()
                        throw error
                    }
                    await hold.end()
                    try await TableCopying(files: files, backup: manifest.name, stores: stores)
                        .run(&manifest, connection)
                    return manifest
                })
        } catch { copied = .failure(error) }
        await connection.close()
        manifest = try copied.get()
    }

    /// Takes the transaction's snapshot, and returns what the log had from its outboxes.
    private func pausedRanges(
        _ pause: OutboxPause, _ log: any EventLog, _ manifest: inout BackupManifest,
        _ connection: isolated PostgresConnection
    ) async throws -> [TopicPartition: Range<Int64>] {
        do {
            try await pause.begin()
            // The first statement takes the snapshot.
            let moment: Int64 = try connection.query("SELECT clock_timestamp() AS now")[0]["now"]
            manifest.tablesAt = Timestamp(microseconds: moment).whole
            let topics = Topic.allCases.filter { $0.backupPart == .sent }.map(\.name)
            let ranges = try await log.ranges(of: topics, withOpenTransactions: true)
            try await pause.check()
            await pause.end()
            return ranges
        } catch {
            await pause.end()
            throw error
        }
    }

    /// The ranges of the topics that are copied as of a later moment, in their order.
    private func laterRanges(
        _ manifest: inout BackupManifest, _ options: Options
    ) async throws -> [(topic: String, ranges: [TopicPartition: Range<Int64>])] {
        manifest.recordsAt = host.now.whole
        var later: [(topic: String, ranges: [TopicPartition: Range<Int64>])] = []
        for topic in Topic.inOrderOfBackup {
            switch topic.backupPart {
            case .sent, .madeAgain, .passing: continue
            case .all: later.append((topic.name, try await ranges(of: topic.name)))
            case .aging where options.kind == .lasting: continue
            case .aging: later.append((topic.name, try await ranges(of: topic.name)))
            case .unread(_, isAging: true) where options.kind == .lasting: continue
            case .unread(let group, _):
                // Its end is asked first, so nothing that was read later is missing in its outputs.
                var ranges = try await ranges(of: topic.name)
                let read = try await host.log.committed(group: group, topics: [topic.name])
                manifest.groups.append(
                    .init(
                        name: group, topic: topic.name,
                        offsets: (0..<manifest.partitions).map {
                            let place = TopicPartition(topic.name, $0)
                            return read[place] ?? ranges[place]?.lowerBound ?? 0
                        }))
                if !options.withScans || topic != .scans {
                    for (place, range) in ranges {
                        let start = min(max(read[place] ?? 0, range.lowerBound), range.upperBound)
                        ranges[place] = start..<range.upperBound
                    }
                }
                later.append((topic.name, ranges))
            }
        }
        return later
    }

    private func ranges(of topic: String) async throws -> [TopicPartition: Range<Int64>] {
        try await host.log.ranges(of: [topic], withOpenTransactions: true)
    }
}

extension [TopicSpecification] {
    /// How many seconds those that age keep their records.
    var retentions: [String: Int] {
        reduce(into: [:]) { found, topic in
            guard case .delete(let after) = topic.cleanup else { return }
            found[topic.name] = Int(after.components.seconds)
        }
    }
}

extension Timestamp {
    /// The time as the manifest writes it, and not later.
    fileprivate var whole: Timestamp { Timestamp(milliseconds: milliseconds) }
}
