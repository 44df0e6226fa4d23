import CKafka
import Synchronization

/// Counts the delivery reports of a batch of messages and calls back once all have come.
///
/// Safe to share: the count is atomic, the failure is behind a lock.
public final class Delivery: Sendable {
    /// A message that was not acknowledged.
    public struct Failure: Error, Hashable, Sendable {
        public var error: KafkaError
        /// Whether the message may be in the log in spite of the error.
        public var mayBePersisted: Bool
    }

    private let remaining: Atomic<Int>
    private let failure = Mutex<Failure?>(nil)
    private let completion: @Sendable (Failure?) -> Void

    /// - Parameters:
    ///   - count: the number of messages, at least one.
    ///   - completion: gets the gravest failure, if any. It runs on the thread that polls the
    ///     producer, or on the producing thread if the producer refuses the last message.
    public init(of count: Int, completion: @escaping @Sendable (Failure?) -> Void) {
        precondition(count > 0, "a delivery has messages")
        remaining = Atomic(count)
        self.completion = completion
    }

    /// Counts messages that the producer refused.
    public func refused(_ count: Int, _ error: KafkaError) {
        finish(count, Failure(error: error, mayBePersisted: false))
    }

    /// Counts the delivery report of one message.
    func reported(_ message: UnsafePointer<rd_kafka_message_t>) {
        guard message.pointee.err != RD_KAFKA_RESP_ERR_NO_ERROR else { return finish(1, nil) }
        let status = rd_kafka_message_status(message)
        finish(
            1,
            Failure(
                error: KafkaError(message.pointee.err),
                mayBePersisted: status != RD_KAFKA_MSG_STATUS_NOT_PERSISTED))
    }

    private func finish(_ count: Int, _ outcome: Failure?) {
        if let outcome {
            failure.withLock { known in
                // A message that may be in the log is graver than one that certainly is not.
                if known == nil || (outcome.mayBePersisted && known?.mayBePersisted == false) {
                    known = outcome
                }
            }
        }
        let left = remaining.subtract(count, ordering: .acquiringAndReleasing).newValue
        if left == 0 { completion(failure.withLock { $0 }) }
    }
}
