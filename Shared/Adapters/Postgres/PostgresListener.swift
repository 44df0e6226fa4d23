import CPostgres
import Foundation
import Synchronization
import Threads

/// Receives and sends notifications, on a connection and thread of its own. It reconnects when the
/// connection is lost.
public final class PostgresListener: Sendable {
    public enum Event: Sendable {
        /// The listener is connected. Earlier notifications may have been missed.
        case connected
        case disconnected(PostgresError)
        /// A notification. This process's own ones come back too, with `isOwn`.
        case notification(channel: String, payload: String, isOwn: Bool)
    }

    public struct Notification: Sendable {
        public var channel: String
        public var payload: String

        public init(channel: String, payload: String) {
            self.channel = channel
            self.payload = payload
        }
    }

    private let core: ListenerCore

    /// `receive` and `collect` run on the listener's thread and must not block. `collect` returns
    /// the notifications to send, after a call of `notifySoon`.
    public init(
        _ configuration: PostgresConfiguration, channels: [String],
        collect: @escaping @Sendable () -> [Notification] = { [] },
        receive: @escaping @Sendable (Event) -> Void
    ) {
        let core = ListenerCore(
            configuration, channels: channels, collect: collect, receive: receive)
        self.core = core
        startThread(named: "postgres-listen") { core.run() }
    }

    deinit { core.stop() }

    /// Sends the notifications of `collect` soon, in one round trip. Calls that come while the
    /// thread is busy share one round trip.
    ///
    /// Notifications that can't be sent are dropped, and so are those that only this process would
    /// receive. A new listener may miss the first second. So receivers need a second way to find
    /// changes, if later.
    public func notifySoon() { core.notifySoon() }

    /// Closes the connection. No event follows the current one.
    public func close() { core.stop() }

    /// The events as a sequence. At most `limit` events wait; beyond that the oldest are dropped.
    public static func events(
        _ configuration: PostgresConfiguration, channels: [String], limit: Int = 1024
    ) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(limit))
        let listener = PostgresListener(configuration, channels: channels) {
            continuation.yield($0)
        }
        continuation.onTermination = { _ in listener.close() }
        return stream
    }
}

private final class ListenerCore: Sendable {
    private struct State {
        var isAsked = false
        var isStopped = false
        /// Whether any other process listens, and until when that answer is valid.
        var audience: (isThere: Bool, until: ContinuousClock.Instant)?
    }
    private let configuration: PostgresConfiguration
    private let channels: [String]
    private let collect: @Sendable () -> [PostgresListener.Notification]
    private let receive: @Sendable (PostgresListener.Event) -> Void
    private let state = Mutex(State())
    private let wakeUp = WakeUp()
    private let audience: ListenerAudience

    init(
        _ configuration: PostgresConfiguration, channels: [String],
        collect: @escaping @Sendable () -> [PostgresListener.Notification],
        receive: @escaping @Sendable (PostgresListener.Event) -> Void
    ) {
        self.configuration = configuration
        self.channels = channels
        self.collect = collect
        self.receive = receive
        audience = ListenerAudience(channels)
    }

    func notifySoon() {
        let isFirst = state.withLock { state in
            if let audience = state.audience, !audience.isThere, .now < audience.until {
                return false
            }
            defer { state.isAsked = true }
            return !state.isAsked
        }
        if isFirst { wakeUp.signal() }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    func run() {
        var backOff = BackOff(first: .milliseconds(50), longest: .seconds(2))
        while !isStopped {
            do throws(PostgresError) {
                let session = try PostgresSession(configuration)
                // A notification is a transaction, and its commit would wait for the disk. If the
                // server crashes, its listeners lose the connection anyway.
                try session.execute(script: "SET synchronous_commit = off")
                for channel in channels { try session.execute(script: "LISTEN \"\(channel)\"") }
                try audience.enter(session)
                state.withLock { $0.audience = nil }
                backOff.succeeded()
                receive(.connected)
                while !isStopped { try turn(session) }
            } catch {
                receive(.disconnected(error))
                backOff.failed(with: error, at: .now)
                while !isStopped, backOff.failure(at: .now) != nil { usleep(20_000) }
            }
        }
    }

    private func hasAudience(_ session: PostgresSession) throws(PostgresError) -> Bool {
        if let known = state.withLock({ $0.audience }), .now < known.until { return known.isThere }
        let isThere = try audience.hasOthers(session)
        state.withLock { $0.audience = (isThere, .now + .seconds(1)) }
        return isThere
    }

    /// Waits until there is something to receive or send, and handles it.
    private func turn(_ session: PostgresSession) throws(PostgresError) {
        var descriptors = [
            pollfd(fd: PQsocket(session.connection), events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        // The time-out only limits how long a lost wake-up can go unnoticed.
        _ = poll(&descriptors, 2, 1000)
        if descriptors[1].revents != 0 { wakeUp.drain() }
        let isAsked = state.withLock { state in
            defer { state.isAsked = false }
            return state.isAsked
        }
        let outgoing = isAsked ? collect() : []
        if !outgoing.isEmpty, try hasAudience(session) {
            try session.pipeline(
                outgoing.map {
                    PostgresStatement(
                        "SELECT pg_notify($1, $2)", [.text($0.channel), .text($0.payload)])
                })
        }
        guard PQconsumeInput(session.connection) == 1 else { throw session.lost() }
        let own = session.serverProcessID
        while let notification = PQnotifies(session.connection) {
            defer { PQfreemem(notification) }
            receive(
                .notification(
                    channel: String(cString: notification.pointee.relname),
                    payload: String(cString: notification.pointee.extra),
                    isOwn: notification.pointee.be_pid == own))
        }
    }
}

/// A pipe that wakes a thread waiting in `poll`.
private final class WakeUp: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no file descriptors are left")
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(readEnd)
        Glibc.close(writeEnd)
    }

    /// If the pipe is full, the thread wakes anyway.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
