import Archive
import EventLog
public import Events
public import Postgres
public import ServiceHost
import ServiceRuntime
public import Wire

/// Restores a backup into an empty log, of either engine, and an empty database.
public struct BackupRestoring: Sendable {
    public struct Summary: Sendable {
        public var manifest: BackupManifest
        public var isContinued = false
        public var records = 0
        public var rows = 0
        /// Records that are past their retention, and those of erased devices.
        public var aged = 0
        public var erased = 0
        /// Records that the tables announce once more, because the log lacked them.
        public var announced = 0
    }

    /// Applies erasures from after the backup to the restored tables.
    public typealias Reapplying =
        @Sendable ([DeviceErased], isolated PostgresConnection) throws -> Void

    /// Reads which erasures lie beside the backups, as the tables of this database say; nil where
    /// there are no tables yet.
    public typealias Copied = @Sendable () async throws -> [DeviceErased]?

    let host: Host
    private let pool: PostgresPool
    private let stores: [BackupStore]
    let files: BackupFiles
    let erasures: ErasureFiles
    let copied: Copied
    let sealed: SealedColumn?
    private let reapply: Reapplying
    private let now: @Sendable () -> Timestamp
    let note: @Sendable (String) -> Void

    /// - Parameters:
    ///   - now: the clock by which records are past their retention; nil for the host's.
    ///   - sealed: the values that show whether the backup is of the same secret.
    public init(
        _ host: Host, stores: [BackupStore], files: BackupFiles, erasures: ErasureFiles,
        now: (@Sendable () -> Timestamp)? = nil, copied: @escaping Copied = { nil },
        sealed: SealedColumn? = nil, reapply: @escaping Reapplying,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.now = now ?? { host.now }
        self.host = host
        pool = host.requiredDatabase()
        self.stores = stores
        self.files = files
        self.erasures = erasures
        self.copied = copied
        self.sealed = sealed
        self.reapply = reapply
        self.note = note
    }

    /// Goes through the whole backup without writing: each sum, each record, the steps of the
    /// schemas and the erasures.
    public func check(_ name: String) async throws -> Summary {
        let summary = try await checkFiles(of: name)
        _ = try await allErasures()
        return summary
    }

    /// The same without the erasures, which are read once where several backups are checked.
    func checkFiles(of name: String) async throws -> Summary {
        let manifest = try await files.manifest(of: name)
        try requireFit(of: manifest)
        return try await readAll(manifest)
    }

    /// - Throws: `BackupFault` where this release or these settings can't restore the backup, be it
    ///   whole or not.
    func requireFit(of manifest: BackupManifest) throws(BackupFault) {
        guard manifest.partitions == host.configuration.integer("WHEREABOUTS_PARTITIONS") else {
            throw BackupFault(
                "the backup is of a log with \(manifest.partitions) partitions: set "
                    + "WHEREABOUTS_PARTITIONS=\(manifest.partitions)")
        }
        _ = try TableRestoring(files: files, manifest: manifest, stores: stores).migrators()
    }

    /// Reads every file of a backup, and compares sums and counts.
    func readAll(_ manifest: BackupManifest) async throws -> Summary {
        let name = manifest.name
        var summary = Summary(manifest: manifest)
        for table in manifest.tables {
            for file in table.files {
                // A row is a line: the text format writes line feeds within values as \n.
                let reader = try await files.reader(of: file, of: name)
                do throws(ArchiveError) {
                    while let part = try reader.next() {
                        summary.rows += part.count { $0 == UInt8(ascii: "\n") }
                    }
                } catch {
                    throw BackupFiles.fault(of: file, of: name, error)
                }
            }
        }
        guard summary.rows == manifest.tables.reduce(0, { $0 + $1.rows }) else {
            throw BackupFault("\(name)/tables has another number of rows than its manifest")
        }
        for topic in manifest.topics {
            var records = 0
            for file in topic.files {
                let bytes = try await files.read(file, of: name)
                do throws(BinaryFault) {
                    records += try BackupRecordCodec.records(bytes, topic: topic.name).count
                } catch {
                    throw BackupFault("\(name)/\(file.name) has no whole records: \(error)")
                }
            }
            guard records == topic.records else {
                throw BackupFault("\(topic.name) has \(records) records, not \(topic.records)")
            }
            summary.records += records
        }
        return summary
    }

