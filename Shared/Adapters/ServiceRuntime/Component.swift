/// A part of a service that is started and stopped: a server, a consumer, a pool.
public protocol Component: Sendable {
    var name: String { get }

    /// Returns when later components can use this one. It is cancelled if a stop is requested
    /// meanwhile.
    func start() async throws

    /// The component's long-running work, called once after `start`. If it throws, or returns
    /// before the group stops, the complete group stops. It is cancelled after `stop` has returned.
    func run() async throws

    /// Ends the work and frees all resources. Called once, even when `start` threw.
    func stop() async
}

extension Component {
    public func start() async throws {}

    /// Waits until the group stops. This default is for components that work on their own threads.
    public func run() async throws {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }
}
