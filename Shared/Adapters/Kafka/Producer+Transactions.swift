import CKafka

/// Transactions. One thread drives them; every call blocks.
extension Producer {
    /// Once, before the first transaction: ends what an earlier producer of this id left open and
    /// fences it.
    public func initializeTransactions(_ wait: Duration) throws(KafkaError) {
        try KafkaError.check(rd_kafka_init_transactions(handle.pointer, wait.milliseconds))
    }

    public func beginTransaction() throws(KafkaError) {
        try KafkaError.check(rd_kafka_begin_transaction(handle.pointer))
    }

    /// Makes the group's offsets part of the transaction (KIP-447).
    public func sendOffsets(
        _ offsets: [PartitionOffset], of group: GroupMetadata, _ wait: Duration
    ) throws(KafkaError) {
        let list = PartitionList(offsets)
        let error = rd_kafka_send_offsets_to_transaction(
            handle.pointer, list.pointer, group.pointer, wait.milliseconds)
        try KafkaError.check(error)
    }

    /// Waits for the messages and commits. After a retriable error the same call goes on where it
    /// was; the outcome stays unknown until it returns or throws another.
    public func commitTransaction(_ wait: Duration) throws(KafkaError) {
        try KafkaError.check(rd_kafka_commit_transaction(handle.pointer, wait.milliseconds))
    }

    public func abortTransaction(_ wait: Duration) throws(KafkaError) {
        try KafkaError.check(rd_kafka_abort_transaction(handle.pointer, wait.milliseconds))
    }
}

/// Who a consumer is in its group at one moment: the brokers refuse offsets of an earlier moment.
public final class GroupMetadata {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// Nobody's in the group: the brokers take offsets with it unseen. Work that must be done once
    /// needs a member's.
    public convenience init(ofNobodyIn group: String) {
        guard let pointer = rd_kafka_consumer_group_metadata_new(group) else {
            preconditionFailure("librdkafka ends the process itself when memory runs out")
        }
        self.init(pointer)
    }

    deinit { rd_kafka_consumer_group_metadata_destroy(pointer) }
}
