import EventLog
import Glibc
import Kafka

/// Updates the settings of existing topics and reports the changes. Blocks.
///
/// librdkafka 2.0.2 can only replace all of a topic's own settings (AlterConfigs). So they are read
/// first and sent together with ours, and other people's settings stay.
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
                // Another process has just created the topic, and this broker will know it in a
                // moment.
                throw EventLogError(.unavailable, "not every broker knows each topic yet: \(error)")
            }
            guard KafkaError.Code.notAuthorized.contains(error.code) else {
                throw EventLogError(error)
            }
            complaints.once(
                """
                Kafka: this process may not read the settings of topics, so a changed retention \
                does not reach existing topics: \(error). \(TopicPreparation.advice)
                """)
        }
    }

    /// Warns if the loss of one machine could lose acknowledged records. With a single broker there
    /// is nothing to warn about.
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
            brokers before topics are created, and reassign existing topics.
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
                Kafka: \(topic): \(differences.joined(separator: ", ")). This process may not \
                change it. \(TopicPreparation.advice)
                """)
        }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            complaints.report(
                "Kafka: \(name) of \(topic) was \(present.effective[name] ?? "unknown"); it is "
                    + "\(value) from now on, as the settings say.")
        }
    }

    /// Gives the topics these settings, and waits until the broker asked shows them everywhere.
    func set(_ wanted: [String: [String: String]]) throws(EventLogError) {
        var waiting = wanted.keys.sorted()
        let deadline = ContinuousClock.now + KafkaAdministration.wait
        var isAsked = false
        while true {
            let present = try asLogErrors { () throws(KafkaError) in
                try administrator.topicSettings(waiting, KafkaAdministration.wait)
            }
            waiting.removeAll { topic in
                let known = present[topic]?.effective ?? [:]
                return wanted[topic]?.allSatisfy { known[$0] == $1 } ?? true
            }
            if waiting.isEmpty { break }
            guard ContinuousClock.now < deadline else {
                throw EventLogError(.unavailable, "the settings of \(waiting[0]) are not known yet")
            }
            for topic in waiting where !isAsked {
                let settings = (present[topic]?.own ?? [:]).merging(wanted[topic] ?? [:]) { $1 }
                try asLogErrors { () throws(KafkaError) in
                    try administrator.replaceTopicSettings(
                        of: topic, with: settings, KafkaAdministration.wait)
                }
            }
            isAsked = true
            usleep(50_000)
        }
        // The other brokers learn of it by themselves, within milliseconds.
        usleep(500_000)
    }
}
