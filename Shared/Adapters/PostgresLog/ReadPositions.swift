import EventLog
import Postgres

/// A reader's offset in each of its partitions, and the way it reads on.
struct ReadPositions: Sendable {
    private struct Position {
        var next: Int64
        /// Records before this time have been read, as far as known. The server can then skip the
        /// tables of past days.
        var readUntil: Int64 = PostgresLogSettings.beforeAll
        /// Whether the log was found to hold `next`, or to end there.
        var isChecked = false
    }
    private var topics: [Int32: StoredTopic] = [:]
    private var positions: [PartitionKey: Position] = [:]
    private(set) var partitions: [PartitionKey] = []
    /// Rotates the order at each read, so that no partition waits behind a busy one for ever.
    private var turn = 0
    /// The time of the last query for all partitions. Nil when the next read must query all.
    private var askedAllAt: ContinuousClock.Instant?
    /// The server's timeline at the first query.
    private var timeline: String?
    /// Whether the database was restored to an earlier state since. Records behind these positions
    /// may then be unread.
    private(set) var isOutdated = false
    /// The partitions whose next offset is not in the log, with the error. If such errors are to be
    /// collected, the other partitions are read on. Otherwise the error is thrown.
    private(set) var apart: [PartitionKey: EventLogError] = [:]
    private let setsApart: Bool
    /// Whether the last query left out records that are there: it has a limit of records, and one
    /// of bytes.
    private var isCut = false
    /// Notifications of other processes' appends that no query has covered yet.
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

    /// Reads on and advances the positions. It uses this process's own appends while they suffice,
    /// and otherwise the database. With `insisting`, an empty result always comes from the
    /// database.
    ///
    /// Throws `offsetOutOfRange` when the next record is no longer in the log, or never was. Throws
    /// `unavailable` for good when the database lost committed records, as after a fail-over to a
    /// standby that lagged behind.
    mutating func read(
        _ maximum: Int, insisting: Bool, following log: PostgresLog, _ signal: WakeSignal,
        _ run: ([PostgresStatement]) async throws -> [PostgresRows]
    ) async throws(EventLogError) -> [StoredRecord] {
        othersNews.add(signal.resetOthersNews())
        let now = ContinuousClock.now
        let isDue = askedAllAt.map { now - $0 >= log.pollInterval } ?? true
        if !isDue, !othersNews.mayBeAnywhere {
            var records: [StoredRecord] = []
            let told = turnedPartitions().filter(othersNews.partitions.contains)
            if !told.isEmpty { records = try await ask(told, maximum, isAll: false, run) }
            othersNews = OthersNews()
            if isCut { askedAllAt = nil }
            let own = readOwn(maximum - records.count, log.bell.tail)
            if let own { records += own }
            if !records.isEmpty || own != nil && !insisting { return records }
        }
        let records = try await ask(turnedPartitions(), maximum, isAll: true, run)
        othersNews = OthersNews()
        askedAllAt = isCut ? nil : now
        return records
    }

    /// The records that this process appended itself. Nil when the database has to be asked.
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
            var isLarge = false
            for (id, rows) in zip(ids, results) {
                guard let topic = topics[id] else { continue }
                let before = records.count
                // Records that do not fit are read again at the next turn.
                for row in rows.prefix(maximum - records.count) {
                    records.append(try Self.record(row, topic))
                }
                let bytes = records[before...].reduce(0) { $0 + ($1.value?.count ?? 0) }
                isLarge = isLarge || bytes > StoredRecord.batchBytes
            }
            isCut = isLarge || records.count == maximum
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
            SELECT partition, "offset", appended_at, key, value, headers FROM (
                -- In the order of the rows, and without reading the values.
                SELECT few.*, sum(octet_length(value)) OVER (
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
                FROM (
                    SELECT r.partition, r."offset", r.appended_at, r.key, r.value, r.headers
                    FROM unnest($1, $2) w (partition, start)
                    CROSS JOIN LATERAL (
                        SELECT * FROM log.records_\(topic) r
                        WHERE r.partition = w.partition AND r."offset" >= w.start
                            AND r.appended_at >= $3
                        ORDER BY r."offset" LIMIT $4) r
                    LIMIT $4) few
            ) counted
            WHERE coalesce(bytes_before, 0) <= \(StoredRecord.batchBytes)
            """,
            [
                .int32Array(keys.map(\.partition)),
                .int64Array(keys.map { positions[$0]?.next ?? 0 }),
                .timestamp(microseconds: since ?? PostgresLogSettings.beforeAll),
                .int64(Int64(maximum)),
            ])
    }

    /// The server's timeline: the first eight digits of the current WAL file's name. A new timeline
    /// begins at a fail-over and at a restore, not at a restart.
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

    /// Checks that the log holds the positions.
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

    /// Advances beyond the records. Offsets are dense except where compaction and retention removed
    /// records. So a gap is the moment to check whether retention has overtaken the reader.
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
    /// 2000-01-01 in microseconds since 1970. This is PostgreSQL's own zero, before any record.
    static let beforeAll: Int64 = 946_684_800_000_000
}
