import Dispatch
import Synchronization

/// Hands pieces of bytes from a thread that blocks to a task that writes them. At most one piece
/// waits while another is written, so neither side runs far ahead.
final class PieceChannel: Sendable {
    /// The task that writes has failed; `finish` throws its error.
    struct Stopped: Error {}

    private final class Room: Sendable {
        let free = DispatchSemaphore(value: most)
        let isStopped = Mutex(false)
    }

    private static let most = 2

    private let room: Room
    private let continuation: AsyncStream<[UInt8]>.Continuation
    private let writer: Task<Void, any Error>

    /// - Parameter write: gets the pieces in their order.
    init(_ write: @escaping @Sendable ([UInt8]) async throws -> Void) {
        let (pieces, continuation) = AsyncStream<[UInt8]>.makeStream()
        let room = Room()
        self.continuation = continuation
        self.room = room
        writer = Task {
            do {
                for await piece in pieces {
                    try await write(piece)
                    room.free.signal()
                }
            } catch {
                room.isStopped.withLock { $0 = true }
                // Nobody takes the pieces that wait.
                for _ in 0..<Self.most { room.free.signal() }
                throw error
            }
        }
    }

    /// Waits for room, then hands the piece over. Blocks.
    func put(_ piece: [UInt8]) throws(Stopped) {
        room.free.wait()
        guard !room.isStopped.withLock(\.self) else {
            room.free.signal()
            throw Stopped()
        }
        continuation.yield(piece)
    }

    /// Waits until all pieces are written that were put. Blocks.
    func waitUntilEmpty() {
        for _ in 0..<Self.most { room.free.wait() }
        for _ in 0..<Self.most { room.free.signal() }
    }

    /// Waits until all pieces are written.
    func finish() async throws {
        continuation.finish()
        try await writer.value
    }
}
