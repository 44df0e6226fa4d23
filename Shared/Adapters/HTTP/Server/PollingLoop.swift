import CMicrohttpd
import Glibc
import Synchronization
import Threads

/// A thread that polls connections. It runs one libmicrohttpd daemon and resumes connections that
/// were answered elsewhere. It cuts requests that arrive too slowly, and notices clients that leave
/// while their connection is suspended.
///
/// libmicrohttpd's own thread is not used, for two reasons. When 128 connections become ready at
/// once, version 0.9.75 waits again before it handles them, and all may be waiting for it. And this
/// loop accepts other threads' answers in batches with one wake-up. Resuming each alone costs a
/// system call and often a thread switch.
///
/// Safe to share although unchecked: a lock guards `inbox`. From `start` on, everything else and
/// every libmicrohttpd call belongs to the loop's thread.
final class PollingLoop: @unchecked Sendable {
    /// The number of connections that may still be closing while others are opened.
    private static let closingConnections = 64
    /// The pause after a search that found no quiet connections.
    private static let searchPauseNanoseconds: Int64 = 50_000_000
    /// How often deadlines are checked. Also the time after which the loop watches for a client
    /// that leaves.
    private static let tickNanoseconds: Int64 = 250_000_000
    /// How often the loop checks that streams' principals are still valid. A revoked token must end
    /// within 5 s.
    private static let holdingNanoseconds: Int64 = 1_000_000_000
    private static let drainTickMilliseconds: Int32 = 10
    private static let daemonID: UInt64 = 0
    private static let wakeID: UInt64 = 1

    /// Safe to pass on although unchecked: only the loop follows the pointer.
    enum Command: @unchecked Sendable {
        case resume(OpaquePointer)
        case cut(connection: UInt64)
        /// Ends the loop when no request is running, at the latest at the deadline.
        case stop(deadlineNanoseconds: Int64, whenDone: @Sendable () -> Void)
    }

    private struct Inbox: Sendable {
        var commands: [Command] = []
        /// Whether a pending exchange has got its answer.
        var hasAnswers = false
        var isAsleep = false
    }

    let core: ServerCore
    /// Whether the server is stopping: each answer closes its connection, and streams end.
    private(set) var isDraining = false
    /// Whether the loop is ending, so that nothing may be suspended any more.
    private(set) var isStopping = false
    var requestsInFlight = 0
    /// The number of requests that wait for an answer without being suspended; see
    /// `Exchange.settle`.
    var pendingRequests = 0
    /// Whether libmicrohttpd has read only a part and may have more in its buffer.
    var isOwedMore = false
    /// The time of this turn of the loop.
    private(set) var nowNanoseconds = Moment.nanoseconds()
    private let epoll: Int32
    private let wake: Int32
    private let inbox = Mutex(Inbox())
    private var daemon: OpaquePointer?
    private var nextHoldingCheck: Int64 = 0
    private var nextID: UInt64 = 2
    private var connections: [UInt64: ServerConnection] = [:]
    /// The number of connections that are not cut.
    private var openConnections = 0
    private let maximumConnections: Int
    /// The earliest times of the next search for quiet connections: among all, and of one address.
    private var nextSearchNanoseconds: (all: Int64, one: Int64) = (0, 0)
    /// Refused requests whose body may already be in the buffer.
    private var refused: [Exchange] = []
    private var stopDeadlineNanoseconds = Int64.max
    private var whenDone: @Sendable () -> Void = {}

    /// Makes a loop for the socket. The caller keeps the socket and closes it after `stop`.
    init(
        core: ServerCore, listeningSocket: Int32, maximumConnections: Int
    ) throws(HTTPServerError) {
        self.core = core
        self.maximumConnections = max(1, maximumConnections / max(1, core.configuration.threads))
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard epoll >= 0, wake >= 0 else { throw .system("epoll_create1", errno) }
        let configuration = core.configuration
        var start = ServerStart(
            flags: MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue,
            listenSocket: listeningSocket,
            // libmicrohttpd stops accepting at its limit. This loop's limit is lower: it refuses or
            // makes room.
            connectionLimit: UInt32(self.maximumConnections + Self.closingConnections),
            idleTimeoutSeconds: UInt32(configuration.idleTimeoutSeconds),
            connectionMemoryBytes: configuration.maximumHeaderBytes,
            // The loop outlives its daemon, since it stops the daemon itself.
            context: Unmanaged.passUnretained(self).toOpaque(),
            mayConnect: connectionAsked, onRequest: requestArrived, onTarget: targetArrived,
            onCompleted: requestCompleted,
            onConnection: connectionChanged, unescape: leaveEscaped)
        guard let daemon = startServer(&start) else {
            throw HTTPServerError(code: "start-failed", reason: "libmicrohttpd did not start")
        }
        self.daemon = daemon
        try listen(to: daemonSocket(daemon), Self.daemonID)
        try listen(to: wake, Self.wakeID)
    }

