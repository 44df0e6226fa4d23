import EventLog

/// What a topic is made with, in Kafka's own words.
struct TopicSettings {
    /// Batches carry some bytes beside the records, and several small records share one.
    private static let smallestBatchLimit = 1_100_000

    /// Only closed segments are compacted or dropped, so segments are closed in time for it.
    let values: [String: String]

    init(_ topic: TopicSpecification) {
        let batch = max(topic.maximumRecordBytes + 10_000, Self.smallestBatchLimit)
        var values = [
            "message.timestamp.type": "LogAppendTime", "max.message.bytes": "\(batch)",
            "retention.ms": "-1", "retention.bytes": "-1", "cleanup.policy": "delete",
        ]
        switch topic.cleanup {
        case .forever: break
        case .compact:
            values["cleanup.policy"] = "compact"
            values["segment.ms"] = "3600000"
            values["segment.bytes"] = "67108864"
        case .delete(let after):
            let milliseconds = max(1, after.components.seconds * 1000)
            values["retention.ms"] = "\(milliseconds)"
            values["segment.ms"] = "\(min(max(milliseconds / 10, 10_000), 604_800_000))"
        }
        if topic.isFlushed { values["flush.messages"] = "1" }
        self.values = values
    }

    /// What is to be set on a topic that is there, as far as it differs. The rest is the brokers'
    /// and their administrators' business: who has raised a limit keeps it raised.
    func changes(to present: [String: String]) -> [String: String] {
        let ours = ["retention.ms", "cleanup.policy", "flush.messages"]
        var changes = values.filter { ours.contains($0.key) && present[$0.key] != $0.value }
        if changes["retention.ms"] != nil, let segment = values["segment.ms"] {
            changes["segment.ms"] = segment
        }
        let limit = "max.message.bytes"
        if let wanted = values[limit].flatMap(Int.init),
            let found = present[limit].flatMap(Int.init), found < wanted
        {
            changes[limit] = "\(wanted)"
        }
        return changes
    }
}
