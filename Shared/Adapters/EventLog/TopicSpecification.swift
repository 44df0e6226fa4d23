/// The settings that a topic is created with. The number of partitions can never change later.
public struct TopicSpecification: Hashable, Sendable {
    public enum Cleanup: Hashable, Sendable {
        /// Records are kept for this long after they were appended.
        case delete(after: Duration)
        /// The newest record of each key is kept for ever; a tombstone removes the key.
        case compact
        /// Everything is kept.
        case forever
    }

    public var name: String
    public var partitions: Int
    public var cleanup: Cleanup
    /// The limit for one record in bytes: key, value and headers together.
    public var maximumRecordBytes: Int
    /// Whether records are on disk, and not only in the memory of brokers, before they are
    /// acknowledged.
    public var isFlushed: Bool
    /// The longest time until a compacted topic has lost what newer records replace; nil for the
    /// log's own.
    public var longestCompactionLag: Duration?

    /// How long a compacted topic keeps what newer records replace. A backup reads it as of one
    /// moment meanwhile; nil where no backup does.
    public var shortestCompactionLag: Duration?

    public init(
        name: String, partitions: Int, cleanup: Cleanup, maximumRecordBytes: Int = 1_000_000,
        isFlushed: Bool = false, longestCompactionLag: Duration? = nil,
        shortestCompactionLag: Duration? = nil
    ) {
        self.name = name
        self.partitions = partitions
        self.cleanup = cleanup
        self.maximumRecordBytes = maximumRecordBytes
        self.isFlushed = isFlushed
        self.longestCompactionLag = longestCompactionLag
        self.shortestCompactionLag = shortestCompactionLag
    }
}

public struct TopicPartition: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let topic: String
    public let partition: Int

    public init(_ topic: String, _ partition: Int) {
        self.topic = topic
        self.partition = partition
    }

    public var description: String { "\(topic)/\(partition)" }

    public static func < (left: Self, right: Self) -> Bool {
        (left.topic, left.partition) < (right.topic, right.partition)
    }
}