    /// The administrator's permissions. A restore that needs one and lacks it is refused.
    public struct Permissions: Sendable {
        /// Whether records may be dropped that the backup's installation kept, since the retentions
        /// here are shorter.
        public var isShorterAllowed: Bool
        /// Whether the backup was made by a clock that was ahead, and the clock here is right.
        public var isClockRight: Bool
        /// Whether the secret of the backup's installation is lost.
        public var isSecretLost: Bool

        public init(
            isShorterAllowed: Bool = false, isClockRight: Bool = false, isSecretLost: Bool = false
        ) {
            self.isShorterAllowed = isShorterAllowed
            self.isClockRight = isClockRight
            self.isSecretLost = isSecretLost
        }
    }

    public func restore(
        _ name: String, _ permissions: Permissions = .init()
    ) async throws -> Summary {
        // Two restores at once would append each record twice.
        try await BackupTurn.during(pool) { try await restore(name, permissions, $0) }
    }

    private func restore(
        _ name: String, _ permissions: Permissions, _ turn: BackupTurn
    ) async throws -> Summary {
        guard let log = host.log as? any RestorableLog else {
            throw BackupFault("this log can't be restored")
        }
        var summary = try await check(name)
        let manifest = summary.manifest
        try await require(permissions, for: manifest)
        let topics = host.topics
        let mark = try await begin(name, log, topics, &summary)
        let erased = try await erasures.all()
        let restoring = TopicRestoring(
            log: log, files: files, backup: name, erased: ErasedDevices(erased),
            latest: mark.begunAt)
        try await log.beginRestoring(topics)
        let announced = try await restoreTopics(
            manifest, restoring, topics, mark, log, turn, &summary)
        for group in manifest.groups { try await restoring.move(group) }
        try await log.endRestoring(topics)
        try await turn.check()
        summary.announced = try await restoreTables(manifest, erased, announced)
        return summary
    }

    /// Refuses a restore that would lose records without being told so.
    public func require(
        _ permissions: Permissions, for manifest: BackupManifest
    ) async throws {
        if !permissions.isShorterAllowed { try requireRetentions(of: manifest) }
        if !permissions.isClockRight { try requireClock(of: manifest) }
        if !permissions.isSecretLost { try await requireSecret(of: manifest) }
    }

    /// Records get no time from after the restore began. By a clock that is behind, all would then
    /// look old, and go with their retention when the clock is set.
    private func requireClock(of manifest: BackupManifest) throws {
        let now = now()
        guard manifest.finishedAt.isAhead(of: now) else { return }
        throw BackupFault(
            "the backup was finished at \(manifest.finishedAt.text), and the clock here shows "
                + "\(now.text): set it. If the clock of the machine that made the backup was "
                + "ahead, restore with --clock-is-right")
    }

    /// Makes the topics and the mark, or finds those of an interrupted restore.
    private func begin(
        _ name: String, _ log: any EventLog, _ topics: [TopicSpecification],
        _ summary: inout Summary
    ) async throws -> RestoreMark {
        if let mark = try await RestoreMark.read(pool) {
            if let finished = mark.finishedAt {
                throw BackupFault(
                    "\(mark.backup) was restored here already, at \(finished.text). To restore "
                        + "again, take an empty database and an empty log")
            }
            guard mark.backup == name else {
                throw BackupFault(
                    "the restore of \(mark.backup) was interrupted here: let it go on (whereabouts "
                        + "backup restore \(mark.backup)), or take an empty database and log")
            }
            note("The restore of \(name) was interrupted; it goes on.")
            summary.isContinued = true
            return mark
        }
        try await requireEmptyDatabase()
        try await log.createTopics(topics)
        for topic in topics {
            guard try await log.bounds(of: topic.name).allSatisfy({ $0.end == 0 }) else {
                throw BackupFault(
                    "the log is not empty: \(topic.name) has records. Stop all services, and "
                        + "restore into a new log")
            }
        }
        let mark = RestoreMark(backup: name, begunAt: now())
        try await mark.write(pool)
        return mark
    }

