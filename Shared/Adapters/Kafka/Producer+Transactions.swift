import CKafka

/// Transactions. One thread makes these calls, and every call blocks.
extension Producer {
    /// Called once, before the first transaction. It ends the open transaction of an earlier
    /// producer with the same id and fences that producer.
    public func initializeTransactions(_ wait: Duration) throws(KafkaError) {
        try KafkaError.check(rd_kafka_init_transactions(handle.pointer, wait.milliseconds))
    }

    public func beginTransaction() throws(KafkaError) {
        try KafkaError.check(rd_kafka_begin_transaction(handle.pointer))
    }

    /// Adds the group's offsets to the transaction (KIP-447).
    public func sendOffsets(
        _ offsets: [PartitionOffset], of group: GroupMetadata, _ wait: Duration
    ) throws(KafkaError) {
        let list = PartitionList(offsets)
        let error = rd_kafka_send_offsets_to_transaction(
            handle.pointer, list.pointer, group.pointer, wait.milliseconds)
        try KafkaError.check(error)
    }

    /// Waits for the messages and commits. After a retriable error the caller calls it again, and
    /// it continues where it was. The outcome is unknown until it returns or throws another error.
    public func commitTransaction(_ wait: Duration) throws(KafkaError) {
        try KafkaError.check(rd_kafka_commit_transaction(handle.pointer, wait.milliseconds))
    }

    public func abortTransaction(_ wait: Duration) throws(KafkaError) {
        try KafkaError.check(rd_kafka_abort_transaction(handle.pointer, wait.milliseconds))
    }
}

/// A consumer's membership in its group at one moment. The brokers refuse offsets with an earlier
/// one.
public final class GroupMetadata {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Metadata without a member, for which the brokers accept offsets unchecked. Exactly-once work
    /// needs a member's metadata.
    public convenience init(ofNobodyIn group: String) {
        guard let pointer = rd_kafka_consumer_group_metadata_new(group) else {
            preconditionFailure("librdkafka ends the process itself when memory runs out")
        }
        self.init(pointer)
    }

    deinit { rd_kafka_consumer_group_metadata_destroy(pointer) }

    /// Whether both are of one generation of the group, and of one member.
    public func isSame(as other: GroupMetadata) -> Bool { bytes == other.bytes }

    private var bytes: [UInt8] {
        var buffer: UnsafeMutableRawPointer?
        var size = 0
        guard let error = rd_kafka_consumer_group_metadata_write(pointer, &buffer, &size) else {
            defer { rd_kafka_mem_free(nil, buffer) }
            return Array(UnsafeRawBufferPointer(start: buffer, count: size))
        }
        let reason = String(cString: rd_kafka_error_string(error))
        preconditionFailure("librdkafka can't write the metadata of a group: \(reason)")
    }
}
