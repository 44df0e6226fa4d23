import EventLog
import Postgres

/// Where a reader stands in its partitions, and how it reads on.
struct ReadPositions: Sendable {
    private struct Position {
        var next: Int64
        /// Records before this time have been read, as far as is known: lets the server leave the
        /// tables of past days alone.
        var readUntil: Int64 = PostgresLogSettings.beforeAll
        /// The log was seen to hold `next`, or to end there.
        var isChecked = false
    }
    private var topics: [Int32: StoredTopic] = [:]
    private var positions: [PartitionKey: Position] = [:]
    /// Those that are read, in order.
    private(set) var partitions: [PartitionKey] = []
    /// Turns at each read, so that no partition waits behind a busy one for ever.
    private var turn = 0
    /// When the database was last asked about all partitions; nil when it must be asked again.
    private var askedAllAt: ContinuousClock.Instant?
    /// The server's timeline when the database was first asked.
    private var timeline: String?
    /// The database was taken back to an earlier moment since: these positions may lie behind
    /// records that were never read.
    private(set) var isOutdated = false
    /// Partitions whose next offset the log does not hold, if they are to be set apart: the others
    /// are read on. Else it is thrown.
    private(set) var apart: [PartitionKey: EventLogError] = [:]
    private let setsApart: Bool
    /// Heard of, and not asked about yet.
    private var othersNews = OthersNews()

    init(setsApart: Bool = false) { self.setsApart = setsApart }

    var offsets: [TopicPartition: Int64] {
        var offsets: [TopicPartition: Int64] = [:]
        for (key, position) in positions {
            if let place = name(key) { offsets[place] = position.next }
        }
        return offsets
    }
    var isEmpty: Bool { positions.isEmpty }

    mutating func set(_ topic: StoredTopic, _ partition: Int32, to offset: Int64) {
        topics[topic.id] = topic
        let key = PartitionKey(topic: topic.id, partition: partition)
        if positions.updateValue(Position(next: offset), forKey: key) == nil {
            partitions = positions.keys.sorted()
        }
        apart[key] = nil
        askedAllAt = nil
    }

    mutating func remove(_ partition: PartitionKey) {
        leave(partition)
        apart[partition] = nil
    }

    private mutating func leave(_ partition: PartitionKey) {
        positions[partition] = nil
        partitions.removeAll { $0 == partition }
    }

    func offset(of partition: PartitionKey) -> Int64? { positions[partition]?.next }

    func name(_ key: PartitionKey) -> TopicPartition? {
        topics[key.topic].map { TopicPartition($0.name, Int(key.partition)) }
    }

    /// Reads on and moves the positions: from what this process has appended itself while that is
    /// enough, else from the database. With `insisting`, it is not said that there is nothing
    /// without the database being asked. Throws `offsetOutOfRange` when what should come next is
    /// not in the log any more, or never was, and `unavailable` for good when the database forgot
    /// what it had committed: after a fail-over to a standby that was behind, say.
    mutating func read(
        _ maximum: Int, insisting: Bool, following log: PostgresLog, _ signal: WakeSignal,
        _ run: ([PostgresStatement]) async throws -> [PostgresRows]
    ) async throws(EventLogError) -> [StoredRecord] {
        othersNews.add(signal.takeOthersNews())
        let now = ContinuousClock.now
        let isDue = askedAllAt.map { now - $0 >= log.settings.pollInterval } ?? true
        if !isDue, !othersNews.mayBeAnywhere {
            var records: [StoredRecord] = []
            let told = turnedPartitions().filter(othersNews.partitions.contains)
            if !told.isEmpty { records = try await ask(told, maximum, isAll: false, run) }
            othersNews = OthersNews()
            // As many as were wanted: there may be more.
            if records.count == maximum { askedAllAt = nil }
            let own = readOwn(maximum - records.count, log.bell.tail)
            if let own { records += own }
            if !records.isEmpty || own != nil && !insisting { return records }
        }
        let records = try await ask(turnedPartitions(), maximum, isAll: true, run)
        othersNews = OthersNews()
        askedAllAt = records.count < maximum ? now : nil
        return records
    }

    /// Nil when the database has to be asked.
    private mutating func readOwn(_ maximum: Int, _ tail: LogTail) -> [StoredRecord]? {
        let order = turnedPartitions()
        guard
            let found = tail.records(
                of: order, from: { positions[$0]?.next ?? 0 }, maximum: maximum)
        else { return nil }
        for (partition, records) in found {
            guard let last = records.last, var position = positions[partition] else { continue }
            position.next = last.offset + 1
            position.readUntil = last.appendedAtMicroseconds
            positions[partition] = position
        }
        return found.flatMap(\.records)
    }

    private mutating func ask(
        _ order: [PartitionKey], _ maximum: Int, isAll: Bool,
        _ run: ([PostgresStatement]) async throws -> [PostgresRows]
    ) async throws(EventLogError) -> [StoredRecord] {
        var wanted: [Int32: [PartitionKey]] = [:]
        for key in order { wanted[key.topic, default: []].append(key) }
        var ids: [Int32] = []
        for key in order where !ids.contains(key.topic) { ids.append(key.topic) }
        let unchecked = order.filter { positions[$0]?.isChecked == false }
        do {
            var statements = ids.map { statement($0, wanted[$0] ?? [], maximum) }
            if !unchecked.isEmpty { statements.append(Self.boundsStatement(unchecked)) }
            if isAll { statements.append(Self.timelineStatement) }
            let results = try await run(statements)
            if isAll, let rows = results.last { try checkTimeline(rows) }
            if !unchecked.isEmpty { try check(results[ids.count], mayBeAhead: false) }
            var records: [StoredRecord] = []
            for (id, rows) in zip(ids, results) {
                guard let topic = topics[id] else { continue }
                // What does not fit is read again at the next turn.
                for row in rows.prefix(maximum - records.count) {
                    records.append(try Self.record(row, topic))
                }
            }
            try await advance(over: records, run)
            guard !apart.isEmpty else { return records }
            let unread = Set(apart.keys.compactMap(name))
            return records.filter { !unread.contains($0.topicPartition) }
        } catch { throw EventLogError(error) }
    }

