import CMicrohttpd
import Glibc
import Synchronization

/// Somebody who waits for something other than the client while a connection is suspended.
protocol ConnectionWaiter: AnyObject, Sendable {
    /// The client is gone, or must go: give up and let the connection be closed.
    func abandon()
    /// The server is stopping: end soon, and well.
    func drain()
}

/// One TCP connection as the server's threads see it. libmicrohttpd owns the socket; this knows its
/// number for as long as it is open, so that other threads can shut it down.
final class ServerConnection: Sendable {
    /// What `deadline` holds after the watch has cut the connection.
    private static let cutDeadline = Int64.min

    private struct Guarded: Sendable {
        /// -1 once libmicrohttpd is about to close it: the number may then belong to somebody else.
        var socket: Int32
        var waiter: (any ConnectionWaiter)?
        var waitingSinceNanoseconds: Int64 = 0
        var isWatched = false
    }

    let remoteAddress: String
    private let guarded: Mutex<Guarded>
    /// When what is being received must be there; `Int64.max` while nothing is.
    private let deadlineNanoseconds: Atomic<Int64>
    /// Whether a request has begun, so that lateness is answered with 408.
    private let isReceiving = Atomic(false)

    init(socket: Int32, remoteAddress: String, deadlineNanoseconds: Int64) {
        self.remoteAddress = remoteAddress
        guarded = Mutex(Guarded(socket: socket))
        self.deadlineNanoseconds = Atomic(deadlineNanoseconds)
    }

    /// The line of a request is there; the rest must be by the deadline.
    func expectRequest(byNanoseconds deadline: Int64) {
        isReceiving.store(true, ordering: .relaxed)
        expect(byNanoseconds: deadline)
    }

    /// A request is done with; the line of the next must be there by the deadline.
    func expectNext(byNanoseconds deadline: Int64) {
        isReceiving.store(false, ordering: .relaxed)
        expect(byNanoseconds: deadline)
    }

    private func expect(byNanoseconds deadline: Int64) {
        var seen = deadlineNanoseconds.load(ordering: .relaxed)
        while seen != Self.cutDeadline {
            let (done, now) = deadlineNanoseconds.compareExchange(
                expected: seen, desired: deadline, ordering: .relaxed)
            if done { return }
            seen = now
        }
    }

    /// The request is there, whole. False when it came too late and the connection was cut.
    func hasReceived() -> Bool {
        deadlineNanoseconds.exchange(.max, ordering: .relaxed) != Self.cutDeadline
    }

    /// Cuts the connection if its deadline has passed.
    func cutIfLate(_ nowNanoseconds: Int64) {
        let deadline = deadlineNanoseconds.load(ordering: .relaxed)
        guard deadline < nowNanoseconds, deadline != Self.cutDeadline else { return }
        let (isOurs, _) = deadlineNanoseconds.compareExchange(
            expected: deadline, desired: Self.cutDeadline, ordering: .relaxed)
        guard isOurs else { return }
        // Nothing has been answered since this request began, so an answer is well-formed here.
        guarded.withLock { state in
            if state.socket >= 0, isReceiving.load(ordering: .relaxed) {
                RawAnswer.send(Problem.requestTimeout.response, to: state.socket)
            }
        }
        cut()
    }

    /// Ends the connection from any thread: libmicrohttpd finds it closed and cleans up.
    func cut() {
        guarded.withLock { state in
            if state.socket >= 0 { _ = shutdown(state.socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Called before libmicrohttpd closes the socket.
    func close() {
        guarded.withLock {
            $0.socket = -1
            $0.waiter = nil
        }
    }

    func wait(_ waiter: (any ConnectionWaiter)?) {
        let now = waiter == nil ? 0 : Moment.nanoseconds()
        guarded.withLock {
            $0.waiter = waiter
            $0.waitingSinceNanoseconds = now
        }
    }

    var waiter: (any ConnectionWaiter)? { guarded.withLock { $0.waiter } }

    /// Has the kernel tell when the client of a suspended connection leaves, which libmicrohttpd
    /// does not look for; only after `patienceNanoseconds`, since most answers come sooner.
    func watchForLeaving(
        _ epoll: Int32, id: UInt64, nowNanoseconds: Int64, patienceNanoseconds: Int64
    ) {
        guarded.withLock { state in
            guard state.socket >= 0, state.waiter != nil,
                nowNanoseconds - state.waitingSinceNanoseconds >= patienceNanoseconds
            else { return }
            var event = epoll_event()
            // One shot and armed again at each look: an end that came before is then told too.
            event.events = EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
            event.data.u64 = id
            let operation = state.isWatched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD
            state.isWatched = epoll_ctl(epoll, operation, state.socket, &event) == 0
        }
    }
}
