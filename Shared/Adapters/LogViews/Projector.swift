public import EventLog
import FaultPoints
public import Postgres

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

    private let view: any View
    private let log: any EventLog
    private let pool: PostgresPool
    private let batchLimit: Int
    private let onProgress: @Sendable (_ records: Int) -> Void
    private let notices: Notices

    public init(
        _ view: any View, log: any EventLog, pool: PostgresPool, batchLimit: Int = 2_000,
        onProgress: @escaping @Sendable (_ records: Int) -> Void = { _ in },
        notices: Notices
    ) {
        self.view = view
        self.log = log
        self.pool = pool
        self.batchLimit = batchLimit
        self.onProgress = onProgress
        self.notices = notices
    }

    /// Works until the task is cancelled. Faults that may pass are waited out; throws when the view
    /// can't go on by itself: somebody has to mend the program, to rebuild it or to restore the log.
    public func run() async throws(ConsumerStopped) {
        try await attemptUntilDone(
            "Keeping the view \(view.name)", notices: notices,
            throwIfFinal: ConsumerStopped.throwIfOurs
        ) { outage in
            try await pool.migrate(view, schema: view.schema)
            try await log.withMember(of: view.name, topics: view.topics) {
                try await drive($0, &outage)
            }
        }
    }

    private func drive(_ member: any GroupMember, _ outage: inout Outage) async throws {
        var positions: [TopicPartition: Int64] = [:]
        while !Task.isCancelled {
            switch try await member.poll(maximum: batchLimit, wait: .seconds(1)) {
            case .assigned(let partitions):
                for (partition, position) in try await startingPositions(partitions) {
                    positions[partition] = position
                    try await member.seek(partition, to: position)
                }
            case .revoked(let partitions):
                for partition in partitions { positions[partition] = nil }
            case .records(let records):
                if try await apply(records, positions: &positions) {
                    onProgress(records.count)
                    // No records and no partitions either may mean that the log is away still.
                    if !positions.isEmpty { outage.ended() }
                    // Records that trickle in are written together; a backlog is not held up.
                    if !records.isEmpty, records.count < batchLimit / 2 {
                        try? await Task.sleep(for: Self.pause)
                    }
                } else {
                    // Another projector has moved the view on: read again where it stands.
                    for (partition, position) in try await startingPositions(
                        Array(positions.keys))
                    {
                        positions[partition] = position
                        try await member.seek(partition, to: position)
                    }
                }
            }
        }
    }

    private func apply(
        _ records: [StoredRecord], positions: inout [TopicPartition: Int64]
    ) async throws -> Bool {
        var next: [TopicPartition: Int64] = [:]
        let wanted = records.filter { positions[$0.topicPartition] != nil }
        for record in wanted { next[record.topicPartition] = record.offset + 1 }
        guard !next.isEmpty else { return true }
        let moves = next.map { (partition: $0.key, from: positions[$0.key] ?? 0, to: $0.value) }
        if PlantedMistake.offsetsBeforeRows.isPlanted {
            _ = try await pool.withTransaction { connection in
                try ViewPositions.advance(moves, schema: view.schema, connection: connection)
            }
            FaultPoint.rowsBeforeCommit.reached()
        }
        let isOurs = try await pool.withTransaction { connection in
            let faults = try await view.apply(
                wanted, schema: view.schema, connection: connection)
            // At least once; the same record always makes the same id.
            if !faults.isEmpty { try await log.append(faults) }
            FaultPoint.rowsBeforeCommit.reached()
            if PlantedMistake.offsetsBeforeRows.isPlanted { return true }
            guard
                try ViewPositions.advance(
                    moves, schema: view.schema, connection: connection)
            else { throw PositionMoved() }
            return true
        } onMoved: {
            false
        }
        if isOurs { for (partition, offset) in next { positions[partition] = offset } }
        return isOurs
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
                throw ConsumerStopped(
                    """
                    The view \(view.name) stands at \(position) of \(partition), but the log \
                    begins at \(bound.start): rebuild the view.
                    """)
            }
            guard position <= bound.end else {
                throw ConsumerStopped(
                    """
                    The view \(view.name) stands at \(position) of \(partition), but the log \
                    ends at \(bound.end): the log was lost or is another one. Restore it, or \
                    rebuild the view.
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
}

/// The view's position is not where this projector left it.
struct PositionMoved: Error {}

extension PostgresPool {
    /// Runs the body in a transaction that does not wait for the disk; `PositionMoved` rolls back and
    /// gives the other value.
    func withTransaction<Value: Sendable>(
        _ body: @Sendable (isolated PostgresConnection) async throws -> Value,
        onMoved: () -> Value
    ) async throws -> Value {
        do {
            return try await withTransaction(waitingForDisk: false, body)
        } catch is PositionMoved {
            return onMoved()
        }
    }

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
            [Migrator.Step("schema", "CREATE SCHEMA IF NOT EXISTS \(schema)")]
            + [ViewPositions.migration(schema: schema)] + view.migrations(schema: schema)
        try await withConnection { connection in
            _ = try await Migrator(schema: schema, steps: steps).migrate(connection)
        }
    }
}
