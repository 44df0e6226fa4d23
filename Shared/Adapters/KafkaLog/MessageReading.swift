import EventLog
import Kafka

/// Converts messages to stored records. It keeps each topic's name, so that the string is made only
/// once.
struct MessageReading {
    private var lastTopic = ""

    mutating func record(_ message: borrowing ConsumedMessage) -> StoredRecord {
        if !message.isOfTopic(lastTopic) { lastTopic = message.topic }
        var headers = LogHeaders()
        var size = 0
        message.forEachHeader { size += LogHeaders.size(name: $0.count, value: $1.count) }
        headers.reserveCapacity(size)
        message.forEachHeader { name, value in headers.append(name: name, value: value) }
        return StoredRecord(
            topic: lastTopic, partition: message.partition, offset: message.offset,
            appendedAtMicroseconds: message.timestampMilliseconds * 1000,
            key: message.withKey { [UInt8]($0) }, value: message.withValue { [UInt8]($0) },
            headers: headers)
    }
}
