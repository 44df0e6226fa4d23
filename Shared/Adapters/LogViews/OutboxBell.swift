/// Wakes the relay of an outbox as soon as an event waits, before the relay's next turn. Only one
/// relay may listen.
public struct OutboxBell: Sendable {
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    public init() {
        (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the relay. Call it after the command's transaction: before the commit the relay finds
    /// nothing.
    public func ring() { continuation.yield() }
}
