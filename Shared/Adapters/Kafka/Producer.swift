import CKafka
import Synchronization
import Threads

/// An idempotent or, with `transactional.id` among its settings, transactional producer.
///
/// A producer with `pollsItself` serves its delivery reports on a thread of its own. Without it,
/// they are served by `poll`, `flush` and `commitTransaction`; a transactional producer is better
/// off so, because a commit then sees each report at once.
///
/// Safe to share: the handle is thread-safe and the topics are behind a lock.
public final class Producer: @unchecked Sendable {
    /// A topic's name as librdkafka has looked it up once. It lives as long as its producer.
    public struct Topic: @unchecked Sendable {
        // Safe to share: a topic handle is thread-safe, and the producer frees it last of all.
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
                // Balances the retain in `produce`.
                let delivery = Unmanaged<Delivery>.fromOpaque(opaque).takeRetainedValue()
                delivery.reported(message)
            }
        }
        if pollsItself { startPolling() } else { pollerState.withLock { $0 = .stopped } }
    }

    deinit {
        // Whatever is still queued gets its report as purged, so that no completion is lost.
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

    /// Queues a copy of the message and returns at once; nil when it was taken.
    ///
    /// - Parameters:
    ///   - partition: nil lets the `partitioner` setting choose by key.
    ///   - value: nil is a tombstone.
    ///   - delivery: told when the message is acknowledged or given up, not when it is refused
    ///     here.
    public func produce(
        _ topic: Topic, partition: Int? = nil, key: UnsafeRawBufferPointer?,
        value: UnsafeRawBufferPointer?, headers: consuming OutgoingHeaders?, delivery: Delivery
    ) -> KafkaError? {
        var given = consume headers
        let headers = given.take()?.take()
        // The delivery report releases it.
        let retained = Unmanaged.passRetained(delivery)
        let code = kafka_shim_produce(
            handle.pointer, topic.pointer,
            partition.map { Int32(truncatingIfNeeded: $0) } ?? RD_KAFKA_PARTITION_UA,
            Self.address(key), key?.count ?? 0, Self.address(value), value?.count ?? 0, headers,
            retained.toOpaque())
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        retained.release()
        if let headers { rd_kafka_headers_destroy(headers) }
        if code == RD_KAFKA_RESP_ERR__FATAL, let fatal = fatalError { return fatal }
        return KafkaError(code)
    }

    /// What made this producer unusable, if anything did.
    public var fatalError: KafkaError? { ClientHandle.fatalError(of: handle.pointer) }

    /// Messages that are queued or in flight.
    public var outstanding: Int { Int(rd_kafka_outq_len(handle.pointer)) }

    /// Serves delivery reports and other callbacks; returns after the first ones or the wait.
    public func poll(_ wait: Duration = .zero) { rd_kafka_poll(handle.pointer, wait.milliseconds) }

    /// Waits until every message is acknowledged or given up. Blocks.
    public func flush(_ wait: Duration) throws(KafkaError) {
        try KafkaError.check(rd_kafka_flush(handle.pointer, wait.milliseconds))
    }

    /// Waits for what is queued, then gives up the rest and stops the thread. Blocks.
    public func close(wait: Duration) {
        _ = rd_kafka_flush(handle.pointer, wait.milliseconds)
        purge()
        stopPolling()
    }

    /// Gives up what is queued and in flight; its deliveries fail. Blocks until they have.
    private func purge() {
        guard outstanding > 0 else { return }
        rd_kafka_purge(handle.pointer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
        _ = rd_kafka_flush(handle.pointer, 5_000)
    }

    /// librdkafka takes a null key or value as absent, so an empty one needs some address.
    private static func address(_ bytes: UnsafeRawBufferPointer?) -> UnsafeRawPointer? {
        guard let bytes else { return nil }
        return bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
    }

    private func startPolling() {
        // The thread keeps the handle, not the producer, or neither would ever be freed.
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
