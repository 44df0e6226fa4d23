import CMicrohttpd
import Glibc
import Synchronization

/// A thread that looks after what libmicrohttpd does not: requests that arrive too slowly, and
/// clients that leave while their connection is suspended.
final class ConnectionWatch: Sendable {
    /// How often deadlines are looked at.
    private static let tickMilliseconds: Int32 = 250
    /// An answer that takes longer than this has its client watched.
    private static let patienceNanoseconds: Int64 = 500_000_000
    private static let wakeID = UInt64.max

    private struct Table: Sendable {
        var nextID: UInt64 = 0
        var connections: [UInt64: ServerConnection] = [:]
    }

    private let epoll: Int32
    private let wake: Int32
    private let table = Mutex(Table())
    private let isEnding = Atomic(false)
    private let thread = Mutex<OwnThread?>(nil)

    init() throws(HTTPServerError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard epoll >= 0, wake >= 0 else { throw .system("epoll_create1", errno) }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = Self.wakeID
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &event) == 0 else {
            throw .system("epoll_ctl", errno)
        }
    }

    deinit {
        close(epoll)
        close(wake)
    }

    func start() {
        thread.withLock { $0 = OwnThread { [self] in run() } }
    }

    /// Ends the thread and waits for it.
    func stop() {
        isEnding.store(true, ordering: .releasing)
        eventfd_write(wake, 1)
        thread.withLock { $0?.join() }
    }

    func add(_ connection: ServerConnection) -> UInt64 {
        table.withLock {
            let id = $0.nextID
            $0.nextID += 1
            $0.connections[id] = connection
            return id
        }
    }

    func remove(_ id: UInt64) { _ = table.withLock { $0.connections.removeValue(forKey: id) } }

    var connections: [(id: UInt64, connection: ServerConnection)] {
        table.withLock { $0.connections.map { ($0.key, $0.value) } }
    }

    /// Watches a connection from now on, not only from the next tick.
    func watch(_ connection: ServerConnection, id: UInt64) {
        connection.watchForLeaving(
            epoll, id: id, nowNanoseconds: Moment.nanoseconds(), patienceNanoseconds: 0)
    }

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        var nextTick = Moment.nanoseconds()
        while !isEnding.load(ordering: .acquiring) {
            let count = epoll_wait(epoll, &events, Int32(events.count), Self.tickMilliseconds)
            for event in events.prefix(Int(max(0, count))) where event.data.u64 != Self.wakeID {
                let connection = table.withLock { $0.connections[event.data.u64] }
                connection?.waiter?.abandon()
            }
            let now = Moment.nanoseconds()
            if now >= nextTick {
                nextTick = now + Int64(Self.tickMilliseconds) * 1_000_000
                look(now)
            }
        }
    }

    private func look(_ now: Int64) {
        for (id, connection) in connections {
            connection.cutIfLate(now)
            connection.watchForLeaving(
                epoll, id: id, nowNanoseconds: now, patienceNanoseconds: Self.patienceNanoseconds)
        }
    }
}
