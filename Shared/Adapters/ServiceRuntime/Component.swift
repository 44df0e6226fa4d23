/// A part of a service that is started and stopped: a server, a consumer, a pool.
public protocol Component: Sendable {
    var name: String { get }

    /// Returns when the component can be used by those after it. Cancelled when a stop is asked for
    /// meanwhile.
    func start() async throws

    /// The component's lasting work; called once after `start`. Throwing, or returning before the
    /// group stops, brings the whole group down. Cancelled after `stop` has returned.
    func run() async throws

    /// Ends the work and lets go of everything. Called once, also when `start` threw.
    func stop() async
}

extension Component {
    public func start() async throws {}

    /// Waits until the group stops, for components that work on threads of their own.
    public func run() async throws {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }
}
