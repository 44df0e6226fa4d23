public import EventLog
import FaultPoints
public import Postgres
public import Retrying
import Synchronization

/// Keeps a view: writes its rows and its positions in one PostgreSQL transaction. The transaction
/// does not wait for the disk. After a crash of the server rows and positions are both older. The
/// projector sees that within seconds, and reads the records again.
///
/// The group only shares out the partitions; the positions beside the rows decide. When another
/// projector takes over, a paused one finds the position moved, and its transaction rolls back. The
/// projector stops with an alarm when the log no longer has the view's next offset, or ends before
/// it. It never skips records.
public struct Projector: Sendable {
    /// The pause after each write. Without it the view of a busy log would commit after nearly
    /// every record, and take processor and disk time from the log.
    private static let pause = Duration.milliseconds(100)
    private static let lookInterval = Duration.seconds(1)
    /// After this time a transaction is on the disk: the server writes it after three times its
    /// `wal_writer_delay` of 200 ms (PostgreSQL 15, section 30.4).
    private static let settling = Duration.seconds(3)

    private let view: any View
    private let log: any EventLog
    private let pool: PostgresPool
    private let batchLimit: Int
    private let deadLetters: DeadLetters
    private let onProgress: @Sendable (_ records: Int) -> Void
    private let notices: Notices

    private var writer: ViewWriter {
        ViewWriter(view: view, schema: view.schema, log: log, deadLetters: deadLetters)
    }

    /// The state of the partitions that the projector owns.
    private struct Progress: Sendable {
        var positions: [TopicPartition: Int64] = [:]
        var shares: [TopicPartition: SetAsideShare] = [:]
        /// The error that kept a partition from being read, at the last check.
        var hindrance: EventLogError?
        var lookedAt = ContinuousClock.now
        /// The last write that a crash of the server may take; nil if all are on the disk.
        var writtenAt: ContinuousClock.Instant?
        var comparedAt = ContinuousClock.now
    }

    public init(
        _ view: any View, log: any EventLog, pool: PostgresPool, batchLimit: Int = 2_000,
        deadLetters: DeadLetters,
        onProgress: @escaping @Sendable (_ records: Int) -> Void = { _ in },
        notices: Notices
    ) {
        self.view = view
        self.log = log
        self.pool = pool
        self.batchLimit = batchLimit
        self.deadLetters = deadLetters
        self.onProgress = onProgress
        self.notices = notices
    }

    /// Works until the task is cancelled. Faults that may pass are retried, and records that the
    /// database refuses are set aside. Throws when retrying can't help. Then somebody has to mend
    /// the program, rebuild the view or restore the log.
    public func run() async throws(ConsumerStopped) {
        let strikes = Strikes()
        let stopAtOurs = { (error: any Error) throws(ConsumerStopped) in
            if let stop = error as? ConsumerStopped { throw stop }
            // A rebuild may have just swapped the tables, so a second attempt is made.
            if FaultCause(error) == .ours, strikes.add() > 1 {
                throw ConsumerStopped("The view \(view.name): \(error)")
            }
        }
        try await attemptUntilDone(
            "Keeping the view \(view.name)", notices: notices, throwIfFinal: stopAtOurs
        ) { retry in
            try await pool.migrate(view, schema: view.schema)
            if let reason = try await pool.stopReason(of: view) { throw ConsumerStopped(reason) }
            try await log.withMember(of: view.name, topics: view.topics) {
                try await drive($0, &retry, strikes)
            }
        }
    }

