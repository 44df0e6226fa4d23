import Dispatch
public import EventLog
import Kafka
import Retrying
import Synchronization

/// The event log on Apache Kafka, for installations on several machines.
///
/// Appends go through one idempotent producer with `acks=all`. A group member has a consumer and a
/// transactional producer of its own, and commits outputs and offsets in one transaction. Topics
/// get the brokers' own replication factor.
public final class KafkaLog: EventLog {
    /// The brokers end an abandoned transaction after its time-out of 5 s and their own interval of
    /// 10.
    private static let longestTransaction = Duration.seconds(20)

    private let settings: KafkaLogSettings
    private let observer: KafkaObserver
    private let complaints: Complaints
    private let appender: Appender
    private let administration: KafkaAdministration
    private let limits = RecordLimits()
    private let isClosed = Mutex(false)

    /// Connects in the background. Brokers that are down or start later cause no error here.
    ///
    /// - Parameters:
    ///   - bootstrapServers: `host:port`, separated by commas.
    ///   - settings: librdkafka's own, such as `security.protocol` or `sasl.password`.
    ///   - onUnexpected: called with one sentence about a fault that answers no call. It may come
    ///     from any thread.
    ///   - onRecovery: called with one sentence when the brokers answer again after none could be
    ///     reached.
    ///   - statistics: called with librdkafka's statistics as JSON, for each client of the log,
    ///     when `statistics.interval.ms` is set.
    ///
    /// Throws `other` when librdkafka refuses the settings. The reason names the setting.
    public init(
        bootstrapServers: String, settings: [String: String] = [:],
        onUnexpected: @escaping @Sendable (String) -> Void,
        onRecovery: @escaping @Sendable (String) -> Void = { _ in },
        statistics: @escaping @Sendable (_ json: String) -> Void = { _ in }
    ) throws(EventLogError) {
        self.settings = KafkaLogSettings(bootstrapServers: bootstrapServers, user: settings)
        complaints = Complaints(onUnexpected, onRecovery: onRecovery)
        observer = complaints.observer(statistics: statistics)
        do throws(KafkaError) {
            appender = try Appender(
                settings: self.settings.appender, observer: observer,
                budget: self.settings.budget, limits: limits)
            administration = try KafkaAdministration(
                settings: self.settings, observer: observer, complaints: complaints)
        } catch {
            throw EventLogError(error)
        }
    }

    public func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await administration.createTopics(topics)
        limits.learn(topics)
    }

    public func differences(
        from topics: [TopicSpecification]
    ) async throws(EventLogError) -> [TopicDifference] {
        try await administration.differences(from: topics)
    }

    public func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await administration.partitionCount(of: topic)
    }

    public func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) {
        appender.append(records, completion: completion)
    }

    public func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        try await administration.bounds(of: topic)
    }

    public func readableEnds(of topic: String) async throws(EventLogError) -> [Int64] {
        try await administration.readableEnds(of: topic)
    }

    public func offsets(
        of topic: String, atMicroseconds: Int64
    ) async throws(EventLogError) -> [Int64] {
        try await administration.offsets(of: topic, atMicroseconds: atMicroseconds)
    }

    public func reader(
        from start: [TopicPartition: Int64]
    ) async throws(EventLogError) -> any LogReader {
        try requireOpen()
        do throws(KafkaError) {
            return try KafkaLogReader(
                settings: settings, observer: observer, start: start, complaints: complaints)
        } catch {
            throw EventLogError(error)
        }
    }

    public func join(
        group: String, topics: [String]
    ) async throws(EventLogError) -> any GroupMember {
        try requireOpen()
        // librdkafka would wait silently for a missing topic.
        for topic in topics { _ = try await partitionCount(of: topic) }
        do throws(KafkaError) {
            return try KafkaGroupMember(
                group: group, topics: topics, settings: settings, observer: observer,
                limits: limits, complaints: complaints)
        } catch {
            throw EventLogError(error)
        }
    }

    public func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        let deadline = ContinuousClock.now + Self.longestTransaction
        var pause = GrowingPause(from: .milliseconds(10), to: .milliseconds(500))
        while true {
            let committed = try await administration.committed(
                group: group, topics: topics, isWaitingForPending: true)
            if let committed { return committed }
            guard ContinuousClock.now < deadline, !Task.isCancelled else {
                throw EventLogError(.unavailable, "a transaction on \(group) does not end")
            }
            try? await Task.sleep(for: pause.next())
        }
    }

    public func lastCommitted(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        try await administration.committed(
            group: group, topics: topics, isWaitingForPending: false) ?? [:]
    }

    public func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError) {
        try await administration.moveGroup(group, to: offsets)
    }

    public func close() async {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        let appender = appender
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "kafka-log-close").async {
                appender.close(wait: .milliseconds(KafkaLogSettings.deliveryTimeoutMilliseconds))
                continuation.resume()
            }
        }
        administration.close()
    }

    private func requireOpen() throws(EventLogError) {
        if isClosed.withLock({ $0 }) { throw .closed("the log") }
    }
}

extension KafkaLog: RestorableLog {
    /// The topics that a backup reads as of one moment have a `min.compaction.lag.ms` of a day.
    public func holdCompaction() async throws(EventLogError) -> any CompactionHold {
        NoCompactionForADay()
    }

    /// Topics keep the time of the append. While a backup is restored they keep the records' own
    /// times instead, by which Kafka then deletes and seeks as before.
    public func beginRestoring(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await administration.set(
            Dictionary(
                topics.map { ($0.name, TopicSettings($0).whileRestoring) }, uniquingKeysWith: { $1 }
            ))
    }

    public func restore(_ records: [RestoredRecord]) async throws(EventLogError) {
        let outcome = await withCheckedContinuation { continuation in
            appender.append(
                records.map(\.record), at: records.map { $0.appendedAtMicroseconds / 1_000 }
            ) { continuation.resume(returning: $0) }
        }
        try outcome.get()
    }

    public func endRestoring(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await administration.set(
            Dictionary(
                topics.map { ($0.name, TopicSettings($0).afterRestoring) }, uniquingKeysWith: { $1 }
            ))
    }
}

private struct NoCompactionForADay: CompactionHold {
    private let until = ContinuousClock.now + .seconds(23 * 3_600)

    func check() async throws(EventLogError) {
        guard .now < until else {
            throw EventLogError(.unavailable, "Kafka keeps replaced records for a day only")
        }
    }

    func end() async {}
}