    deinit {
        // Only a loop that never started still has a daemon.
        if let daemon {
            MHD_quiesce_daemon(daemon)
            MHD_stop_daemon(daemon)
        }
        Glibc.close(epoll)
        Glibc.close(wake)
    }

    private func listen(to socket: Int32, _ id: UInt64) throws(HTTPServerError) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = id
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0 else {
            throw .system("epoll_ctl", errno)
        }
    }

    /// Starts serving on a thread of its own, until a stop command.
    func start() {
        startThread(named: "http", stackBytes: 8 << 20) { [self] in run() }
    }

    /// Sends a command to the loop. Any thread may call it.
    func send(_ command: Command) {
        let mustWake = inbox.withLock { inbox in
            inbox.commands.append(command)
            return inbox.isAsleep.reset()
        }
        if mustWake { eventfd_write(wake, 1) }
    }

    /// Makes the loop send a pending exchange's answer. Any thread may call it.
    func answerArrived() {
        let mustWake = inbox.withLock { inbox in
            inbox.hasAnswers = true
            return inbox.isAsleep.reset()
        }
        if mustWake { eventfd_write(wake, 1) }
    }

    // MARK: Called by libmicrohttpd, on the loop's thread

    func open(socket: Int32, address: NetworkAddress?) -> ServerConnection {
        let connection = ServerConnection(
            id: nextID, socket: socket, address: address,
            isTrustedProxy: address.map(core.isTrustedProxy) ?? false,
            nowNanoseconds: nowNanoseconds,
            // A new client must send its first request within the request's time limit.
            deadlineNanoseconds: core.requestDeadlineNanoseconds(from: nowNanoseconds))
        nextID += 1
        connections[connection.id] = connection
        openConnections += 1
        if let address { core.addresses.opened(by: address.sender) }
        return connection
    }

    func close(_ connection: ServerConnection) {
        connections[connection.id] = nil
        if !connection.isCut { countOut(connection) }
    }

    private func countOut(_ connection: ServerConnection) {
        openConnections -= 1
        if let address = connection.address { core.addresses.closed(by: address.sender) }
    }

    /// Whether a new connection is accepted. Quiet connections are cut to make room for it.
    func hasRoom(for address: NetworkAddress?) -> Bool {
        if let address, !core.isTrustedProxy(address) {
            let most = core.addresses.maximumConnections
            if core.addresses.connections(of: address.sender) >= most,
                !makeRoom(of: address.sender, most)
            {
                return false
            }
        }
        return openConnections < maximumConnections || makeRoom(of: nil, maximumConnections)
    }

    /// Cuts quiet connections: those of the sender, or otherwise those of the senders with the most
    /// connections first. It cuts up to a sixteenth of the limit at once, so that searches are
    /// rare.
    private func makeRoom(of sender: NetworkAddress?, _ most: Int) -> Bool {
        let next = sender == nil ? nextSearchNanoseconds.all : nextSearchNanoseconds.one
        guard nowNanoseconds >= next else { return false }
        var quiet = connections.values.filter {
            $0.mayMakeRoom(nowNanoseconds) && (sender == nil || $0.address?.sender == sender)
        }
        guard !quiet.isEmpty else {
            let later = nowNanoseconds + Self.searchPauseNanoseconds
            if sender == nil {
                nextSearchNanoseconds.all = later
            } else {
                nextSearchNanoseconds.one = later
            }
            return false
        }
        let counts = sender == nil ? core.addresses.connections() : [:]
        func weight(_ connection: ServerConnection) -> (Int, Int64) {
            let count = connection.address.flatMap { counts[$0.sender] } ?? 0
            return (-count, connection.quietSinceNanoseconds)
        }
        quiet.sort { weight($0) < weight($1) }
        for connection in quiet.prefix(max(1, most / 16)) {
            countOut(connection)
            connection.makeRoom()
        }
        return true
    }

    /// Makes the loop send the refusal at the end of this turn, if the body is still incomplete.
    func willRefuse(_ exchange: Exchange) { refused.append(exchange) }

    /// Watches from now on whether the client leaves, and not only from the next tick.
    func watch(_ connection: ServerConnection) {
        connection.watchForLeaving(
            epoll, nowNanoseconds: .max, patienceNanoseconds: 0)
    }
}

