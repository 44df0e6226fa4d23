import EventLog
import Glibc
import Kafka

/// Creates missing topics and updates the settings of existing ones. Blocks.
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

    /// The changes that `prepare` would make.
    func differences(
        from topics: [TopicSpecification]
    ) throws(EventLogError) -> [TopicDifference] {
        var differences: [TopicDifference] = []
        var existing: [TopicSpecification] = []
        for topic in topics {
            guard let count = try existingPartitionCount(of: topic.name) else {
                differences.append(TopicDifference(topic.name, .missing))
                continue
            }
            existing.append(topic)
            guard count != topic.partitions else { continue }
            differences.append(
                TopicDifference(
                    topic.name, .partitions(present: count, wanted: topic.partitions)))
        }
        guard let first = existing.first else { return differences }
        let present: [String: Administrator.TopicSettings]
        do throws(KafkaError) {
            present = try administrator.topicSettings(
                existing.map(\.name), KafkaAdministration.wait)
        } catch {
            guard KafkaError.Code.notAuthorized.contains(error.code) else {
                throw EventLogError(error)
            }
            return differences + [TopicDifference(first.name, .hidden)]
        }
        for topic in existing {
            guard let effective = present[topic.name]?.effective else { continue }
            let changes = TopicSettings(topic).changes(to: effective)
            for (name, wanted) in changes.sorted(by: { $0.key < $1.key }) {
                differences.append(
                    TopicDifference(
                        topic.name,
                        .setting(
                            name: name, present: effective[name] ?? "unknown", wanted: wanted)))
            }
        }
        return differences
    }

    /// Creates the topic. Returns false when it already existed.
    private func make(_ topic: TopicSpecification) throws(EventLogError) -> Bool {
        var count = try existingPartitionCount(of: topic.name)
        let isMissing = count == nil
        if isMissing {
            try create(topic)
        }
        let deadline = ContinuousClock.now + KafkaAdministration.wait
        // The brokers notify each other of a new topic only after their answer.
        while count == nil, ContinuousClock.now < deadline {
            usleep(20_000)
            count = try existingPartitionCount(of: topic.name)
        }
        guard let count else {
            throw EventLogError(.unavailable, "\(topic.name) was created but is not visible yet")
        }
        guard count == topic.partitions else {
            throw EventLogError(
                .partitionMismatch,
                "\(topic.name) has \(count) partitions instead of \(topic.partitions)")
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
            // Retriable, because an operator with the right will create the topic.
            throw EventLogError(
                .unavailable,
                "\(topic.name) is missing, and this process may not create it. \(Self.advice)")
        }
    }

    /// The advice when this process lacks the right to create or change a topic.
    static let advice = "Run `whereabouts topics` with the same settings and an account that may."

    private func existingPartitionCount(of topic: String) throws(EventLogError) -> Int? {
        do throws(EventLogError) {
            return try administrator.partitions(of: topic)
        } catch {
            guard error.code == .unknownTopic else { throw error }
            return nil
        }
    }
}
