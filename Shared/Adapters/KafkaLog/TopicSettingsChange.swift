import EventLog
import Kafka

/// Brings the settings of topics that are there up to what is asked for, and says what it changed.
/// Blocks.
///
/// librdkafka 2.0.2 has only the request that replaces all of a topic's own settings
/// (AlterConfigs), so they are asked for first and sent with ours: what others have set stays.
struct TopicSettingsChange {
    let administrator: Administrator
    let complaints: Complaints

    func apply(to topics: [TopicSpecification]) throws(EventLogError) {
        guard !topics.isEmpty else { return }
        do throws(KafkaError) {
            let present = try administrator.topicSettings(
                topics.map(\.name), KafkaAdministration.wait)
            for topic in topics {
                guard let settings = present[topic.name] else { continue }
                if topic == topics.first { try lookAtReplication(of: topic.name, settings) }
                try apply(TopicSettings(topic), to: topic.name, settings)
            }
        } catch {
            guard !KafkaError.Code.unknownTopic.contains(error.code) else {
                // Another process has just made the topic, and the broker that was asked hears of
                // it in a moment.
                throw EventLogError(.unavailable, "not every broker knows each topic yet: \(error)")
            }
            guard KafkaError.Code.notAuthorized.contains(error.code) else {
                throw EventLogError(error)
            }
            complaints.once(
                """
                Kafka: this process may not look at the settings of topics, so a changed retention \
                does not reach those that are there: \(error). \(TopicPreparation.advice)
                """)
        }
    }

    /// With several brokers the loss of one machine must lose nothing that was acknowledged. With
    /// one there is nothing to be done.
    private func lookAtReplication(
        of topic: String, _ settings: Administrator.TopicSettings
    ) throws(KafkaError) {
        let found = try administrator.replication(of: topic, KafkaAdministration.wait)
        let inSync = settings.effective["min.insync.replicas"].flatMap(Int.init) ?? 1
        guard found.brokers > 1, found.replicas < 3 || inSync < 2 else { return }
        complaints.once(
            """
            Kafka: \(topic) has \(found.replicas) replicas, of which \(inSync) must have a record \
            before it is acknowledged: the loss of one machine may lose what was acknowledged, or \
            stop all writing. Set default.replication.factor=3 and min.insync.replicas=2 on the \
            brokers before topics are made, and reassign those that are there.
            """)
    }

    private func apply(
        _ wanted: TopicSettings, to topic: String, _ present: Administrator.TopicSettings
    ) throws(KafkaError) {
        let changes = wanted.changes(to: present.effective)
        guard !changes.isEmpty else { return }
        do throws(KafkaError) {
            try administrator.replaceTopicSettings(
                of: topic, with: present.own.merging(changes) { $1 }, KafkaAdministration.wait)
        } catch {
            guard KafkaError.Code.notAuthorized.contains(error.code) else { throw error }
            let differences = changes.sorted { $0.key < $1.key }.map { name, value in
                "\(name) is \(present.effective[name] ?? "unknown") and should be \(value)"
            }
            return complaints.once(
                """
                Kafka: of \(topic) \(differences.joined(separator: ", ")), and this process may not \
                change it. \(TopicPreparation.advice)
                """)
        }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            complaints.report(
                "Kafka: \(name) of \(topic) was \(present.effective[name] ?? "unknown"); it is "
                    + "\(value) from now on, as the settings say.")
        }
    }
}
