/// A record to be appended to the log.
public struct LogRecord: Hashable, Sendable {
    public var topic: String
    /// The partition. Nil lets the key choose: murmur2, as in the Java clients
    /// (`partition(forKey:of:)`).
    public var partition: Int?
    public var key: [UInt8]
    /// The value. Nil is a tombstone: it removes the key from a compacted topic.
    public var value: [UInt8]?
    public var headers: LogHeaders

    public init(
        topic: String, partition: Int? = nil, key: [UInt8], value: [UInt8]?,
        headers: LogHeaders = LogHeaders()
    ) {
        self.topic = topic
        self.partition = partition
        self.key = key
        self.value = value
        self.headers = headers
    }

    public var byteCount: Int { key.count + (value?.count ?? 0) + headers.encoded.count }
}

/// A record read from the log. Another program may have written it, so the key may be absent.
public struct StoredRecord: Hashable, Sendable {
    public var topic: String
    public var partition: Int
    public var offset: Int64
    /// LogAppendTime, microseconds since 1970.
    public var appendedAtMicroseconds: Int64
    public var key: [UInt8]?
    public var value: [UInt8]?
    public var headers: LogHeaders

    public init(
        topic: String, partition: Int, offset: Int64, appendedAtMicroseconds: Int64, key: [UInt8]?,
        value: [UInt8]?, headers: LogHeaders
    ) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.appendedAtMicroseconds = appendedAtMicroseconds
        self.key = key
        self.value = value
        self.headers = headers
    }

    /// A reader takes no further record when the values that it has read together have more bytes.
    /// So a reader's memory does not follow from the number of records alone.
    public static let batchBytes = 4_000_000

    public var byteCount: Int {
        (key?.count ?? 0) + (value?.count ?? 0) + headers.encoded.count
    }

    public var topicPartition: TopicPartition { TopicPartition(topic, partition) }
}
