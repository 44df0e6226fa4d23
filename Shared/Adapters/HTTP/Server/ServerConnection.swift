import CMicrohttpd
import Glibc

/// Somebody who waits for something other than the client while a connection is suspended.
protocol ConnectionWaiter: AnyObject, Sendable {
    /// The client is gone, or must go: give up and let the connection be closed.
    func abandon()
    /// The server is stopping: end soon, and well.
    func drain()
    /// Ends what is still being sent to somebody who may have it no more.
    func endUnlessHeld(by handler: RequestHandler)
}

/// One TCP connection as its polling loop sees it, and only the loop: libmicrohttpd owns the
/// socket, this knows what is awaited on it and until when.
final class ServerConnection {
    let id: UInt64
    /// Nil where the socket has no address.
    let address: NetworkAddress?
    let isTrustedProxy: Bool
    /// It was counted out before libmicrohttpd noticed that it was cut.
    private(set) var isCut = false
    /// Who sends, in words, where no proxy says otherwise.
    private(set) lazy var sender = address?.sender.text ?? "unknown"
    /// Who waits while the connection is suspended, or fills the stream that is being sent.
    private(set) var waiter: (any ConnectionWaiter)?
    private let socket: Int32
    private var waitingSinceNanoseconds: Int64 = 0
    private var isWatched = false
    private var isArmed = false
    /// When what is being received must be there; `Int64.max` while nothing is.
    private var deadlineNanoseconds: Int64
    /// Whether a request has begun, so that lateness is answered with 408.
    private var isReceiving = false
    /// Whether the client has ever sent a request's line.
    private var hasSpoken = false
    /// Since when nothing whole has come.
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

    /// The line of a request is there; the rest must be by the deadline.
    func expectRequest(byNanoseconds deadline: Int64) {
        isReceiving = true
        hasSpoken = true
        deadlineNanoseconds = deadline
    }

    /// The request is there, whole.
    func hasReceived() {
        isReceiving = false
        deadlineNanoseconds = .max
    }

    /// A request is done with; the line of the next must be there by the deadline.
    func expectNext(nowNanoseconds: Int64, byNanoseconds deadline: Int64) {
        isReceiving = false
        waiter = nil
        quietSinceNanoseconds = nowNanoseconds
        deadlineNanoseconds = deadline
    }

    /// The answer was sent before the body was there, whose rest is thrown away until the deadline.
    func linger(untilNanoseconds deadline: Int64) {
        isReceiving = false
        deadlineNanoseconds = deadline
    }

    /// Whether it has been quiet for so long that others who wait come first: a client that has
    /// never said anything waits shortest, and one in the middle of a request longest.
    func mayMakeRoom(_ nowNanoseconds: Int64) -> Bool {
        guard deadlineNanoseconds != .max, !isCut else { return false }
        let patience: Int64 =
            isReceiving ? 5_000_000_000 : hasSpoken ? 1_000_000_000 : 250_000_000
        return nowNanoseconds - quietSinceNanoseconds >= patience
    }

    /// Ends it for the sake of others.
    func makeRoom() {
        if isReceiving { RawAnswer.send(Problem.requestTimeout.response, to: socket) }
        isCut = true
        cut()
    }

    func wait(_ waiter: (any ConnectionWaiter)?, nowNanoseconds: Int64) {
        self.waiter = waiter
        waitingSinceNanoseconds = nowNanoseconds
    }

    /// Cuts the connection if its deadline has passed.
    func cutIfLate(_ nowNanoseconds: Int64) {
        guard deadlineNanoseconds < nowNanoseconds else { return }
        deadlineNanoseconds = .max
        // Nothing has been answered since this request began, so an answer is well-formed here.
        if isReceiving { RawAnswer.send(Problem.requestTimeout.response, to: socket) }
        cut()
    }

    /// Ends the connection: libmicrohttpd finds it closed and cleans up.
    func cut() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Has the kernel tell when the client of a suspended connection leaves, which libmicrohttpd
    /// does not look for; only after `patienceNanoseconds`, since most answers come sooner.
    func watchForLeaving(_ epoll: Int32, nowNanoseconds: Int64, patienceNanoseconds: Int64) {
        guard waiter != nil, !isArmed,
            nowNanoseconds - waitingSinceNanoseconds >= patienceNanoseconds
        else { return }
        var event = epoll_event()
        // One shot, armed again once it has told: an end that came meanwhile is then told too.
        event.events = EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        event.data.u64 = id
        let operation = isWatched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        isWatched = epoll_ctl(epoll, operation, socket, &event) == 0
        isArmed = isWatched
    }

    /// The kernel has told that the client has left.
    func hasLeft() {
        isArmed = false
        waiter?.abandon()
    }
}
