public import EventLog
import Foundation
public import Postgres
public import Retrying
import Synchronization

/// The event log in PostgreSQL, for installations on one machine without a broker.
///
/// It connects at first use and reconnects whenever the database was away. Until then calls fail
/// with `unavailable`. The first connection brings the schema `log` (see `LogSchema`) up to date.
public final class PostgresLog: EventLog {
    let settings: PostgresLogSettings
    let pool: PostgresPool
    let directory = TopicDirectory()
    let bell: LogBell
    let heartbeats: HeartbeatKeeper
    private let queue: AppendQueue
    private let gate: SchemaGate
    private let notices: Notices
    private let unresolved = Mutex(Unresolved())
    private let life = Mutex(Life())

    private struct Life {
        var isClosed = false
        var maintenance: Task<Void, Never>?
    }
    /// Requests for topics that this process has not used yet, and all requests after them.
    private struct Unresolved {
        var requests: [(records: [LogRecord], request: AppendRequest)] = []
        var isResolving = false
    }

    public convenience init(_ database: PostgresConfiguration) {
        self.init(PostgresLogSettings(database))
    }

    /// - Parameter notices: gets a report when retention or compaction fails and when it works
    ///   again.
    public init(_ settings: PostgresLogSettings, notices: Notices = .unheard) {
        self.settings = settings
        self.notices = notices
        pool = PostgresPool(settings.database, maximumConnections: settings.readConnections)
        bell = LogBell(settings)
        queue = AppendQueue(settings)
        gate = SchemaGate(pool)
        heartbeats = HeartbeatKeeper(settings, bell)
        for _ in 0..<settings.appendWorkers {
            AppendWorker(queue: queue, settings: settings, bell: bell).start()
        }
        bell.start()
        startMaintenance()
    }

    /// The steps that make the log's own tables.
    public static var migrator: Migrator { LogSchema.migrator }