    private func drive(
        _ member: any GroupMember, _ retry: inout Retry, _ strikes: Strikes
    ) async throws {
        var progress = Progress()
        while !Task.isCancelled {
            switch try await member.poll(maximum: batchLimit, wait: .seconds(1)) {
            case .assigned(let partitions):
                try await begin(partitions, member, &progress)
            case .revoked(let partitions):
                for partition in partitions {
                    progress.positions[partition] = nil
                    progress.shares[partition] = nil
                }
            case .records(let records):
                if try await apply(records, &progress) {
                    try await readLostAgain(member, &progress)
                    onProgress(records.count)
                    if !records.isEmpty { strikes.forget() }
                    // A poll without records and partitions may mean that the log is still
                    // unreachable.
                    if let hindrance = try await hindrance(member, &progress) {
                        retry.failed(hindrance)
                    } else if !progress.positions.isEmpty {
                        retry.ended()
                    }
                    // A trickle of records is written together; a backlog is written without delay.
                    if !records.isEmpty, records.count < batchLimit / 2 {
                        try? await Task.sleep(for: Self.pause)
                    }
                } else {
                    // Another projector has advanced the view, so this one reads on from the new
                    // position.
                    try await begin(Array(progress.positions.keys), member, &progress)
                }
            }
        }
    }

    /// Reads the partitions from the view's positions on.
    ///
    /// - Throws: `ConsumerStopped` when the log does not hold the next offset.
    private func begin(
        _ partitions: [TopicPartition], _ member: any GroupMember, _ progress: inout Progress
    ) async throws {
        for (partition, position) in try await startingPositions(partitions) {
            progress.positions[partition] = position
            try await member.seek(partition, to: position)
        }
    }

    /// Reads on from the stored positions if a crash of the server took the last transactions. The
    /// next record of a partition would show that too, but it may be long in coming.
    private func readLostAgain(
        _ member: any GroupMember, _ progress: inout Progress
    ) async throws {
        let now = ContinuousClock.now
        guard let written = progress.writtenAt, now - progress.comparedAt > Self.settling else {
            return
        }
        let partitions = Array(progress.positions.keys)
        let stored = try await pool.withTransaction { [schema = view.schema] connection in
            try ViewPositions.read(partitions, schema: schema, connection: connection)
        }
        progress.comparedAt = now
        if now - written > Self.settling { progress.writtenAt = nil }
        if stored != progress.positions { try await begin(partitions, member, &progress) }
    }

    /// The error that keeps a partition from being read. The member is asked at most once a second.
    ///
    /// - Throws: `ConsumerStopped` when the log lost records that the view still needs. A later
    ///   start would otherwise see only the records after the gap.
    private func hindrance(
        _ member: any GroupMember, _ progress: inout Progress
    ) async throws -> EventLogError? {
        guard .now - progress.lookedAt > Self.lookInterval else { return progress.hindrance }
        progress.lookedAt = .now
        let hindrances = await member.hindrances()
        let beyond = hindrances.filter { $0.error.code == .offsetOutOfRange }.map(\.partition)
        if !beyond.isEmpty { try await begin(beyond, member, &progress) }
        progress.hindrance = hindrances.first { !beyond.contains($0.partition) }?.error
        return progress.hindrance
    }

    /// Writes the records. Returns false when another projector has advanced the view.
    private func apply(_ records: [StoredRecord], _ progress: inout Progress) async throws -> Bool {
        var next: [TopicPartition: Int64] = [:]
        // Records that come a second time are already in the view.
        let wanted = records.filter { record in
            progress.positions[record.topicPartition].map { record.offset >= $0 } ?? false
        }
        for record in wanted { next[record.topicPartition] = record.offset + 1 }
        guard !next.isEmpty else { return true }
        let positions = progress.positions
        let moves = next.map { (partition: $0.key, from: positions[$0.key] ?? 0, to: $0.value) }
        if PlantedMistake.offsetsBeforeRows.isPlanted {
            _ = try await pool.withTransaction { connection in
                try ViewPositions.advance(moves, schema: view.schema, connection: connection)
            }
            FaultPoint.rowsBeforeCommit.reached()
        }
        do {
            progress.shares = try await writer.inTransaction(pool) {
                [writer, before = progress.shares] connection, isSearching in
                let faults = try await writer.write(
                    wanted, isSearching: isSearching, connection: connection)
                var shares = before
                try shares.note(wanted, faults, sender: writer.deadLetters.sender)
                try await writer.setAside(faults, connection: connection)
                FaultPoint.rowsBeforeCommit.reached()
                if PlantedMistake.offsetsBeforeRows.isPlanted { return shares }
                guard
                    try ViewPositions.advance(
                        moves, schema: writer.schema, connection: connection)
                else { throw PositionMoved() }
                return shares
            }
        } catch is PositionMoved {
            return false
        }
        for (partition, offset) in next { progress.positions[partition] = offset }
        progress.writtenAt = .now
        return true
    }