    private mutating func turnedPartitions() -> [PartitionKey] {
        guard !partitions.isEmpty else { return [] }
        turn += 1
        let first = turn % partitions.count
        return Array(partitions[first...]) + partitions[..<first]
    }

    private func statement(
        _ topic: Int32, _ keys: [PartitionKey], _ maximum: Int
    ) -> PostgresStatement {
        let since = keys.compactMap { positions[$0]?.readUntil }.min()
        return PostgresStatement(
            """
            SELECT r.partition, r."offset", r.appended_at, r.key, r.value, r.headers
            FROM unnest($1, $2) w (partition, start)
            CROSS JOIN LATERAL (
                SELECT * FROM log.records_\(topic) r
                WHERE r.partition = w.partition AND r."offset" >= w.start AND r.appended_at >= $3
                ORDER BY r."offset" LIMIT $4) r
            LIMIT $4
            """,
            [
                .int32Array(keys.map(\.partition)),
                .int64Array(keys.map { positions[$0]?.next ?? 0 }),
                .timestamp(microseconds: since ?? PostgresLogSettings.beforeAll),
                .int64(Int64(maximum)),
            ])
    }

    /// The first eight digits of a file of the server's journal are its timeline: a new one begins
    /// when a standby takes over and when a backup is restored, and not when a server starts again.
    private static let timelineStatement = PostgresStatement(
        "SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline")

    private mutating func checkTimeline(_ rows: PostgresRows) throws {
        let now: String = try rows[0]["timeline"]
        let first = timeline ?? now
        timeline = first
        guard now != first else { return }
        isOutdated = true
        throw EventLogError(
            .unavailable,
            """
            the database has gone over from timeline \(first) to \(now), and may have forgotten \
            records: reading begins anew
            """)
    }

    private static func boundsStatement(_ keys: [PartitionKey]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT p.topic, p.partition, p.start_offset, p.next_offset
            FROM log.partitions p JOIN unnest($1, $2) w (topic, partition)
                ON p.topic = w.topic AND p.partition = w.partition
            """, [.int32Array(keys.map(\.topic)), .int32Array(keys.map(\.partition))])
    }

    /// Compares positions with what the log holds.
    private mutating func check(_ bounds: PostgresRows, mayBeAhead: Bool) throws {
        for row in bounds {
            let key = PartitionKey(topic: try row["topic"], partition: try row["partition"])
            let start: Int64 = try row["start_offset"]
            let end: Int64 = try row["next_offset"]
            guard let next = positions[key]?.next else { continue }
            guard next >= start, next <= end || mayBeAhead else {
                let place = name(key)?.description ?? ""
                let error = EventLogError(
                    .offsetOutOfRange, "\(place) holds \(start)..<\(end), not \(next)")
                guard setsApart else { throw error }
                apart[key] = error
                leave(key)
                continue
            }
            positions[key]?.isChecked = true
        }
    }

    /// Moves behind the records. Offsets are dense but for what compaction and retention took, so a
    /// gap is the moment to ask whether retention has outrun us.
    private mutating func advance(
        over records: [StoredRecord],
        _ run: ([PostgresStatement]) async throws -> [PostgresRows]
    ) async throws {
        var moved = positions
        var gaps: Set<PartitionKey> = []
        let ids = Dictionary(topics.values.map { ($0.name, $0) }) { first, _ in first }
        for record in records {
            guard let topic = ids[record.topic] else { continue }
            let key = PartitionKey(topic: topic.id, partition: Int32(record.partition))
            guard var position = moved[key] else { continue }
            precondition(record.offset >= position.next, "records of a partition come in order")
            if record.offset > position.next, !topic.isCompacted { gaps.insert(key) }
            position.next = record.offset + 1
            position.readUntil = record.appendedAtMicroseconds
            moved[key] = position
        }
        if !gaps.isEmpty {
            let statement = Self.boundsStatement(gaps.sorted())
            if let rows = try await run([statement]).first { try check(rows, mayBeAhead: true) }
            for key in gaps { moved[key]?.isChecked = true }
            for key in apart.keys { moved[key] = nil }
        }
        positions = moved
    }

    private static func record(
        _ row: PostgresRow, _ topic: StoredTopic
    ) throws(PostgresError) -> StoredRecord {
        StoredRecord(
            topic: topic.name, partition: try row[0], offset: try row[1],
            appendedAtMicroseconds: try row[2], key: try row[3], value: try row[4],
            headers: LogHeaders(encoded: try row[5]) ?? LogHeaders())
    }
}

extension PostgresLogSettings {
    /// 2000-01-01 in microseconds since 1970: PostgreSQL's own zero, before any record.
    static let beforeAll: Int64 = 946_684_800_000_000
}