    public func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await ready()
        for topic in topics {
            let partitions: Int
            do {
                let span = topic.spanMicroseconds
                try await pool.query(
                    "SELECT log.change_empty_topic($1, $2, $3, $4)",
                    [
                        .text(topic.name), .text(topic.cleanupName),
                        .optional(topic.retentionMicroseconds) { .int64($0) },
                        .optional(span) { .int64($0) },
                    ])
                partitions = try await pool.query(
                    "SELECT log.create_topic($1, $2, $3, $4, $5, $6) AS partitions",
                    [
                        .text(topic.name), .int32(Int32(topic.partitions)),
                        .text(topic.cleanupName),
                        .optional(topic.retentionMicroseconds) { .int64($0) },
                        .optional(span) { .int64($0) },
                        .int32(Int32(clamping: topic.maximumRecordBytes)),
                    ])[0]["partitions"]
            } catch { throw EventLogError(error) }
            guard partitions == topic.partitions else {
                throw EventLogError(
                    .partitionMismatch,
                    "\(topic.name) has \(partitions) partitions, not \(topic.partitions)")
            }
        }
        directory.forget(topics.map(\.name))
    }

    public func differences(
        from topics: [TopicSpecification]
    ) async throws(EventLogError) -> [TopicDifference] {
        do {
            return try await TopicDirectory.differences(from: topics, pool)
        } catch { throw EventLogError(error) }
    }

    public func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await resolve(topic).partitions
    }

    public func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) {
        let bytes = records.reduce(0) { $0 + $1.byteCount }
        if let refusal = queue.admit(records: max(1, records.count), bytes: bytes) {
            return completeElsewhere { completion(.failure(refusal)) }
        }
        let held = max(1, records.count)
        let request = AppendRequest(records: held, bytes: bytes) { [queue] result in
            queue.leave(records: held, bytes: bytes)
            completion(result)
        }
        // Checked under the lock, so that a later request is not queued first.
        let mustResolve = unresolved.withLock { state in
            if !state.isResolving, let pieces = pieces(of: records, request) {
                enqueue(pieces, request)
                return false
            }
            state.requests.append((records, request))
            defer { state.isResolving = true }
            return !state.isResolving
        }
        if mustResolve { Task { await resolveWaiting() } }
    }

    public func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        let topic = try await resolve(topic)
        do {
            return try await pool.read(
                """
                SELECT start_offset, next_offset FROM log.partitions
                WHERE topic = $1 ORDER BY partition
                """, [.int32(topic.id)]
            ).map { PartitionBounds(start: try $0["start_offset"], end: try $0["next_offset"]) }
        } catch { throw EventLogError(error) }
    }

    public func offsets(
        of topic: String, atMicroseconds: Int64
    ) async throws(EventLogError) -> [Int64] {
        let topic = try await resolve(topic)
        do {
            return try await pool.read(
                """
                SELECT log.offset_at(topic, partition, $2) AS found FROM log.partitions
                WHERE topic = $1 ORDER BY partition
                """, [.int32(topic.id), .timestamp(microseconds: atMicroseconds)]
            ).map { try $0["found"] }
        } catch { throw EventLogError(error) }
    }

    public func reader(
        from start: [TopicPartition: Int64]
    ) async throws(EventLogError) -> any LogReader {
        let positions = try await resolve(start)
        return PostgresLogReader(self, positions)
    }

    public func join(
        group: String, topics: [String]
    ) async throws(EventLogError) -> any GroupMember {
        var resolved: [StoredTopic] = []
        for topic in topics { resolved.append(try await resolve(topic)) }
        let member = PostgresGroupMember(self, group: group, topics: resolved)
        do throws(EventLogError) { try await member.join() } catch {
            await member.abandon()
            throw error
        }
        return member
    }

    public func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        try await ready()
        do {
            let rows = try await pool.read(
                """
                SELECT t.name, g.partition, g.next_offset
                FROM log.group_partitions g JOIN log.topics t ON t.id = g.topic
                WHERE g.group_name = $1 AND t.name = ANY ($2) AND g.next_offset IS NOT NULL
                """, [.text(group), .textArray(topics)])
            var offsets: [TopicPartition: Int64] = [:]
            for row in rows {
                offsets[TopicPartition(try row["name"], try row["partition"])] =
                    try row["next_offset"]
            }
            return offsets
        } catch { throw EventLogError(error) }
    }

    public func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError) {
        var moves: [(topic: Int32, partition: Int32, next: Int64)] = []
        for (place, offset) in offsets {
            let topic = try await resolve(place.topic)
            moves.append((topic.id, Int32(clamping: place.partition), offset))
        }
        do {
            try await pool.query(
                "SELECT log.move_group($1, $2, $3, $4, $5)",
                [
                    .text(group), .int32Array(moves.map(\.topic)),
                    .int32Array(moves.map(\.partition)), .int64Array(moves.map(\.next)),
                    .int64(settings.sessionMicroseconds),
                ])
        } catch { throw EventLogError(error) }
    }

    public func close() async {
        let maintenance = life.withLock { life in
            life.isClosed = true
            defer { life.maintenance = nil }
            return life.maintenance
        }
        maintenance?.cancel()
        await queue.closeAndWait()
        await maintenance?.value
        await heartbeats.close()
        await bell.repeatNotifications(through: pool)
        bell.close()
        await pool.close()
    }

    /// Runs retention, compaction and the creation of the coming days' tables now. If another
    /// process is doing this, it waits for that process first.
    public func maintain() async throws(EventLogError) { _ = try await maintain(waiting: true) }

    private func maintain(waiting: Bool) async throws(EventLogError) -> MaintenancePass {
        try await ready()
        do { return try await LogMaintenance(settings).run(waiting: waiting) } catch {
            throw EventLogError(error)
        }
    }

    /// Returns when the log is open and its schema is up to date.
    func ready() async throws(EventLogError) {
        guard !life.withLock({ $0.isClosed }) else {
            throw EventLogError(.closed, "the log is closed")
        }
        try await gate.pass()
    }

    /// How often readers ask the database for records of which they got no notification.
    var pollInterval: Duration {
        bell.isReliable ? settings.quietPollInterval : settings.pollInterval
    }

    /// Whether a reader that was woken by nothing for so long may report that there is nothing,
    /// without asking the database. A shorter wait is a question for the present end.
    func mayRely(after wait: Duration) -> Bool { wait >= settings.pollInterval && bell.isReliable }

    func resolve(_ name: String) async throws(EventLogError) -> StoredTopic {
        try await ready()
        return try await directory.topic(name, pool)
    }

    private func startMaintenance() {
        guard let interval = settings.maintenanceInterval else { return }
        let task = Task { [weak self, settings, notices] in
            var retry = Retry(of: "Keeping the log's retention and compaction", notices: notices)
            var turn = MaintenanceTurn(patience: settings.maintenancePatience, notices: notices)
            while !Task.isCancelled {
                // The next pass finds whatever this one leaves undone.
                do throws(EventLogError) {
                    if let pass = try await self?.maintain(waiting: false) { turn.passed(pass) }
                    retry.ended()
                } catch  where !Task.isCancelled && error.code != .closed {
                    retry.failed(error)
                    turn.failed(error)
                } catch {}
                try? await Task.sleep(for: interval)
            }
        }
        life.withLock { $0.maintenance = task }
    }

    // MARK: Appending

    /// The request's pieces. Nil when a topic has not been looked up yet. A refusal ends the
    /// request and throws nothing.
    private func pieces(
        of records: [LogRecord], _ request: AppendRequest
    ) -> Result<[AppendPiece], EventLogError>? {
        var pieces: [PartitionKey: AppendPiece] = [:]
        for record in records {
            guard let topic = directory.known(record.topic) else { return nil }
            do throws(EventLogError) {
                let key = try topic.partition(for: record)
                pieces[key, default: AppendPiece(partition: key, records: [], request: request)]
                    .records.append(record)
            } catch { return .failure(error) }
        }
        return .success(Array(pieces.values))
    }

    private func enqueue(
        _ pieces: Result<[AppendPiece], EventLogError>, _ request: AppendRequest
    ) {
        switch pieces {
        case .success(let pieces) where pieces.isEmpty:
            completeElsewhere { request.finishPiece(nil) }
        case .success(let pieces):
            request.split(into: pieces.count)
            queue.add(pieces)
        case .failure(let error): completeElsewhere { request.finishPiece(error) }
        }
    }

    private func resolveWaiting() async {
        while let next = unresolved.withLock({ $0.requests.first }) {
            var failure: EventLogError?
            for name in Set(next.records.map(\.topic)) {
                do { _ = try await resolve(name) } catch { failure = error }
            }
            let isDone = unresolved.withLock { state in
                if let failure {
                    completeElsewhere { next.request.finishPiece(failure) }
                } else if let pieces = pieces(of: next.records, next.request) {
                    enqueue(pieces, next.request)
                } else {
                    // `createTopics` forgot the topic in between, so it is looked up again.
                    return false
                }
                state.requests.removeFirst()
                if state.requests.isEmpty { state.isResolving = false }
                return state.requests.isEmpty
            }
            if isDone { return }
        }
    }

    /// Runs a completion on another thread, where it can't meet locks that the caller holds.
    private func completeElsewhere(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: body)
    }
}
