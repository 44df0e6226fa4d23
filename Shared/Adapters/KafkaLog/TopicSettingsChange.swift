import EventLog
import Kafka

/// Brings the settings of topics that are there up to what is asked for, and says what it changed.
/// Blocks.
///
/// librdkafka 2.0.2 has only the request that replaces all of a topic's own settings (AlterConfigs),
/// so they are asked for first and sent with ours: what others have set stays.
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
                try apply(TopicSettings(topic), to: topic.name, settings)
            }
        } catch {
            guard KafkaError.Code.notAuthorized.contains(error.code) else {
                throw EventLogError(error)
            }
            complaints.tell(
                """
                Kafka: this process may not look at or change the settings of topics, so a changed \
                retention does not reach those that are there: \(error)
                """)
        }
    }

    private func apply(
        _ wanted: TopicSettings, to topic: String, _ present: Administrator.TopicSettings
    ) throws(KafkaError) {
        let changes = wanted.changes(to: present.effective)
        guard !changes.isEmpty else { return }
        try administrator.replaceTopicSettings(
            of: topic, with: present.own.merging(changes) { $1 }, KafkaAdministration.wait)
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            complaints.tell(
                "Kafka: \(name) of \(topic) was \(present.effective[name] ?? "unknown"); it is "
                    + "\(value) from now on, as the settings say.")
        }
    }
}
