import EventLog
import FaultPoints
import Foundation
import Postgres

/// A group member with its partitions and its offset in each. It rejects commits for partitions
/// that it lost.
actor PostgresGroupMember: GroupMember {
    private let log: PostgresLog
    private let group: String
    private let topics: [Int32: StoredTopic]
    private let connection: PostgresConnection
    private let signal = WakeSignal()
    private var pulse: MemberPulse
    private var positions = ReadPositions(setsApart: true)
    /// The start offsets of partitions that are held back.
    private var held: [PartitionKey: Int64] = [:]
    /// The group's committed offset of each partition: when this member got it, or by its own
    /// commit since.
    private var committed: [PartitionKey: Int64?] = [:]
    private var events: [GroupPoll] = []
    private var refreshedAt: ContinuousClock.Instant?
    private var isClosed = false

    init(_ log: PostgresLog, group: String, topics: [StoredTopic]) {
        self.log = log
        self.group = group
        self.topics = Dictionary(topics.map { ($0.id, $0) }) { first, _ in first }
        connection = PostgresConnection(log.settings.database)
        pulse = MemberPulse(group: group, member: Self.newIdentity(), signal: signal)
        log.bell.subscribe(signal, toGroup: group)
    }

    /// Joins the group under a new id, so that commits under a former id stay fenced for ever.
    func join() async throws(EventLogError) {
        log.heartbeats.remove(pulse)
        let fresh = MemberPulse(group: group, member: Self.newIdentity(), signal: signal)
        try await ask(
            "SELECT log.join_group($1, $2, $3, $4)",
            [
                .text(group), .uuid(fresh.member), .int32Array(topics.keys.sorted()),
                .int64(log.settings.sessionMicroseconds),
            ])
        pulse = fresh
        refreshedAt = nil
        log.heartbeats.add(fresh)
        log.bell.wakeGroup(group)
    }

    func poll(maximum: Int, wait: Duration) async throws(EventLogError) -> GroupPoll {
        pulse.begin()
        defer { pulse.end() }
        let deadline = ContinuousClock.now + wait
        while true {
            guard !isClosed else { throw EventLogError(.closed, "the member has left") }
            try await log.ready()
            if !events.isEmpty { return events.removeFirst() }
            try await refreshIfDue()
            if !events.isEmpty { return events.removeFirst() }
            let isLast = deadline <= .now || Task.isCancelled
            let records = try await read(
                maximum, insisting: isLast && !log.mayRely(after: wait))
            if !records.isEmpty || isLast { return .records(records) }
            await signal.wait(for: min(deadline - .now, log.pollInterval))
        }
    }

    func seek(_ partition: TopicPartition, to offset: Int64) async throws(EventLogError) {
        guard let topic = topics.values.first(where: { $0.name == partition.topic }),
            let number = Int32(exactly: partition.partition),
            committed.keys.contains(PartitionKey(topic: topic.id, partition: number))
        else { throw EventLogError(.fenced, "\(partition) is not assigned") }
        held[PartitionKey(topic: topic.id, partition: number)] = nil
        positions.set(topic, number, to: offset)
    }

    func hold(
        _ partitions: [TopicPartition]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        var places: [TopicPartition: Int64] = [:]
        for place in partitions {
            guard let key = key(of: place), let offset = positions.offset(of: key) else { continue }
            held[key] = offset
            places[place] = offset
            positions.remove(key)
        }
        return places
    }

    func begin(_ partitions: [TopicPartition]) async throws(EventLogError) {
        for key in partitions.compactMap(key) {
            guard let offset = held.removeValue(forKey: key), let topic = topics[key.topic] else {
                continue
            }
            positions.set(topic, key.partition, to: offset)
        }
    }

    func hindrances() -> [Hindrance] {
        positions.apart.compactMap { key, error in name(key).map { Hindrance($0, error) } }
            .sorted { $0.partition < $1.partition }
    }

    private func key(of place: TopicPartition) -> PartitionKey? {
        guard let topic = topics.values.first(where: { $0.name == place.topic }),
            let number = Int32(exactly: place.partition)
        else { return nil }
        return PartitionKey(topic: topic.id, partition: number)
    }

    /// The partitions that this member owns, as reported to its caller.
    private var owned: [PartitionKey] {
        (positions.partitions + held.keys + positions.apart.keys).sorted()
    }

    private func name(_ key: PartitionKey) -> TopicPartition? {
        topics[key.topic].map { TopicPartition($0.name, Int(key.partition)) }
    }

    func commit(
        _ outputs: [LogRecord], next: [TopicPartition: Int64]
    ) async throws(EventLogError) {
        guard !isClosed else { throw EventLogError(.closed, "the member has left") }
        pulse.begin()
        defer { pulse.end() }
        do throws(EventLogError) {
            try await commitOrThrow(outputs, next)
        } catch {
            dropEverything()
            throw error
        }
    }

    /// Cleans up after a member that failed to join.
    func abandon() async {
        isClosed = true
        log.bell.forget(signal, partitions: [], group: group)
        await connection.close()
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        log.heartbeats.remove(pulse)
        log.bell.forget(signal, partitions: owned, group: group)
        // If this fails, the others find out after the session time-out.
        _ = try? await ask(
            "SELECT log.leave_group($1, $2, $3)",
            [.text(group), .uuid(pulse.member), .int64(log.settings.sessionMicroseconds)])
        log.bell.wakeGroup(group)
        await connection.close()
    }

    private static func newIdentity() -> [UInt8] {
        withUnsafeBytes(of: UUID().uuid) { Array($0) }
    }

    @discardableResult
    private func ask(
        _ sql: String, _ parameters: [PostgresValue]
    ) async throws(EventLogError) -> PostgresRows {
        do { return try await connection.query(sql, parameters) } catch {
            throw EventLogError(error)
        }
    }

    private func read(
        _ maximum: Int, insisting: Bool
    ) async throws(EventLogError) -> [StoredRecord] {
        guard !positions.isEmpty else { return [] }
        // Kept after a failure too: notifications of others' appends come only once.
        var reading = positions
        defer { positions = reading }
        let connection = connection
        do throws(EventLogError) {
            return try await reading.read(
                maximum, insisting: insisting, following: log, signal
            ) { try await connection.read($0) }
        } catch {
            if reading.isOutdated {
                dropEverything()
                reading = positions
            }
            throw error
        }
    }

    // MARK: Commits

    private func commitOrThrow(
        _ outputs: [LogRecord], _ next: [TopicPartition: Int64]
    ) async throws(EventLogError) {
        var moves: [(key: PartitionKey, expected: Int64?, next: Int64)] = []
        for (place, offset) in next {
            guard let topic = topics.values.first(where: { $0.name == place.topic }),
                let number = Int32(exactly: place.partition),
                let expected = committed[PartitionKey(topic: topic.id, partition: number)]
            else { throw EventLogError(.fenced, "\(place) is not assigned") }
            moves.append((PartitionKey(topic: topic.id, partition: number), expected, offset))
        }
        moves.sort { $0.key < $1.key }
        var appends = AppendStatements()
        for record in outputs {
            let key = try await log.resolve(record.topic).partition(for: record)
            appends.add(record, to: key)
        }
        let fence = fenceStatement(moves)
        let complete = appends
        let point = FaultPoint.insideTransaction
        do {
            let bell = log.bell
            try await connection.withSession { session in
                let results = try AppendWorker.run(
                    complete, before: [fence], session,
                    beforeCommit: point.isArmed ? { point.reached() } : nil)
                if !outputs.isEmpty { bell.ring(complete, results) }
            }
        } catch {
            let fault = EventLogError(error, outcomeMatters: true)
            if fault.code == .unknownOutcome, !outputs.isEmpty { log.bell.doubt(complete) }
            throw fault
        }
        for move in moves { committed[move.key] = .some(move.next) }
    }

    private func fenceStatement(
        _ moves: [(key: PartitionKey, expected: Int64?, next: Int64)]
    ) -> PostgresStatement {
        // Offsets are never negative, so -1 can stand for "nothing committed yet".
        PostgresStatement(
            "SELECT log.commit_group($1, $2, $3, $4, $5, $6)",
            [
                .text(group), .uuid(pulse.member), .int32Array(moves.map(\.key.topic)),
                .int32Array(moves.map(\.key.partition)),
                .int64Array(moves.map { $0.expected ?? -1 }), .int64Array(moves.map(\.next)),
            ])
    }

    // MARK: Assignment

    /// Drops all partitions. The next polls report them as revoked. Those that are still this
    /// member's are then assigned again, from the committed offsets.
    private func dropEverything() {
        let lost = owned.compactMap(name)
        log.bell.unsubscribe(signal, from: owned)
        positions = ReadPositions(setsApart: true)
        held = [:]
        committed = [:]
        refreshedAt = nil
        if !lost.isEmpty { events.append(.revoked(lost)) }
    }

    private func refreshIfDue() async throws(EventLogError) {
        let hasChanged = signal.resetGroupChange()
        // Each change of the group is notified, and a heartbeat reports a member that is given up.
        let interval = max(log.settings.heartbeatInterval, log.pollInterval)
        let isStale = refreshedAt.map { .now - $0 > interval } ?? true
        guard hasChanged || isStale || pulse.wasGivenUp else { return }
        do throws(EventLogError) {
            var state = try await assignment()
            if state == nil {
                dropEverything()
                try await join()
                state = try await assignment()
            }
            if let state { try await adopt(state) }
            refreshedAt = .now
        } catch {
            // The change of the group has not been handled yet.
            refreshedAt = nil
            throw error
        }
    }

    private struct Share {
        var key: PartitionKey
        var isToBeKept: Bool
        var committed: Int64?
        var start: Int64
    }

    /// The partitions that the database assigns to this member. Nil when the database has removed
    /// the member.
    private func assignment() async throws(EventLogError) -> [Share]? {
        let rows = try await ask(
            """
            SELECT g.topic, g.partition, g.target IS NOT DISTINCT FROM m.member AS kept,
                g.next_offset, p.start_offset
            FROM log.members m
            LEFT JOIN log.group_partitions g
                ON g.group_name = m.group_name AND g.owner = m.member
            LEFT JOIN log.partitions p ON p.topic = g.topic AND p.partition = g.partition
            WHERE m.group_name = $1 AND m.member = $2 ORDER BY g.topic, g.partition
            """, [.text(group), .uuid(pulse.member)])
        guard !rows.isEmpty else { return nil }
        var shares: [Share] = []
        do throws(PostgresError) {
            for row in rows {
                guard let topic: Int32 = try row["topic"] else { continue }
                shares.append(
                    Share(
                        key: PartitionKey(topic: topic, partition: try row["partition"]),
                        isToBeKept: try row["kept"], committed: try row["next_offset"],
                        start: try row["start_offset"]))
            }
        } catch { throw EventLogError(error) }
        return shares
    }

    /// Reports the difference between the held partitions and the assigned ones as events.
    private func adopt(_ shares: [Share]) async throws(EventLogError) {
        let kept = shares.filter(\.isToBeKept)
        if kept.count < shares.count {
            try await ask("SELECT log.release($1, $2)", [.text(group), .uuid(pulse.member)])
            log.bell.wakeGroup(group)
        }
        let keptKeys = Set(kept.map(\.key))
        let lost = owned.filter { !keptKeys.contains($0) }
        let lostNames = lost.compactMap(name)
        for key in lost {
            positions.remove(key)
            held[key] = nil
            committed[key] = nil
        }
        log.bell.unsubscribe(signal, from: lost)
        if !lost.isEmpty { events.append(.revoked(lostNames)) }
        var gained: [PartitionKey] = []
        for share in kept where !committed.keys.contains(share.key) {
            guard let topic = topics[share.key.topic] else { continue }
            positions.set(topic, share.key.partition, to: share.committed ?? share.start)
            committed[share.key] = .some(share.committed)
            gained.append(share.key)
        }
        log.bell.subscribe(signal, to: gained)
        if !gained.isEmpty { events.append(.assigned(gained.compactMap(name))) }
    }
}
