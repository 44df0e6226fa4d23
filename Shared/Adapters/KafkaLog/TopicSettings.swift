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
            if let lag = topic.shortestCompactionLag {
                values["min.compaction.lag.ms"] = "\(lag.components.seconds * 1_000)"
            }
        case .delete(let after):
            let milliseconds = max(1, after.components.seconds * 1000)
            values["retention.ms"] = "\(milliseconds)"
            values["segment.ms"] = "\(min(max(milliseconds / 10, 10_000), 604_800_000))"
        }
        if topic.isFlushed { values["flush.messages"] = "1" }
        self.values = values
    }

    private static let endlessSegments = "\(Int64.max)"

    /// The settings while a backup is restored. Records keep their own times. By these, a compacted
    /// topic would close a segment for each hour of the years that it holds. Topics that are
    /// deleted by age keep their few segments, since only a whole one can be deleted.
    var whileRestoring: [String: String] {
        var changed = ["message.timestamp.type": "CreateTime"]
        if isCompacted { changed["segment.ms"] = Self.endlessSegments }
        return changed
    }

    /// The same settings as they were before.
    var afterRestoring: [String: String] {
        values.filter { whileRestoring.keys.contains($0.key) }
    }

    private var isCompacted: Bool { values["cleanup.policy"] == "compact" }

    /// The settings to change on an existing topic. All others are left to the brokers and their
    /// administrators; a limit that somebody raised stays raised.
    func changes(to present: [String: String]) -> [String: String] {
        // A restore that was interrupted leaves topics with the other time and endless segments.
        let ours = [
            "retention.ms", "cleanup.policy", "flush.messages", "max.compaction.lag.ms",
            "min.compaction.lag.ms", "message.timestamp.type",
        ]
        var changes = values.filter { ours.contains($0.key) && present[$0.key] != $0.value }
        if changes["retention.ms"] != nil || changes["cleanup.policy"] != nil {
            for name in ["segment.ms", "segment.bytes"] { changes[name] = values[name] }
        }
        if isCompacted, present["segment.ms"] == Self.endlessSegments {
            changes["segment.ms"] = values["segment.ms"]
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