    private func startingPositions(
        _ partitions: [TopicPartition]
    ) async throws -> [TopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        var bounds: [String: [PartitionBounds]] = [:]
        for topic in Set(partitions.map(\.topic)) {
            bounds[topic] = try await log.bounds(of: topic)
        }
        let known = try await pool.withTransaction { connection in
            try ViewPositions.read(partitions, schema: view.schema, connection: connection)
        }
        var starts: [TopicPartition: Int64] = [:]
        var positions = known
        for partition in partitions {
            guard let bound = bounds[partition.topic]?[partition.partition] else { continue }
            guard let position = known[partition] else {
                starts[partition] = bound.start
                positions[partition] = bound.start
                continue
            }
            guard position >= bound.start else {
                throw try await stopped(
                    """
                    The view \(view.name) stands at \(position) of \(partition), but the log \
                    begins at \(bound.start): rebuild the view.
                    """)
            }
            guard position > bound.end else { continue }
            // Another projector may have advanced the view beyond the end that was read above. So
            // the end is read again, after the position.
            let end = try await log.bounds(of: partition.topic)[partition.partition].end
            guard position <= end else {
                throw try await stopped(
                    """
                    The view \(view.name) stands at \(position) of \(partition), but the log \
                    ends at \(end): the log was lost or is another one. Restore it if that can \
                    be done, and rebuild the view.
                    """)
            }
        }
        if !starts.isEmpty {
            try await pool.withTransaction { [starts] connection in
                try ViewPositions.begin(
                    starts, schema: view.schema, connection: connection)
            }
        }
        return positions
    }

    /// Stores the stop beside the view. When the log grows past the position, the position would
    /// look valid again by chance. The next start must not go on from there.
    private func stopped(_ reason: String) async throws -> ConsumerStopped {
        try await pool.withTransaction { [schema = view.schema] connection in
            try ViewMemory.stop(reason, schema: schema, connection: connection)
        }
        return ConsumerStopped(reason)
    }
}

/// Counts how often a projector has failed through the program's own fault since its last write.
private final class Strikes: Sendable {
    private let count = Mutex(0)

    func add() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    func forget() { count.withLock { $0 = 0 } }
}

/// The view's position is not where this projector left it.
struct PositionMoved: CausedFault {
    var cause: FaultCause { .world }
}

extension PostgresPool {
    /// The served view's position in each partition that it has read.
    public func positions(of view: any View) async throws -> [TopicPartition: Int64] {
        let schema = view.schema
        return try await withTransaction { connection in
            try ViewPositions.readAll(schema: schema, connection: connection)
        }
    }

    /// Creates or completes the view's tables in the schema.
    public func migrate(_ view: any View, schema: String) async throws {
        let migrator = view.migrator(schema: schema)
        try await withConnection { _ = try await migrator.migrate($0) }
        try await withTransaction { connection in
            try ViewMemory.prepare(schema: schema, connection: connection)
        }
    }

    /// The reason why the view has stopped for good. Nil if it has not.
    func stopReason(of view: any View) async throws -> String? {
        try await withTransaction { [schema = view.schema] connection in
            try ViewMemory.stop(schema: schema, connection: connection)
        }
    }
}
