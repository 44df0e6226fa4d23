import EventLog
import Kafka
import Synchronization

/// Questions to the brokers, asked on a few threads, so that one that gets no answer for long holds
/// up no other.
final class KafkaAdministration: Sendable {
    /// How long one answer may take.
    static let wait = Duration.seconds(10)
    private static let laneCount = 3

    /// The clients that ask. All of them are thread-safe.
    private struct Clients: Sendable {
        /// Sees the records of open transactions.
        let whole: Administrator
        /// Sees what readers see.
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

    func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await ask { administrator throws(EventLogError) in
            try administrator.partitions(of: topic)
        }
    }

    /// The end is the high watermark: an open transaction's records count as there. So a reader
    /// that has come to the end has seen what a former owner of its work left behind, whichever of
    /// that owner's partitions the brokers finish first.
    ///
    /// Which end the brokers tell hangs on the isolation level of who asks, and librdkafka's is
    /// `read_committed` where nothing else is set (`rd_kafka_make_ListOffsetsRequest`).
    func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        try await ask { administrator throws(EventLogError) in
            let starts = try administrator.offsets(of: topic, at: Administrator.earliest)
            let ends = try administrator.offsets(of: topic, at: Administrator.latest)
            return zip(starts, ends).map { PartitionBounds(start: $0, end: $1) }
        }
    }

    /// The last stable offsets.
    func readableEnds(of topic: String) async throws(EventLogError) -> [Int64] {
        try await ask(readable: true) { administrator throws(EventLogError) in
            try administrator.offsets(of: topic, at: Administrator.latest)
        }
    }

    func offsets(
        of topic: String, atMicroseconds: Int64
    ) async throws(EventLogError) -> [Int64] {
        // Kafka keeps milliseconds; a time between two of them asks for the later.
        let (whole, rest) = max(0, atMicroseconds).quotientAndRemainder(dividingBy: 1000)
        return try await ask(readable: true) { administrator throws(EventLogError) in
            let found = try administrator.offsets(of: topic, at: rest > 0 ? whole + 1 : whole)
            guard found.contains(where: { $0 < 0 }) else { return found }
            let ends = try administrator.offsets(of: topic, at: Administrator.latest)
            return zip(found, ends).map { $0 < 0 ? $1 : $0 }
        }
    }

    /// Nil while a transaction on the group's offsets is pending, if that is to be heeded.
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
                // Waits until the group's coordinator is known, which a commit does not.
                _ = try client.committed(places, Self.wait)
                try client.move(to: places)
            }
        }
    }

    /// A client asks for one group only, and is kept: there are as many groups as kinds of work.
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

    /// - Parameter time: in milliseconds since 1970, or `earliest` or `latest`.
    func offsets(of topic: String, at time: Int64) throws(EventLogError) -> [Int64] {
        let count = try partitions(of: topic)
        return try asLogErrors { () throws(KafkaError) in
            try offsets(
                of: topic, partitions: count, atMilliseconds: time, KafkaAdministration.wait)
        }
    }
}
