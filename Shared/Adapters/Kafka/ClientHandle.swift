import CKafka
import Synchronization

/// Owns one `rd_kafka_t` and what its callbacks need.
///
/// Safe to share: librdkafka's handles are thread-safe, and the callback state is only set before
/// the handle is made, or by callbacks that run on the thread that polls.
final class ClientHandle: @unchecked Sendable {
    /// What the callbacks see through librdkafka's opaque pointer.
    final class CallbackState {
        let observer: KafkaObserver
        /// Called by the rebalance callback, on the thread that polls the consumer.
        var onRebalance: ((_ code: rd_kafka_resp_err_t, _ partitions: [PartitionOffset]) -> Void)?

        init(observer: KafkaObserver) { self.observer = observer }

        static func from(_ opaque: UnsafeMutableRawPointer?) -> CallbackState? {
            // Unretained: the handle keeps the state until after rd_kafka_destroy.
            opaque.map { Unmanaged<CallbackState>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    let pointer: OpaquePointer
    let callbacks: CallbackState
    private let isAbandoned = Atomic(false)

    /// - Parameter prepare: sets further callbacks on the configuration.
    init(
        _ type: rd_kafka_type_t, settings: [String: String], observer: KafkaObserver,
        prepare: (OpaquePointer) -> Void = { _ in }
    ) throws(KafkaError) {
        callbacks = CallbackState(observer: observer)
        guard let configuration = rd_kafka_conf_new() else {
            throw KafkaError(RD_KAFKA_RESP_ERR__CRIT_SYS_RESOURCE)
        }
        var text = [CChar](repeating: 0, count: 512)
        for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
            let result = rd_kafka_conf_set(configuration, name, value, &text, text.count)
            guard result == RD_KAFKA_CONF_OK else {
                rd_kafka_conf_destroy(configuration)
                throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, string(text))
            }
        }
        rd_kafka_conf_set_opaque(configuration, Unmanaged.passUnretained(callbacks).toOpaque())
        Self.setObserverCallbacks(configuration)
        prepare(configuration)
        guard let made = rd_kafka_new(type, configuration, &text, text.count) else {
            // Only a successful rd_kafka_new takes the configuration over.
            rd_kafka_conf_destroy(configuration)
            throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, string(text))
        }
        pointer = made
    }

    /// The client is never destroyed: its threads and memory stay until the process ends.
    func abandon() {
        guard !isAbandoned.exchange(true, ordering: .relaxed) else { return }
        // For callbacks that still come; never released.
        _ = Unmanaged.passRetained(callbacks)
    }

    deinit {
        if isAbandoned.load(ordering: .relaxed) { return }
        // Without closing a consumer: that is a conversation with the brokers and has its own call.
        rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
    }

    private static func setObserverCallbacks(_ configuration: OpaquePointer) {
        rd_kafka_conf_set_log_cb(configuration) { client, level, _, message in
            guard let client, let message,
                let state = CallbackState.from(rd_kafka_opaque(client))
            else { return }
            state.observer.log(Int(level), String(cString: message))
        }
        rd_kafka_conf_set_error_cb(configuration) { client, code, reason, opaque in
            guard let state = CallbackState.from(opaque) else { return }
            let code = rd_kafka_resp_err_t(code)
            var error = KafkaError(code, reason.map { String(cString: $0) })
            if code == RD_KAFKA_RESP_ERR__FATAL, let client {
                error = ClientHandle.fatalError(of: client) ?? error
            }
            state.observer.error(error)
        }
        rd_kafka_conf_set_stats_cb(configuration) { _, json, length, opaque in
            guard let json, let state = CallbackState.from(opaque) else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: json, count: length)
            state.observer.statistics(String(decoding: bytes, as: UTF8.self))
            return 0
        }
    }

    /// What made the client unusable, if anything did.
    static func fatalError(of client: OpaquePointer) -> KafkaError? {
        var text = [CChar](repeating: 0, count: 512)
        let code = rd_kafka_fatal_error(client, &text, text.count)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return KafkaError(code: .init(code), reason: string(text), isFatal: true)
    }
}

/// The text in a buffer that C filled and ended with zero.
func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension Duration {
    /// Whole milliseconds, at least zero, as librdkafka's time-outs are.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        let value = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, value))
    }
}
