public import EventLog
import FaultPoints
public import Postgres
public import Retrying
import Synchronization

/// Keeps a view: writes its rows and its position in one PostgreSQL transaction. That does not wait
/// for the disk: what a server that crashes forgets, rows and position together, is read from the
/// log again.
///
/// The group only shares the partitions out; the truth is the position beside the rows. A projector
/// that was paused while another took over finds the position moved, and its transaction rolls
/// back. An offset that the log no longer has, or a log that ends before the view's position, stops
/// the projector with an alarm instead of skipping.
public struct Projector: Sendable {
    /// How long a view that has just been written is left alone. The views of a busy log would
    /// otherwise commit after nearly every record, and take processor and disk from the log itself.
    private static let pause = Duration.milliseconds(100)
    private static let lookInterval = Duration.seconds(1)

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

    /// What a projector knows of the partitions that are its own.
    private struct Progress: Sendable {
        var positions: [TopicPartition: Int64] = [:]
        var shares: [TopicPartition: SetAsideShare] = [:]
        /// The fault that kept a partition from being read, as of the last look.
        var hindrance: EventLogError?
        var lookedAt = ContinuousClock.now
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

    /// Works until the task is cancelled. Faults that may pass are waited out, and records that the
    /// database will not take are set aside; throws when the view can't go on by itself: somebody
    /// has to mend the program, to rebuild it or to restore the log.
    public func run() async throws(ConsumerStopped) {
        let strikes = Strikes()
        let stopAtOurs = { (error: any Error) throws(ConsumerStopped) in
            if let stop = error as? ConsumerStopped { throw stop }
            // A rebuild may have swapped the tables just now, so a second attempt is made.
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
                    onProgress(records.count)
                    if !records.isEmpty { strikes.forget() }
                    // No records and no partitions either may mean that the log is away still.
                    if let hindrance = try await hindrance(member, &progress) {
                        retry.failed(hindrance)
                    } else if !progress.positions.isEmpty {
                        retry.ended()
                    }
                    // Records that trickle in are written together; a backlog is not held up.
                    if !records.isEmpty, records.count < batchLimit / 2 {
                        try? await Task.sleep(for: Self.pause)
                    }
                } else {
                    // Another projector has moved the view on: read again where it stands.
                    try await begin(Array(progress.positions.keys), member, &progress)
                }
            }
        }
    }

    /// Reads the partitions from where the view stands.
    ///
    /// - Throws: `ConsumerStopped` where the log does not hold what comes next.
    private func begin(
        _ partitions: [TopicPartition], _ member: any GroupMember, _ progress: inout Progress
    ) async throws {
        for (partition, position) in try await startingPositions(partitions) {
            progress.positions[partition] = position
            try await member.seek(partition, to: position)
        }
    }

    /// The fault that keeps a partition from being read. The member is asked at most once a second.
    ///
    /// - Throws: `ConsumerStopped` where the log has lost what comes next while the view was kept:
    ///   the records after the gap would else be all that a later start sees.
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

    /// False when another projector has moved the view on.
    private func apply(_ records: [StoredRecord], _ progress: inout Progress) async throws -> Bool {
        var next: [TopicPartition: Int64] = [:]
        // What comes a second time is there already.
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
            // Another projector may have moved the view on since the log was asked, beyond what was
            // its end then: an end that is asked for now is younger than the position.
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

    /// Remembered beside the view, so that the next start does not go on from a position that fits
    /// again by chance, when the log has grown past it.
    private func stopped(_ reason: String) async throws -> ConsumerStopped {
        try await pool.withTransaction { [schema = view.schema] connection in
            try ViewMemory.stop(reason, schema: schema, connection: connection)
        }
        return ConsumerStopped(reason)
    }
}

/// How often a projector has failed in a way of ours without having written anything between.
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
    /// Where the served view stands in each partition that it has seen.
    public func positions(of view: any View) async throws -> [TopicPartition: Int64] {
        let schema = view.schema
        return try await withTransaction { connection in
            try ViewPositions.readAll(schema: schema, connection: connection)
        }
    }

    /// Makes or completes the view's tables in the schema.
    public func migrate(_ view: any View, schema: String) async throws {
        let steps =
            [Migrator.Step.schema(schema)]
            + [ViewPositions.migration(schema: schema)] + view.migrations(schema: schema)
        try await withConnection { connection in
            _ = try await Migrator(schema: schema, steps: steps).migrate(connection)
        }
        try await withTransaction { connection in
            try ViewMemory.prepare(schema: schema, connection: connection)
        }
    }

    /// Why the view has stopped for good, if it has.
    func stopReason(of view: any View) async throws -> String? {
        try await withTransaction { [schema = view.schema] connection in
            try ViewMemory.stop(schema: schema, connection: connection)
        }
    }
}
