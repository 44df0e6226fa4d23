import CKafka
import Synchronization

/// Owns one `rd_kafka_t` and the state that its callbacks need.
///
/// Safe to share: librdkafka's handles are thread-safe. The callback state is set before the handle
/// exists. Later only callbacks change it, on the thread that polls.
final class ClientHandle: @unchecked Sendable {
    /// The state that callbacks reach through librdkafka's opaque pointer.
    final class CallbackState {
        let observer: KafkaObserver
        /// Reports a rebalance of the group, on the thread that polls the consumer.
        var onRebalance: ((_ code: rd_kafka_resp_err_t, _ partitions: [PartitionOffset]) -> Void)?

        init(observer: KafkaObserver) { self.observer = observer }

        static func from(_ opaque: UnsafeMutableRawPointer?) -> CallbackState? {
            // Unretained, because the handle keeps the state until after `rd_kafka_destroy`.
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
            // `rd_kafka_new` takes ownership of the configuration only when it succeeds.
            rd_kafka_conf_destroy(configuration)
            throw KafkaError(RD_KAFKA_RESP_ERR__INVALID_ARG, string(text))
        }
        pointer = made
    }

    /// Never destroys the client: its threads and memory stay until the process ends.
    func abandon() {
        guard !isAbandoned.exchange(true, ordering: .relaxed) else { return }
        // Retained for ever, for callbacks that still come.
        _ = Unmanaged.passRetained(callbacks)
    }

    deinit {
        if isAbandoned.load(ordering: .relaxed) { return }
        // This does not close a consumer. Closing involves the brokers, so it has a call of its
        // own.
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

    /// The error that made the client unusable. Nil if there was none.
    static func fatalError(of client: OpaquePointer) -> KafkaError? {
        var text = [CChar](repeating: 0, count: 512)
        let code = rd_kafka_fatal_error(client, &text, text.count)
        guard code != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return KafkaError(code: .init(code), reason: string(text), isFatal: true)
    }
}

/// The text in a zero-terminated buffer that C filled.
func string(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension Duration {
    /// The duration in whole milliseconds, at least zero, for librdkafka's time-outs.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        let value = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, value))
    }
}
