/// Tells the relay of an outbox that something waits, so that it need not wait for the relay's next
/// turn. One relay listens.
public struct OutboxBell: Sendable {
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    public init() {
        (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// To be called after the command's transaction: before, nothing would be found.
    public func ring() { continuation.yield() }
}