    private func requireEmptyDatabase() async throws {
        let isNew: Bool = try await pool.query(
            "SELECT to_regclass('public.migrations') IS NULL AS new")[0]["new"]
        guard !isNew else { return }
        let schemas: [String] = try await pool.query(
            "SELECT DISTINCT schema_name AS name FROM public.migrations WHERE schema_name <> 'log'"
                + " ORDER BY 1"
        ).map { try $0["name"] }
        guard schemas.isEmpty else {
            throw BackupFault(
                "the database is not empty: it has the tables of \(schemas.joined(separator: ", "))"
                    + ". Stop all services, and restore into a new database before they start")
        }
    }

    /// Appends all topics, and makes the locator's state. Returns what is announced there.
    private func restoreTopics(
        _ manifest: BackupManifest, _ restoring: TopicRestoring, _ topics: [TopicSpecification],
        _ mark: RestoreMark, _ log: any RestorableLog, _ turn: BackupTurn,
        _ summary: inout Summary
    ) async throws -> AnnouncedRecords {
        var announced = AnnouncedRecords()
        let sent = Set(Topic.allCases.filter { $0.backupPart == .sent }.map(\.name))
        let cleanups = Dictionary(
            topics.map { ($0.name, $0.cleanup) }, uniquingKeysWith: { first, _ in first })
        let state = LocatorStateMaking(
            log: log, partitions: manifest.partitions, recordsAt: manifest.recordsAt,
            now: mark.begunAt)
        for content in manifest.topics {
            guard let cleanup = cleanups[content.name] else {
                note("\(content.name) is no topic of this installation, and is left out")
                continue
            }
            var earliest: Timestamp?
            if case .delete(let after) = cleanup {
                earliest = mark.begunAt.advanced(
                    byMicroseconds: -after.components.seconds * 1_000_000)
            }
            let makesState = [Topic.positions.name, Topic.visits.name].contains(content.name)
            try await turn.check()
            let counts = try await restoring.restore(content, earliest: earliest) { record in
                if sent.contains(record.topic) { announced.see(record) }
                if makesState { try await state.see(record) }
            }
            summary.aged += counts.aged
            summary.erased += counts.erased
        }
        try await state.finish()
        return announced
    }

    private func restoreTables(
        _ manifest: BackupManifest, _ erased: [DeviceErased], _ announced: AnnouncedRecords
    ) async throws -> Int {
        let tables = TableRestoring(files: files, manifest: manifest, stores: stores)
        let connection = pool.separateConnection(
            statementTimeout: PostgresConfiguration.unlimited,
            settings: ["idle_in_transaction_session_timeout": "0"])
        try await tables.migrate(connection)
        let (reapply, now, stores) = (reapply, host.now, stores)
        // Erasures that the backup has were applied to its tables. Clocks of the machines differ.
        let begin = manifest.tablesAt.advanced(byMicroseconds: -Self.clockSlackMicroseconds)
        let later = erased.filter { $0.at > begin }
        let count = try await connection.withTransaction { connection in
            try await tables.copy(connection)
            // This program's own statements need the tables of its own steps.
            for store in stores { try store.migrator.migrate(within: connection) }
            try HeldOffsets.clear(connection)
            for table in manifest.tables where HeldOffsets.isOutbox(table.name) {
                try HeldOffsets.translate(outbox: table.name, connection)
            }
            // The restored log has no id yet; the first start gives it one and notes it here.
            for table in manifest.tables where table.name.hasSuffix(".outbox_mark") {
                try connection.query("UPDATE \(table.name) SET log_id = NULL")
            }
            var announced = announced
            let count = try announced.complete(stores, at: now, connection)
            try reapply(later, connection)
            try RestoreMark.finish(at: now, connection)
            return count
        }
        await connection.close()
        if count > 0 {
            note("\(count) records that the log lacked are announced again by the tables.")
        }
        return count
    }

    private static let clockSlackMicroseconds: Int64 = 3_600_000_000
}
