import CMicrohttpd
import Glibc

/// A task or stream that works for a suspended connection.
protocol ConnectionWaiter: AnyObject, Sendable {
    /// Gives up, because the client has gone or must go. The connection is then closed.
    func abandon()
    /// Ends soon and in good order, because the server is stopping.
    func drain()
    /// Ends a stream whose principal is no longer valid.
    func endUnlessHeld(by handler: RequestHandler)
}

/// One TCP connection in its polling loop; no other thread uses it. libmicrohttpd owns the socket.
/// This object knows the waiter and the deadline.
final class ServerConnection {
    let id: UInt64
    /// The other end's address. Nil where the socket has none.
    let address: NetworkAddress?
    let isTrustedProxy: Bool
    /// Whether it was cut and no longer counts, though libmicrohttpd has not noticed yet.
    private(set) var isCut = false
    /// The sender's address as text, unless a proxy states another.
    private(set) lazy var sender = address?.sender.text ?? "unknown"
    /// The waiter while the connection is suspended, or the source of the stream being sent.
    private(set) var waiter: (any ConnectionWaiter)?
    private let socket: Int32
    private var waitingSinceNanoseconds: Int64 = 0
    private var isWatched = false
    private var isArmed = false
    /// The time by which the expected bytes must have come. `Int64.max` when none are expected.
    private var deadlineNanoseconds: Int64
    /// Whether a request has begun, so that a late one is answered with 408.
    private var isReceiving = false
    /// Whether the client has ever sent a request line.
    private var hasSpoken = false
    /// The time since which no complete request has come.
    private(set) var quietSinceNanoseconds: Int64

    init(
        id: UInt64, socket: Int32, address: NetworkAddress?, isTrustedProxy: Bool,
        nowNanoseconds: Int64, deadlineNanoseconds: Int64
    ) {
        self.id = id
        self.socket = socket
        self.address = address
        self.isTrustedProxy = isTrustedProxy
        self.deadlineNanoseconds = deadlineNanoseconds
        quietSinceNanoseconds = nowNanoseconds
    }

    /// Notes a request line. The rest must come by the deadline.
    func expectRequest(byNanoseconds deadline: Int64) {
        isReceiving = true
        hasSpoken = true
        deadlineNanoseconds = deadline
    }

    func hasReceived() {
        isReceiving = false
        deadlineNanoseconds = .max
    }

    /// Notes the end of a request. The next request line must come by the deadline.
    func expectNext(nowNanoseconds: Int64, byNanoseconds deadline: Int64) {
        isReceiving = false
        waiter = nil
        quietSinceNanoseconds = nowNanoseconds
        deadlineNanoseconds = deadline
    }

    /// Notes that the answer was sent before the end of the body. The rest is discarded until the
    /// deadline.
    func linger(untilNanoseconds deadline: Int64) {
        isReceiving = false
        deadlineNanoseconds = deadline
    }

    /// Whether the connection was quiet so long that new ones may replace it. A client that never
    /// sent anything is replaced soonest, and one in the middle of a request last.
    func mayMakeRoom(_ nowNanoseconds: Int64) -> Bool {
        guard deadlineNanoseconds != .max, !isCut else { return false }
        let patience: Int64 =
            isReceiving ? 5_000_000_000 : hasSpoken ? 1_000_000_000 : 250_000_000
        return nowNanoseconds - quietSinceNanoseconds >= patience
    }

    /// Ends the connection to make room for others.
    func makeRoom() {
        if isReceiving { RawAnswer.send(Problem.requestTimeout.response, to: socket) }
        isCut = true
        cut()
    }

    func wait(_ waiter: (any ConnectionWaiter)?, nowNanoseconds: Int64) {
        self.waiter = waiter
        waitingSinceNanoseconds = nowNanoseconds
    }

    func cutIfLate(_ nowNanoseconds: Int64) {
        guard deadlineNanoseconds < nowNanoseconds else { return }
        deadlineNanoseconds = .max
        // No answer has been sent since this request began, so this one is well-formed.
        if isReceiving { RawAnswer.send(Problem.requestTimeout.response, to: socket) }
        cut()
    }

    /// Ends the connection. libmicrohttpd finds the socket closed and cleans up.
    func cut() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Makes the kernel report when the client of a suspended connection leaves, which
    /// libmicrohttpd does not check. It starts only after `patienceNanoseconds`, since most answers
    /// come sooner.
    func watchForLeaving(_ epoll: Int32, nowNanoseconds: Int64, patienceNanoseconds: Int64) {
        guard waiter != nil, !isArmed,
            nowNanoseconds - waitingSinceNanoseconds >= patienceNanoseconds
        else { return }
        var event = epoll_event()
        // The event fires once and is then armed again. An end that came in between is reported
        // too.
        event.events = EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        event.data.u64 = id
        let operation = isWatched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        isWatched = epoll_ctl(epoll, operation, socket, &event) == 0
        isArmed = isWatched
    }

    /// Handles the kernel's report that the client has left.
    func hasLeft() {
        isArmed = false
        waiter?.abandon()
    }
}
