import ServiceHost
import Site
import Synchronization

/// A client's short queue of events from the hub. A slow client is not cut off: it falls behind,
/// and continues from its last record.
final class StreamSubscription: Sendable {
    enum Taken: Sendable {
        case events([UInt8])
        /// The queue was full; records from these offsets on must be read again.
        case behind(StreamVector)
        case ended
    }

    /// The most bytes that wait for one client. Most events are shared by all clients that get
    /// them.
    static let maximumBytes = 65_536

    private struct State {
        var queue: [[UInt8]] = []
        var bytes = 0
        /// The last event that the hub had read when the stream began or continued.
        var seen = 0
        /// Records before these offsets were sent from the log; nil once the hub is past them.
        var from: StreamVector?
        var behind: StreamVector?
        var hasEnded = false
        /// The turn for reading missed records, and the seconds for which the client has asked for
        /// nothing.
        var turn: Turns.Turn?
        var secondsUnasked = 0
        var isAsking = false
        var waiter: CheckedContinuation<Taken, Never>?
    }

    let topic: StreamTopic
    /// The client's token; empty for a request without one.
    let token: String
    /// The places that may be named to the client; nil for all.
    private let sight: StreamSight?
    private let state = Mutex(State())

    init(_ topic: StreamTopic, sight: StreamSight? = nil, token: String) {
        self.topic = topic
        self.sight = sight
        self.token = token
    }

    /// Begins again, with the hub's kept records that this stream has not sent.
    func begin(from: StreamVector, seen: Int, _ recent: some Sequence<StreamedEvent>) {
        state.withLock { state in
            state.seen = seen
            state.behind = nil
            state.from = from
            for streamed in recent {
                guard let seen = self.seen(streamed) else { continue }
                Self.append(seen, seen.event(), &state)
            }
        }
    }

    /// The event as the client may see it; nil for one that it may not see.
    func seen(_ streamed: StreamedEvent) -> StreamedEvent? {
        guard let sight = sight?(), !sight.isUnlimited else { return streamed }
        return streamed.seen(by: sight)
    }

    /// Adds an event; false when the queue is full. Then the hub may unlist the stream until it
    /// begins again.
    /// - Parameter shared: the event as bytes, made once for all clients who see every place.
    func offer(_ streamed: StreamedEvent, _ shared: [UInt8]) -> Bool {
        var (streamed, event) = (streamed, shared)
        if let sight = sight?(), !sight.isUnlimited {
            guard let seen = streamed.seen(by: sight) else { return true }
            (streamed, event) = (seen, seen.event())
        }
        return offerSeen(streamed, event)
    }

    private func offerSeen(_ streamed: StreamedEvent, _ event: [UInt8]) -> Bool {
        let (isTaken, waiter) = state.withLock { state -> (Bool, Waiter?) in
            // This event was among the kept records when the stream began.
            guard streamed.number > state.seen else { return (true, nil) }
            guard !state.hasEnded, state.behind == nil else { return (false, nil) }
            guard state.bytes == 0 || state.bytes + event.count <= Self.maximumBytes else {
                var vector = streamed.vector
                vector.offsets[streamed.partition] = streamed.offset
                state.behind = state.from.map { $0.joined(vector) } ?? vector
                return (false, nil)
            }
            Self.append(streamed, event, &state)
            return (true, Self.wake(&state))
        }
        waiter?.resume()
        return isTaken
    }

    /// Adds a comment, so that proxies and clients keep a quiet stream open.
    func keepAlive() {
        let waiter = state.withLock { state in
            guard state.queue.isEmpty, !state.hasEnded else { return Waiter?.none }
            state.queue.append(Self.comment)
            return Self.wake(&state)
        }
        waiter?.resume()
    }

    /// Takes the comment of a stream that reads missed records; nil where none is due. The hub
    /// queues no events for such a stream.
    func dequeueComment() -> [UInt8]? {
        state.withLock { state -> [UInt8]? in
            guard !state.queue.isEmpty else { return nil }
            state.queue = []
            return Self.comment
        }
    }

    /// Seconds without a request after which a client with a turn loses it, and its stream with it.
    /// Others wait for that turn; the client continues with Last-Event-ID.
    static let mostSecondsUnasked = 30

    /// Keeps the turn while the missed records are sent at the client's pace.
    func hold(_ turn: Turns.Turn) {
        state.withLock { state in
            state.turn = turn
            state.secondsUnasked = 0
        }
    }

    func letGo() { state.withLock { $0.turn = nil } }

    /// Notes that the client has room and waits for events.
    func asked() { state.withLock { $0.isAsking = true } }

    func answered() {
        state.withLock { state in
            state.isAsking = false
            state.secondsUnasked = 0
        }
    }

    func passSecond() {
        let isStalled = state.withLock { state in
            guard state.turn != nil, !state.isAsking else { return false }
            state.secondsUnasked += 1
            return state.secondsUnasked > Self.mostSecondsUnasked
        }
        if isStalled { end() }
    }

    private static let comment = Array(": keep-alive\n\n".utf8)

    func end() {
        let waiter = state.withLock { state in
            state.hasEnded = true
            state.queue = []
            state.turn?.end()
            state.turn = nil
            return Self.wake(&state)
        }
        waiter?.resume()
    }

    var isBehind: Bool { state.withLock { $0.behind != nil } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Waits for the next events.
    func dequeue() async -> Taken {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let taken = state.withLock { state in
                    if let taken = Self.next(&state) { return Taken?.some(taken) }
                    if Task.isCancelled { return .ended }
                    state.waiter = continuation
                    return nil
                }
                if let taken { continuation.resume(returning: taken) }
            }
        } onCancel: {
            end()
        }
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Taken, Never>
        let taken: Taken
        func resume() { continuation.resume(returning: taken) }
    }

    private static func wake(_ state: inout State) -> Waiter? {
        guard let continuation = state.waiter, let taken = next(&state) else { return nil }
        state.waiter = nil
        return Waiter(continuation: continuation, taken: taken)
    }

    private static func next(_ state: inout State) -> Taken? {
        if state.hasEnded { return .ended }
        guard let first = state.queue.first else { return state.behind.map { .behind($0) } }
        let events = state.queue.count == 1 ? first : Array(state.queue.joined())
        state.queue.removeAll()
        state.bytes = 0
        return .events(events)
    }

    private static func append(
        _ streamed: StreamedEvent, _ hubEvent: [UInt8], _ state: inout State
    ) {
        var event = hubEvent
        if let from = state.from {
            if streamed.vector.reaches(from) {
                state.from = nil
            } else {
                // The stream is ahead of the hub: it may have sent this record already, and the
                // vector of its id shows it.
                event = streamed.event(at: streamed.vector.joined(from))
            }
            guard streamed.offset >= from.offsets[streamed.partition] else { return }
        }
        state.queue.append(event)
        state.bytes += event.count
    }
}
