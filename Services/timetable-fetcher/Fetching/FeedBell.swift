import Synchronization

/// Wakes the fetching of feeds before its next turn.
///
/// Each listener gets a stream of its own. If a task that waits on a stream is cancelled, that
/// stream is over for good, and nobody can wait on it afterwards.
final class FeedBell: Sendable {
    private let listener = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// Wakes the listener; nothing where none listens.
    func ring() { listener.withLock { _ = $0?.yield() } }

    /// The rings from now on. An earlier listener gets no more.
    func rings() -> AsyncStream<Void> {
        let (rings, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        listener.withLock { $0 = continuation }
        return rings
    }
}
