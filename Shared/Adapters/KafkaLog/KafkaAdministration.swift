import EventLog
import Glibc
import Kafka
import Synchronization

/// Sends administration requests to the brokers on several threads, so that one slow answer delays
/// no other request.
final class KafkaAdministration: Sendable {
    /// The time limit for one answer.
    static let wait = Duration.seconds(10)
    /// How long a partition may be without a leader that knows it.
    static let leaderWait = Duration.seconds(5)
    private static let laneCount = 3

    /// The clients for the requests. All of them are thread-safe.
    private struct Clients: Sendable {
        /// A client that also sees records of open transactions.
        let whole: Administrator
        /// A client that sees only the records that readers get.
        let readable: Administrator
        var groups: [GroupView: GroupOffsets] = [:]
    }

    private struct GroupView: Hashable {
        var group: String
        var isWaitingForPending: Bool
    }

    private let settings: KafkaLogSettings
    private let observer: KafkaObserver
    private let complaints: Complaints
    private let clients: Mutex<Clients?>
    private let lanes = (0..<laneCount).map { _ in AdministrationLane() }

    init(
        settings: KafkaLogSettings, observer: KafkaObserver, complaints: Complaints
    ) throws(KafkaError) {
        self.settings = settings
        self.observer = observer
        self.complaints = complaints
        let whole = try Administrator(settings: settings.administrator, observer: observer)
        let readable = try Administrator(
            settings: settings.readableAdministrator, observer: observer)
        clients = Mutex(Clients(whole: whole, readable: readable))
    }

    func close() { clients.withLock { $0 = nil } }

