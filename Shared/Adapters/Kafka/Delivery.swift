import CKafka
import Synchronization

/// Counts the delivery reports of messages that belong together and calls back once at the end.
///
/// Safe to share: the count is atomic, the failure is behind a lock.
public final class Delivery: Sendable {
    /// One message that was not acknowledged.
    public struct Failure: Error, Hashable, Sendable {
        public var error: KafkaError
        /// The message may be in the log in spite of the error.
        public var mayBePersisted: Bool
    }

    private let remaining: Atomic<Int>
    private let failure = Mutex<Failure?>(nil)
    private let completion: @Sendable (Failure?) -> Void

    /// - Parameters:
    ///   - count: how many messages there are, at least one.
    ///   - completion: called on the thread that polls the producer, or on the producing thread if
    ///     the last message is refused there. It gets the gravest failure.
    public init(of count: Int, completion: @escaping @Sendable (Failure?) -> Void) {
        precondition(count > 0, "a delivery has messages")
        remaining = Atomic(count)
        self.completion = completion
    }

    /// Tells of messages that the producer did not take.
    public func refused(_ count: Int, _ error: KafkaError) {
        finish(count, Failure(error: error, mayBePersisted: false))
    }

    /// Takes the report of one message.
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
                // "It may be there" outweighs "it is not there".
                if known == nil || (outcome.mayBePersisted && known?.mayBePersisted == false) {
                    known = outcome
                }
            }
        }
        let left = remaining.subtract(count, ordering: .acquiringAndReleasing).newValue
        if left == 0 { completion(failure.withLock { $0 }) }
    }
}
