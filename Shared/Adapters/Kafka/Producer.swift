import CKafka
import Synchronization
import Threads

/// An idempotent or, with `transactional.id` among its settings, transactional producer.
///
/// With `pollsItself` the producer serves its delivery reports on a thread of its own. Otherwise
/// `poll`, `flush` and `commitTransaction` serve them. That suits a transactional producer better,
/// because a commit then sees each report at once.
///
/// Safe to share: the handle is thread-safe and a lock guards the topics.
public final class Producer: @unchecked Sendable {
    /// A topic's handle, which librdkafka looked up once. It lives as long as its producer.
    public struct Topic: @unchecked Sendable {
        // Safe to share: a topic handle is thread-safe, and the producer frees it last.
        fileprivate let pointer: OpaquePointer
    }

    let handle: ClientHandle
    private let topics = Mutex<[String: Topic]>([:])
    private let pollerState = Mutex(PollerState.running)

    private enum PollerState { case running, stopping, stopped }

    public init(
        settings: [String: String], observer: KafkaObserver = KafkaObserver(),
        pollsItself: Bool = true
    ) throws(KafkaError) {
        handle = try ClientHandle(
            RD_KAFKA_PRODUCER, settings: settings, observer: observer
        ) { configuration in
            rd_kafka_conf_set_dr_msg_cb(configuration) { _, message, _ in
                guard let message, let opaque = message.pointee._private else { return }
                // Releases the reference that `produce` retained.
                let delivery = Unmanaged<Delivery>.fromOpaque(opaque).takeRetainedValue()
                delivery.reported(message)
            }
        }
        if pollsItself { startPolling() } else { pollerState.withLock { $0 = .stopped } }
    }

    deinit {
        // Queued messages get a report as purged, so that every completion is called.
        purge()
        topics.withLock { for topic in $0.values { rd_kafka_topic_destroy(topic.pointer) } }
    }

    public func topic(_ name: String) throws(KafkaError) -> Topic {
        let found = topics.withLock { topics -> Topic? in
            if let topic = topics[name] { return topic }
            guard let made = rd_kafka_topic_new(handle.pointer, name, nil) else { return nil }
            let topic = Topic(pointer: made)
            topics[name] = topic
            return topic
        }
        guard let found else { throw KafkaError(rd_kafka_last_error()) }
        return found
    }

    /// Queues a copy of the message and returns at once. Returns nil on success, or an error.
    ///
    /// - Parameters:
    ///   - partition: nil lets the `partitioner` setting choose by key.
    ///   - value: nil is a tombstone.
    ///   - timestampMilliseconds: the message's own time since 1970; 0 for the present.
    ///   - delivery: gets the message's report, acknowledged or failed. It gets none if this call
    ///     refuses the message.
    public func produce(
        _ topic: Topic, partition: Int? = nil, key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?, timestampMilliseconds: Int64 = 0,
        headers: consuming OutgoingHeaders?, delivery: Delivery
    ) -> KafkaError? {
        var given = consume headers
        let headers = given.take()?.release()
        // The callback of the delivery report releases this reference.
        let retained = Unmanaged.passRetained(delivery)
        let code = kafka_shim_produce(
            handle.pointer, topic.pointer,
            partition.map { Int32(truncatingIfNeeded: $0) } ?? RD_KAFKA_PARTITION_UA,
            Self.address(key), key?.count ?? 0, Self.address(value), value?.count ?? 0,
            timestampMilliseconds, headers, retained.toOpaque())
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        retained.release()
        if let headers { rd_kafka_headers_destroy(headers) }
        if code == RD_KAFKA_RESP_ERR__FATAL, let fatal = fatalError { return fatal }
        return KafkaError(code)
    }

    /// The error that made this producer unusable. Nil if there was none.
    public var fatalError: KafkaError? { ClientHandle.fatalError(of: handle.pointer) }

    /// The number of messages that are queued or in flight.
    public var outstanding: Int { Int(rd_kafka_outq_len(handle.pointer)) }

    /// Serves delivery reports and other callbacks. Returns after the first ones or after the wait.
    public func poll(_ wait: Duration = .zero) { rd_kafka_poll(handle.pointer, wait.milliseconds) }

    /// Waits until every message is acknowledged or has failed. Blocks.
    public func flush(_ wait: Duration) throws(KafkaError) {
        try KafkaError.check(rd_kafka_flush(handle.pointer, wait.milliseconds))
    }

    /// Waits for queued messages, fails the remaining ones and stops the thread. Blocks.
    public func close(wait: Duration) {
        _ = rd_kafka_flush(handle.pointer, wait.milliseconds)
        purge()
        stopPolling()
    }

    /// Fails all messages that are queued or in flight. Blocks until they have their reports.
    private func purge() {
        guard outstanding > 0 else { return }
        rd_kafka_purge(handle.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
        _ = rd_kafka_flush(handle.pointer, 5_000)
    }

    /// An address for the bytes, even for empty ones, since librdkafka treats a null key or value
    /// as absent.
    private static func address(_ bytes: UnsafeRawBufferPointer?) -> UnsafeRawPointer? {
        guard let bytes else { return nil }
        return bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
    }

    private func startPolling() {
        // The thread keeps the handle but not the producer, or neither would ever be freed.
        startThread(named: "kafka-producer") { [handle, weak self] in
            while true {
                rd_kafka_poll(handle.pointer, 1_000)
                guard let self else { return }
                let isStopping = self.pollerState.withLock { state in
                    if state == .stopping { state = .stopped }
                    return state == .stopped
                }
                if isStopping { return }
            }
        }
    }

    private func stopPolling() {
        pollerState.withLock { if $0 == .running { $0 = .stopping } }
        let queue = rd_kafka_queue_get_main(handle.pointer)
        rd_kafka_queue_yield(queue)
        rd_kafka_queue_destroy(queue)
    }
}