extension Bool {
    /// Resets the flag and returns its old value.
    fileprivate mutating func reset() -> Bool {
        defer { self = false }
        return self
    }
}

// MARK: - The thread

extension PollingLoop {
    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var nextTick = nowNanoseconds
        while !handleCommands() {
            isOwedMore = false
            MHD_run(daemon)
            if !refused.isEmpty { answerRefused() }
            let count = epoll_wait(epoll, &events, Int32(events.count), patienceMilliseconds())
            gather()
            for event in events.prefix(Int(max(0, count))) { handle(event.data.u64) }
            nowNanoseconds = Moment.nanoseconds()
            if nowNanoseconds >= nextTick || isDraining {
                nextTick = nowNanoseconds + Self.tickNanoseconds
                look(nowNanoseconds)
            }
        }
        end()
    }

    private func answerRefused() {
        for exchange in refused { exchange.refuseWithinBody() }
        refused.removeAll(keepingCapacity: true)
    }

    /// Waits briefly when many requests are pending. Requests and answers tend to come in bursts,
    /// and each turn of the loop checks every pending request. So a short wait saves many turns.
    private func gather() {
        inbox.withLock { $0.isAsleep = false }
        if pendingRequests >= 32 { usleep(UInt32(pendingRequests / 4)) }
    }

    /// Carries out the commands. Returns true when the loop should end.
    private func handleCommands() -> Bool {
        let commands = inbox.withLock { inbox in
            inbox.hasAnswers = false
            if inbox.commands.isEmpty { return [Command]() }
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for command in commands {
            switch command {
            case .resume(let handle): MHD_resume_connection(handle)
            case .cut(let id): connections[id]?.cut()
            case .stop(let deadline, let whenDone):
                isDraining = true
                stopDeadlineNanoseconds = deadline
                self.whenDone = whenDone
                MHD_quiesce_daemon(daemon)
            }
        }
        guard isDraining else { return false }
        return requestsInFlight == 0 || nowNanoseconds >= stopDeadlineNanoseconds
    }

    /// The time to wait for events: none if there is a command or libmicrohttpd has more to do.
    /// From now on a new command wakes the loop.
    private func patienceMilliseconds() -> Int32 {
        let mayWait = inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty && !inbox.hasAnswers
            return inbox.isAsleep
        }
        guard mayWait, !isOwedMore else { return 0 }
        // Otherwise libmicrohttpd would ask for a new turn at once, as long as requests are
        // pending.
        if pendingRequests > 0 { return 1 }
        var milliseconds: UInt64 = 0
        let most =
            isDraining ? Self.drainTickMilliseconds : Int32(Self.tickNanoseconds / 1_000_000)
        guard MHD_get_timeout(daemon, &milliseconds) == .YES else { return most }
        return Int32(min(milliseconds, UInt64(most)))
    }

    private func handle(_ id: UInt64) {
        switch id {
        case Self.daemonID: break
        case Self.wakeID:
            var count: eventfd_t = 0
            eventfd_read(wake, &count)
        default: connections[id]?.hasLeft()
        }
    }

    private func look(_ now: Int64) {
        let asksHolders = now >= nextHoldingCheck
        if asksHolders { nextHoldingCheck = now + Self.holdingNanoseconds }
        for connection in connections.values {
            connection.cutIfLate(now)
            connection.watchForLeaving(
                epoll, nowNanoseconds: now, patienceNanoseconds: Self.tickNanoseconds)
            if asksHolders { connection.waiter?.endUnlessHeld(by: core.handler) }
            if isDraining { connection.waiter?.drain() }
        }
    }

    private func end() {
        isStopping = true
        // libmicrohttpd must not stop with suspended connections, so all waiters give up. An answer
        // that comes later is dropped.
        for connection in connections.values { connection.waiter?.abandon() }
        _ = handleCommands()
        MHD_run(daemon)
        MHD_stop_daemon(daemon)
        daemon = nil
        whenDone()
    }
}
