import EventLog
import Glibc
import Kafka

/// Makes topics that are missing, and brings those that are there up to what is asked for. Blocks.
struct TopicPreparation {
    let administrator: Administrator
    let complaints: Complaints

    func prepare(_ topics: [TopicSpecification]) throws(EventLogError) {
        var existing: [TopicSpecification] = []
        for topic in topics {
            if try make(topic) { continue }
            existing.append(topic)
        }
        try TopicSettingsChange(administrator: administrator, complaints: complaints)
            .apply(to: existing)
    }

    /// False when it was there already.
    private func make(_ topic: TopicSpecification) throws(EventLogError) -> Bool {
        var count = try existingPartitionCount(of: topic.name)
        let isMissing = count == nil
        if isMissing {
            try create(topic)
        }
        let deadline = ContinuousClock.now + KafkaAdministration.wait
        // The brokers tell each other of a new topic after they have answered.
        while count == nil, ContinuousClock.now < deadline {
            usleep(20_000)
            count = try existingPartitionCount(of: topic.name)
        }
        guard let count else {
            throw EventLogError(.unavailable, "\(topic.name) was made and is not there yet")
        }
        guard count == topic.partitions else {
            throw EventLogError(
                .partitionMismatch,
                "\(topic.name) has \(count) partitions and not \(topic.partitions)")
        }
        return isMissing
    }

    private func create(_ topic: TopicSpecification) throws(EventLogError) {
        do throws(KafkaError) {
            _ = try administrator.createTopic(
                topic.name, partitions: topic.partitions,
                configuration: TopicSettings(topic).values, KafkaAdministration.wait)
        } catch {
            guard KafkaError.Code.notAuthorized.contains(error.code) else {
                throw EventLogError(error)
            }
            // Somebody who may will make it, so this is waited for.
            throw EventLogError(
                .unavailable,
                "\(topic.name) is not there, and this process may not make it. \(Self.advice)")
        }
    }

    /// For who meets a topic that this process may not mend.
    static let advice = "Run `whereabouts topics`, with the same settings, as somebody who may."

    private func existingPartitionCount(of topic: String) throws(EventLogError) -> Int? {
        do throws(EventLogError) {
            return try administrator.partitions(of: topic)
        } catch {
            guard error.code == .unknownTopic else { throw error }
            return nil
        }
    }
}