    func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await ask { [complaints] administrator throws(EventLogError) in
            try TopicPreparation(administrator: administrator, complaints: complaints)
                .prepare(topics)
        }
    }

    func differences(
        from topics: [TopicSpecification]
    ) async throws(EventLogError) -> [TopicDifference] {
        try await ask { [complaints] administrator throws(EventLogError) in
            try TopicPreparation(administrator: administrator, complaints: complaints)
                .differences(from: topics)
        }
    }

    func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await ask { administrator throws(EventLogError) in
            try administrator.partitions(of: topic)
        }
    }

    /// The first offset and the end of each partition. The end is the high watermark, so records of
    /// open transactions count. A reader that reaches it has seen everything a former owner left,
    /// whichever partition the brokers finish first.
    ///
    /// The answer depends on the client's isolation level. librdkafka's default is `read_committed`
    /// (`rd_kafka_make_ListOffsetsRequest`).
    func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        try await ask { administrator throws(EventLogError) in
            let starts = try administrator.offsets(of: topic, at: Administrator.earliest)
            let ends = try administrator.offsets(of: topic, at: Administrator.latest)
            return zip(starts, ends).map { PartitionBounds(start: $0, end: $1) }
        }
    }

    /// The last stable offset of each partition.
    func readableEnds(of topic: String) async throws(EventLogError) -> [Int64] {
        try await ask(readable: true) { administrator throws(EventLogError) in
            try administrator.offsets(of: topic, at: Administrator.latest)
        }
    }

    func offsets(
        of topic: String, atMicroseconds: Int64
    ) async throws(EventLogError) -> [Int64] {
        // Kafka stores milliseconds, so a time between two milliseconds is rounded up.
        let (whole, rest) = max(0, atMicroseconds).quotientAndRemainder(dividingBy: 1000)
        return try await ask(readable: true) { administrator throws(EventLogError) in
            let found = try administrator.offsets(of: topic, at: rest > 0 ? whole + 1 : whole)
            guard found.contains(where: { $0 < 0 }) else { return found }
            let ends = try administrator.offsets(of: topic, at: Administrator.latest)
            return zip(found, ends).map { $0 < 0 ? $1 : $0 }
        }
    }

    /// The group's committed offsets. With `isWaitingForPending`, nil while a transaction on them
    /// is open.
    func committed(
        group: String, topics: [String], isWaitingForPending: Bool
    ) async throws(EventLogError) -> [TopicPartition: Int64]? {
        let offsets = try client(of: group, isWaitingForPending: isWaitingForPending)
        return try await ask { administrator throws(EventLogError) in
            var places: [PartitionOffset] = []
            for topic in topics {
                for partition in 0..<(try administrator.partitions(of: topic)) {
                    places.append(
                        PartitionOffset(
                            topic: topic, partition: partition, offset: PartitionOffset.none))
                }
            }
            let answer = try asLogErrors { () throws(KafkaError) in
                try offsets.committed(places, Self.wait)
            }
            guard answer.pending.isEmpty else { return nil }
            var result: [TopicPartition: Int64] = [:]
            for place in answer.known where place.offset >= 0 {
                result[TopicPartition(place.topic, place.partition)] = place.offset
            }
            return result
        }
    }

    func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError) {
        let client = try client(of: group, isWaitingForPending: false)
        let places = offsets.map {
            PartitionOffset(topic: $0.topic, partition: $0.partition, offset: $1)
        }
        try await ask { _ throws(EventLogError) in
            try asLogErrors { () throws(KafkaError) in
                // Waits until the group's coordinator is known, which a commit does not do.
                _ = try client.committed(places, Self.wait)
                try client.move(to: places)
            }
        }
    }

    /// Gives topics these settings, and waits until the brokers know them.
    func set(_ settings: [String: [String: String]]) async throws(EventLogError) {
        try await ask { [complaints] administrator throws(EventLogError) in
            try TopicSettingsChange(administrator: administrator, complaints: complaints)
                .set(settings)
        }
    }

    /// The client for one group. It is kept, since there are only as many groups as kinds of work.
    private func client(
        of group: String, isWaitingForPending: Bool
    ) throws(EventLogError) -> GroupOffsets {
        let view = GroupView(group: group, isWaitingForPending: isWaitingForPending)
        let known = clients.withLock { $0?.groups[view] }
        if let known { return known }
        let made = try asLogErrors { () throws(KafkaError) in
            try GroupOffsets(
                settings: settings.offsets(of: group, isWaitingForPending: isWaitingForPending),
                observer: observer)
        }
        return clients.withLock { clients in
            if let other = clients?.groups[view] { return other }
            clients?.groups[view] = made
            return made
        }
    }

    private func ask<Answer: Sendable>(
        readable: Bool = false,
        _ question: @Sendable (Administrator) throws(EventLogError) -> Answer
    ) async throws(EventLogError) -> Answer {
        let administrator = clients.withLock { readable ? $0?.readable : $0?.whole }
        guard let administrator else { throw .closed("the log") }
        guard let lane = lanes.min(by: { $0.load < $1.load }) else {
            preconditionFailure("there are lanes")
        }
        let began = ContinuousClock.now
        let answer = try await lane.ask { () throws(EventLogError) in
            try question(administrator)
        }
        complaints.answered(sinceAsking: began)
        return answer
    }
}

extension Administrator {
    func partitions(of topic: String) throws(EventLogError) -> Int {
        try asLogErrors { () throws(KafkaError) in
            try partitionCount(of: topic, KafkaAdministration.wait)
        }
    }

    /// A partition that is new, or has moved, is asked for again for a while: librdkafka does not
    /// do that for this request. Nor does it where its own list of partitions is older than the
    /// count, which a broker has just told.
    ///
    /// - Parameter time: milliseconds since 1970, or `earliest` or `latest`.
    func offsets(of topic: String, at time: Int64) throws(EventLogError) -> [Int64] {
        let count = try partitions(of: topic)
        return try asLogErrors { () throws(KafkaError) in
            let deadline = ContinuousClock.now + KafkaAdministration.leaderWait
            while true {
                do throws(KafkaError) {
                    return try offsets(
                        of: topic, partitions: count, atMilliseconds: time,
                        KafkaAdministration.wait)
                } catch {
                    guard KafkaError.Code.notThereYet.contains(error.code), .now < deadline
                    else { throw error }
                    usleep(100_000)
                }
            }
        }
    }
}
