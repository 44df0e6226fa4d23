import EventLog

/// The settings of a topic, under Kafka's own names.
struct TopicSettings {
    /// The smallest batch limit in bytes. A batch has some bytes beside its records, and holds
    /// several small records.
    private static let smallestBatchLimit = 1_100_000

    /// Kafka compacts or deletes only closed segments, so `segment.ms` closes segments in time.
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
            if let lag = topic.longestCompactionLag {
                values["max.compaction.lag.ms"] = "\(lag.components.seconds * 1_000)"
            }
        case .delete(let after):
            let milliseconds = max(1, after.components.seconds * 1000)
            values["retention.ms"] = "\(milliseconds)"
            values["segment.ms"] = "\(min(max(milliseconds / 10, 10_000), 604_800_000))"
        }
        if topic.isFlushed { values["flush.messages"] = "1" }
        self.values = values
    }

    /// The settings to change on an existing topic. All others are left to the brokers and their
    /// administrators; a limit that somebody raised stays raised.
    func changes(to present: [String: String]) -> [String: String] {
        // A restore that was interrupted leaves topics with the other time.
        let ours = [
            "retention.ms", "cleanup.policy", "flush.messages", "max.compaction.lag.ms",
            "message.timestamp.type",
        ]
        var changes = values.filter { ours.contains($0.key) && present[$0.key] != $0.value }
        if changes["retention.ms"] != nil || changes["cleanup.policy"] != nil {
            for name in ["segment.ms", "segment.bytes"] { changes[name] = values[name] }
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
