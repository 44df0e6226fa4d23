import CMicrohttpd
import Synchronization

/// A response body that is sent as it comes: a task fills it, libmicrohttpd's thread empties it,
/// and while it is empty the connection is suspended.
///
/// Safe to share although unchecked: all that changes is behind the lock. Other threads only name
/// the handle to the loop, once for each time that the connection is suspended, and it stays
/// suspended until the loop resumes it for that.
final class StreamedBody: ConnectionWaiter, @unchecked Sendable {
    enum Ending: Sendable { case finished, failed }

    /// How much libmicrohttpd asks for at a time for a client of HTTP/1.0. All others get chunks
    /// that it writes into the connection's own memory, yet it allots and clears this much for each
    /// stream.
    static let blockBytes = 512
    /// A pulled body is asked for more below this.
    private static let lowWaterBytes = 65_536

    private struct State: Sendable {
        var unsent: [UInt8] = []
        var sentCount = 0
        var ending: Ending?
        var isSuspended = false
        var isClosed = false
        var pump: Task<Void, Never>?
        var roomWaiter: CheckedContinuation<Bool, Never>?

        var unsentCount: Int { unsent.count - sentCount }
    }

    private let loop: PollingLoop
    private let connectionID: UInt64
    private let handle: OpaquePointer
    private let maximumUnsentBytes: Int
    /// Whom it is sent to; nil where that doesn't matter.
    private let principal: (any Principal)?
    private let state = Mutex(State())

    init(_ exchange: Exchange, maximumUnsentBytes: Int) {
        loop = exchange.loop
        connectionID = exchange.connection.id
        handle = exchange.handle
        principal = exchange.principal
        self.maximumUnsentBytes = maximumUnsentBytes
    }

    func start(_ fill: @escaping @Sendable (StreamedBody) async -> Void) {
        let pump = Task { [self] in await fill(self) }
        state.withLock { $0.pump = pump }
    }

    /// Adds a chunk; false when nobody wants it any more. A client that has left too much unread is
    /// cut here. One chunk alone may be larger than the limit.
    func append(_ chunk: [UInt8]) -> Bool {
        let (isWanted, isTooSlow) = state.withLock { state -> (Bool, Bool) in
            guard state.ending == nil, !state.isClosed else { return (false, false) }
            if state.unsentCount > 0, state.unsentCount + chunk.count > maximumUnsentBytes {
                state.ending = .failed
                return (false, true)
            }
            if state.unsentCount == 0 {
                state.unsent = chunk
                state.sentCount = 0
            } else {
                state.unsent += chunk
            }
            if !chunk.isEmpty { resume(&state) }
            return (true, false)
        }
        if isTooSlow { loop.send(.cut(connection: connectionID)) }
        return isWanted
    }

    /// Waits until the client has taken most of what there is; false when it has gone.
    func hasRoom() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if state.ending != nil || state.isClosed { return false }
                if state.unsentCount <= Self.lowWaterBytes { return true }
                state.roomWaiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func end(_ ending: Ending) {
        let waiter = state.withLock { state in
            if state.ending == nil { state.ending = ending }
            resume(&state)
            return state.roomWaiter.take()
        }
        waiter?.resume(returning: false)
    }

    /// Called by libmicrohttpd: copies what is there, or suspends the connection and returns 0.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, waiter) = state.withLock { state in
            let count = take(&state, buffer)
            let hasRoom = state.unsentCount <= Self.lowWaterBytes
            return (count, hasRoom ? state.roomWaiter.take() : nil)
        }
        waiter?.resume(returning: true)
        return count
    }

    /// libmicrohttpd is done with the response, or the client has gone.
    func close() {
        let (pump, waiter) = state.withLock { state in
            state.isClosed = true
            state.unsent = []
            state.sentCount = 0
            return (state.pump.take(), state.roomWaiter.take())
        }
        waiter?.resume(returning: false)
        pump?.cancel()
    }

    func abandon() {
        stop(.failed)
        loop.send(.cut(connection: connectionID))
    }

    func drain() { stop(.finished) }

    func endUnlessHeld(by handler: RequestHandler) {
        if let principal, !handler.holds(principal) { stop(.finished) }
    }

    private func stop(_ ending: Ending) {
        end(ending)
        state.withLock { $0.pump.take() }?.cancel()
    }

    private func take(_ state: inout State, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, state.unsentCount)
        if count > 0, state.ending != .failed {
            state.unsent.withUnsafeBytes { bytes in
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: bytes[state.sentCount..<(state.sentCount + count)]))
            }
            state.sentCount += count
            loop.isOwedMore = true
            // Moved down only when half has gone, so that a long stream costs linear time.
            if state.unsentCount == 0 {
                // A chunk is shared by all streams that send it: to keep its capacity would copy
                // it.
                state.unsent = []
                state.sentCount = 0
            } else if state.sentCount > state.unsent.count / 2 {
                state.unsent.removeFirst(state.sentCount)
                state.sentCount = 0
            }
            return count
        }
        switch state.ending {
        case .finished: return -1
        case .failed: return -2
        case nil:
            if loop.isStopping { return -2 }
            MHD_suspend_connection(handle)
            state.isSuspended = true
            return 0
        }
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        loop.send(.resume(handle))
    }
}
