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

/// One TCP connection as its polling loop sees it, and only the loop: libmicrohttpd owns the socket,
/// this knows what is awaited on it and until when.
final class ServerConnection {
    let id: UInt64
    let remoteAddress: String
    /// Who waits while the connection is suspended, or fills the stream that is being sent.
    private(set) var waiter: (any ConnectionWaiter)?
    private let socket: Int32
    private var waitingSinceNanoseconds: Int64 = 0
    private var isWatched = false
    /// When what is being received must be there; `Int64.max` while nothing is.
    private var deadlineNanoseconds: Int64
    /// Whether a request has begun, so that lateness is answered with 408.
    private var isReceiving = false

    init(id: UInt64, socket: Int32, remoteAddress: String, deadlineNanoseconds: Int64) {
        self.id = id
        self.socket = socket
        self.remoteAddress = remoteAddress
        self.deadlineNanoseconds = deadlineNanoseconds
    }

    /// The line of a request is there; the rest must be by the deadline.
    func expectRequest(byNanoseconds deadline: Int64) {
        isReceiving = true
        deadlineNanoseconds = deadline
    }

    /// The request is there, whole.
    func hasReceived() {
        isReceiving = false
        deadlineNanoseconds = .max
    }

    /// A request is done with; the line of the next must be there by the deadline.
    func expectNext(byNanoseconds deadline: Int64) {
        isReceiving = false
        waiter = nil
        deadlineNanoseconds = deadline
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
        guard waiter != nil, nowNanoseconds - waitingSinceNanoseconds >= patienceNanoseconds
        else { return }
        var event = epoll_event()
        // One shot, armed again at each look: an end that came before is then told too.
        event.events = EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        event.data.u64 = id
        let operation = isWatched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
        isWatched = epoll_ctl(epoll, operation, socket, &event) == 0
    }
}
