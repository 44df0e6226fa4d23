import CMosquitto
import Glibc

/// One connection to a broker by libmosquitto, which one thread drives.
///
/// libmosquitto acknowledges a message of QoS 1 by itself, as soon as it has read it. But told that
/// the program has threads of its own, it only queues what it sends, until `mosquitto_loop_write`.
/// So `run` writes nothing while a message waits for its delivery: the acknowledgement follows it.
final class MQTTConnection {
    private let handle: OpaquePointer
    private let inbox: MQTTInbox
    private let configuration: MQTTConfiguration

    private static let isLibraryReady: Bool = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code

    init(_ configuration: MQTTConfiguration) throws(MQTTError) {
        guard Self.isLibraryReady,
            let handle = mosquitto_new(configuration.clientID, false, nil)
        else { throw MQTTError(.malformed, "libmosquitto refuses the client's id") }
        self.handle = handle
        self.configuration = configuration
        inbox = MQTTInbox(client: configuration.clientID)
        // The inbox lives as long as this object, which frees the handle.
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(inbox).toOpaque())
        setCallbacks()
        try prepare()
    }

    deinit { mosquitto_destroy(handle) }

    /// Connects, subscribes and delivers, until the stop or an error.
    ///
    /// - Parameter deliver: blocks until the messages are safe; false when they are not, which ends
    ///   the connection without an acknowledgement.
    func run(
        until stop: MQTTStop, onReady: () -> Void, deliver: (MQTTBatch) -> Bool
    ) throws(MQTTError) {
        try connect()
        var isConnected = false
        while !stop.isRequested {
            // All that was read is delivered here.
            if mosquitto_want_write(handle) { try check("write", mosquitto_loop_write(handle, 1)) }
            do throws(MQTTError) {
                if try waitForBroker(stop) { try read() }
            } catch {
                // Messages of QoS 0 that were read before would never come again.
                if let batch = inbox.removeBatch(), !deliver(batch) { return }
                throw error
            }
            if let code = inbox.connected.take() {
                try subscribe(code)
                isConnected = true
            }
            if let code = inbox.subscribed.take() {
                guard code < Self.firstFailure else {
                    throw MQTTError(.refused, "The broker refuses the subscription.")
                }
                onReady()
            }
            if let batch = inbox.removeBatch(), !deliver(batch) { return }
            try check("keep-alive", mosquitto_loop_misc(handle))
        }
        if isConnected {
            // With what acknowledges the last messages. The broker keeps the session, since it is
            // not a clean one.
            mosquitto_disconnect(handle)
            mosquitto_loop_write(handle, 1)
        }
    }

    // MARK: Connecting

    private static let firstFailure: Int32 = 128

    private func setCallbacks() {
        mosquitto_connect_callback_set(handle) { _, context, code in
            sharedInbox(context)?.connected = code
        }
        mosquitto_subscribe_callback_set(handle) { _, context, _, count, granted in
            guard count > 0, let granted else { return }
            sharedInbox(context)?.subscribed = granted[0]
        }
        mosquitto_message_callback_set(handle) { handle, context, message in
            guard let message, let inbox = sharedInbox(context) else { return }
            inbox.add(message.pointee)
            if inbox.excess != nil { stopReading(handle) }
        }
        // libmosquitto tells of a message of QoS 2 only here, until the broker releases it.
        mosquitto_log_callback_set(handle) { handle, context, _, text in
            guard let text, let inbox = sharedInbox(context), inbox.tellsOfQoS2(text) else {
                return
            }
            inbox.refuseQoS2()
            stopReading(handle)
        }
    }

    private func prepare() throws(MQTTError) {
        try check("threads", mosquitto_threaded_set(handle, true))
        // Not MQTT 5: libmosquitto 2.0 ends the process over a property that it doesn't know.
        try check(
            "protocol",
            mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V311))
        if let user = configuration.user {
            try check("user", mosquitto_username_pw_set(handle, user, configuration.password))
        }
        guard configuration.address.usesTLS else { return }
        try check("certificates", mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
        if let file = configuration.certificateFile {
            try check("certificates", mosquitto_tls_set(handle, file, nil, nil, nil, nil))
        }
    }

    private func connect() throws(MQTTError) {
        errno = 0
        try check(
            "\(configuration.address)",
            mosquitto_connect(
                handle, configuration.address.host, Int32(configuration.address.port),
                MQTTConfiguration.keepAliveSeconds))
    }

    private func subscribe(_ code: Int32) throws(MQTTError) {
        guard code == 0 else { throw refused(code) }
        try check("subscribe", mosquitto_subscribe(handle, nil, configuration.topic, 1))
    }

    /// The error of a connection that the broker refused.
    private func refused(_ code: Int32) -> MQTTError {
        let text = String(cString: mosquitto_connack_string(code))
        return MQTTError(.refused, "The broker refuses the connection: \(text)")
    }

    // MARK: Waiting and reading

    /// Waits a second at most. Returns whether there is something to read.
    private func waitForBroker(_ stop: MQTTStop) throws(MQTTError) -> Bool {
        let socket = mosquitto_socket(handle)
        guard socket >= 0 else { throw MQTTError(.unreachable, "The connection is gone.") }
        let wanted = POLLIN | (mosquitto_want_write(handle) ? POLLOUT : 0)
        var waiting = [
            pollfd(fd: socket, events: Int16(wanted), revents: 0),
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        poll(&waiting, 2, 1_000)
        return waiting[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0
    }

    /// Reads what is there, up to a full batch.
    private func read() throws(MQTTError) {
        while !inbox.isFull {
            errno = 0
            let code = mosquitto_loop_read(handle, 1)
            if let excess = inbox.excess { throw MQTTError(.malformed, excess) }
            // A refused connection has two errors. The broker's own says more.
            if code != 0, let refusal = inbox.connected, refusal != 0 { throw refused(refusal) }
            try check("\(configuration.address)", code)
            var waiting = pollfd(
                fd: mosquitto_socket(handle), events: Int16(POLLIN), revents: 0)
            guard waiting.fd >= 0, poll(&waiting, 1, 0) > 0 else { return }
        }
    }

    private func check(_ place: String, _ code: Int32) throws(MQTTError) {
        guard code != MOSQ_ERR_SUCCESS.code else { return }
        throw MQTTError(place, code: code)
    }
}

/// The inbox behind a callback's context.
private func sharedInbox(_ context: UnsafeMutableRawPointer?) -> MQTTInbox? {
    context.map { Unmanaged<MQTTInbox>.fromOpaque($0).takeUnretainedValue() }
}

/// Ends a connection from within libmosquitto's callbacks, where it may not be closed. One call of
/// the library may read as long as the broker sends.
private func stopReading(_ handle: OpaquePointer?) {
    shutdown(mosquitto_socket(handle), Int32(SHUT_RDWR))
}

extension mosq_err_t {
    fileprivate var code: Int32 { Int32(rawValue) }
}
