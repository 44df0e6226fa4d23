import CKafka
import Glibc

/// A place in the log: a topic's partition and an offset in it.
public struct PartitionOffset: Hashable, Sendable {
    public var topic: String
    public var partition: Int
    public var offset: Int64
    /// The note that a committer stored beside the offset. Nil when there is none.
    public var metadata: String?

    public init(topic: String, partition: Int, offset: Int64, metadata: String? = nil) {
        self.topic = topic
        self.partition = partition
        self.offset = offset
        self.metadata = metadata
    }

    /// Instead of an offset: the first record in the log.
    public static let beginning = Int64(RD_KAFKA_OFFSET_BEGINNING)
    /// Instead of an offset: no offset is known.
    public static let none = Int64(RD_KAFKA_OFFSET_INVALID)
}

/// Owns librdkafka's list of partitions for the length of one call.
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
            if let metadata = place.metadata {
                // The list frees this copy with `free()`.
                entry?.pointee.metadata = UnsafeMutableRawPointer(strdup(metadata))
                entry?.pointee.metadata_size = metadata.utf8.count
            }
        }
    }

    deinit { rd_kafka_topic_partition_list_destroy(pointer) }

    /// The entries. If any entry has an error, throws the first one.
    func offsets() throws(KafkaError) -> [PartitionOffset] {
        for entry in Self.entries(pointer) { try KafkaError.check(entry.err) }
        return Self.read(pointer)
    }

    static func read(
        _ list: UnsafePointer<rd_kafka_topic_partition_list_t>
    ) -> [PartitionOffset] {
        entries(list).map {
            PartitionOffset(
                topic: String(cString: $0.topic), partition: Int($0.partition), offset: $0.offset,
                metadata: metadata(of: $0))
        }
    }

    private static func metadata(of entry: rd_kafka_topic_partition_t) -> String? {
        guard let bytes = entry.metadata, entry.metadata_size > 0 else { return nil }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: entry.metadata_size)
        return String(validating: buffer, as: UTF8.self)
    }

    static func entries(
        _ list: UnsafePointer<rd_kafka_topic_partition_list_t>
    ) -> UnsafeBufferPointer<rd_kafka_topic_partition_t> {
        UnsafeBufferPointer(start: list.pointee.elems, count: Int(list.pointee.cnt))
    }
}
