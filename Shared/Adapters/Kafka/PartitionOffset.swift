import CKafka

/// A place in the log: a topic's partition and an offset in it.
public struct PartitionOffset: Hashable, Sendable {
    public var topic: String
    public var partition: Int
    public var offset: Int64

    public init(topic: String, partition: Int, offset: Int64) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
    }

    /// In place of an offset: from the first record that is there.
    public static let beginning = Int64(RD_KAFKA_OFFSET_BEGINNING)
    /// In place of an offset: none is known.
    public static let none = Int64(RD_KAFKA_OFFSET_INVALID)
}

/// Owns librdkafka's list of partitions during one call.
struct PartitionList: ~Copyable {
    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    init(_ partitions: [PartitionOffset]) {
        guard let list = rd_kafka_topic_partition_list_new(Int32(partitions.count)) else {
            preconditionFailure("librdkafka ends the process itself when memory runs out")
        }
        pointer = list
        for place in partitions {
            let entry = rd_kafka_topic_partition_list_add(
                list, place.topic, Int32(place.partition))
            entry?.pointee.offset = place.offset
        }
    }

    deinit { rd_kafka_topic_partition_list_destroy(pointer) }

    /// The entries; throws the first one's error, if any has one.
    func offsets() throws(KafkaError) -> [PartitionOffset] {
        for entry in Self.entries(pointer) { try KafkaError.check(entry.err) }
        return Self.read(pointer)
    }

    static func read(
        _ list: UnsafePointer<rd_kafka_topic_partition_list_t>
    ) -> [PartitionOffset] {
        entries(list).map {
            PartitionOffset(
                topic: String(cString: $0.topic), partition: Int($0.partition), offset: $0.offset)
        }
    }

    static func entries(
        _ list: UnsafePointer<rd_kafka_topic_partition_list_t>
    ) -> UnsafeBufferPointer<rd_kafka_topic_partition_t> {
        UnsafeBufferPointer(start: list.pointee.elems, count: Int(list.pointee.cnt))
    }
}
