import CMicrohttpd
import Synchronization

/// A response body that is sent while it is made. A task fills it, and libmicrohttpd's thread
/// empties it. While it is empty the connection is suspended.
///
/// Safe to share although unchecked: a lock guards everything that changes. Other threads only pass
/// the handle to the loop, once per suspension. The connection stays suspended until the loop
/// resumes it.
final class StreamedBody: ConnectionWaiter, @unchecked Sendable {
    enum Ending: Sendable { case finished, failed }

    /// The block size that libmicrohttpd requests for an HTTP/1.0 client. Other clients get chunks
    /// from the connection's own memory. Still, libmicrohttpd allocates and clears one block for
    /// each stream.
    static let blockBytes = 512
    /// A pulled body is asked for more when fewer bytes than this are unsent.
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
    /// The receiver of the stream. Nil where its validity does not matter.
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

    /// Adds a chunk. Returns false when nobody wants it any more. It cuts a client that has left
    /// too many bytes unread. A single chunk may exceed the limit.
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

    /// Waits until the client has read most of the bytes. Returns false when the client has gone.
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

    /// Called by libmicrohttpd. It copies unsent bytes, or suspends the connection and returns 0.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, waiter) = state.withLock { state in
            let count = dequeue(&state, buffer)
            let hasRoom = state.unsentCount <= Self.lowWaterBytes
            return (count, hasRoom ? state.roomWaiter.take() : nil)
        }
        waiter?.resume(returning: true)
        return count
    }

    /// Called when libmicrohttpd has finished with the response or the client has gone.
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

    private func dequeue(_ state: inout State, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, state.unsentCount)
        if count > 0, state.ending != .failed {
            state.unsent.withUnsafeBytes { bytes in
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: bytes[state.sentCount..<(state.sentCount + count)]))
            }
            state.sentCount += count
            loop.isOwedMore = true
            // Sent bytes are removed only when half of the buffer is sent, so a long stream costs
            // linear time.
            if state.unsentCount == 0 {
                // Streams share a chunk. Keeping its capacity would copy the chunk.
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
