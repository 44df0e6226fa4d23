import CMicrohttpd
import Glibc
import Synchronization
import Threads

/// A thread that polls connections: it runs one libmicrohttpd daemon, resumes what was answered
/// elsewhere, cuts requests that arrive too slowly, and notices clients that leave while their
/// connection is suspended.
///
/// The loop is ours rather than libmicrohttpd's own thread for two reasons. Version 0.9.75 waits
/// again, without having handled what it got, when 128 connections become ready at once, and all of
/// them may then be waiting for it. And answers from other threads are taken over in batches with
/// one wake-up, where resuming each by itself costs a system call and often a change of threads.
///
/// Safe to share although unchecked: `inbox` is behind its lock; all else, and every call into
/// libmicrohttpd, belongs to the loop's thread from `start` on.
final class PollingLoop: @unchecked Sendable {
    /// Connections that may be closing while others are opened already.
    private static let closingConnections = 64
    /// After a search for quiet connections that found none there is no other for so long.
    private static let searchPauseNanoseconds: Int64 = 50_000_000
    /// How often deadlines are looked at, and how long an answer may take before its client is
    /// watched.
    private static let tickNanoseconds: Int64 = 250_000_000
    /// How often it is asked whether those who get streams still may: a revoked token has 5 s.
    private static let holdingNanoseconds: Int64 = 1_000_000_000
    private static let drainTickMilliseconds: Int32 = 10
    private static let daemonID: UInt64 = 0
    private static let wakeID: UInt64 = 1

    /// Safe to pass on although unchecked: only the loop follows the pointer.
    enum Command: @unchecked Sendable {
        case resume(OpaquePointer)
        case cut(connection: UInt64)
        /// Ends the loop when no request is in flight, at the latest at the deadline.
        case stop(deadlineNanoseconds: Int64, whenDone: @Sendable () -> Void)
    }

    private struct Inbox: Sendable {
        var commands: [Command] = []
        /// An exchange that is pending has its answer.
        var hasAnswers = false
        var isAsleep = false
    }

    let core: ServerCore
    /// Answers end their connections, and streams end.
    private(set) var isDraining = false
    /// Nothing may be suspended any more.
    private(set) var isStopping = false
    var requestsInFlight = 0
    /// How many requests wait for their answer without being suspended; see `Exchange.settle`.
    var pendingRequests = 0
    /// libmicrohttpd has read a part of something and may have more of it at hand.
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
    /// Of those that are not cut.
    private var openConnections = 0
    private let maximumConnections: Int
    /// When quiet connections may be searched for again: of all, and of one address.
    private var nextSearchNanoseconds: (all: Int64, one: Int64) = (0, 0)
    /// Refused requests whose body may be at hand already.
    private var refused: [Exchange] = []
    private var stopDeadlineNanoseconds = Int64.max
    private var whenDone: @Sendable () -> Void = {}

    /// Does not take the socket over: the caller closes it after `stop`.
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
            // It stops accepting at its limit; ours refuses and makes room instead.
            connectionLimit: UInt32(self.maximumConnections + Self.closingConnections),
            idleTimeoutSeconds: UInt32(configuration.idleTimeoutSeconds),
            connectionMemoryBytes: configuration.maximumHeaderBytes,
            // The loop outlives its daemon, which it stops itself.
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
        // Only a loop that was never started still has one.
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

    /// Begins to serve on a thread of its own, until a stop command.
    func start() {
        startThread(named: "http", stackBytes: 8 << 20) { [self] in run() }
    }

    /// From any thread: has the loop do something soon.
    func send(_ command: Command) {
        let mustWake = inbox.withLock { inbox in
            inbox.commands.append(command)
            return inbox.isAsleep.take()
        }
        if mustWake { eventfd_write(wake, 1) }
    }

    /// From any thread: has the loop send the answer of a pending exchange.
    func answerArrived() {
        let mustWake = inbox.withLock { inbox in
            inbox.hasAnswers = true
            return inbox.isAsleep.take()
        }
        if mustWake { eventfd_write(wake, 1) }
    }

    // MARK: Called by libmicrohttpd, on the loop's thread

    func open(socket: Int32, address: NetworkAddress?) -> ServerConnection {
        let connection = ServerConnection(
            id: nextID, socket: socket, address: address,
            isTrustedProxy: address.map(core.isTrustedProxy) ?? false,
            nowNanoseconds: nowNanoseconds,
            // Who connects has something to say.
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

    /// Whether one more connection is taken: quiet ones give way to it.
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

    /// Cuts connections on which nothing happens, a sixteenth at most of those that there may be,
    /// so that a search for them is rare: those of the address, or first those of whoever has most.
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

    /// Has the request answered at the end of this turn if its body is not whole by then.
    func willRefuse(_ exchange: Exchange) { refused.append(exchange) }

    /// Watches for the client's leaving from now on, not only from the next tick.
    func watch(_ connection: ServerConnection) {
        connection.watchForLeaving(
            epoll, nowNanoseconds: .max, patienceNanoseconds: 0)
    }
}

extension Bool {
    /// The value, leaving false behind.
    fileprivate mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}

// MARK: - The thread

extension PollingLoop {
    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var nextTick = nowNanoseconds
        while !takeCommands() {
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

    /// Requests and answers tend to come in bursts, while each turn of the loop looks at every
    /// pending request: with many of them, a moment's patience saves many turns.
    private func gather() {
        inbox.withLock { $0.isAsleep = false }
        if pendingRequests >= 32 { usleep(UInt32(pendingRequests / 4)) }
    }

    /// True when it is time to end.
    private func takeCommands() -> Bool {
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

    /// How long to wait for events: not at all if a command has come or libmicrohttpd has more to
    /// do. Whoever sends a command from now on wakes the loop.
    private func patienceMilliseconds() -> Int32 {
        let mayWait = inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty && !inbox.hasAnswers
            return inbox.isAsleep
        }
        guard mayWait, !isOwedMore else { return 0 }
        // libmicrohttpd would have us look after pending requests all the time.
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
        // libmicrohttpd must not be stopped with suspended connections. Whoever waits gives up
        // here, and whoever answers later finds that it is too late.
        for connection in connections.values { connection.waiter?.abandon() }
        _ = takeCommands()
        MHD_run(daemon)
        MHD_stop_daemon(daemon)
        daemon = nil
        whenDone()
    }
}
