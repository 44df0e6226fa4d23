import Dispatch

/// Runs blocking work on threads of its own, never on those of the cooperative pool, so that it
/// delays nothing else.
public struct BlockingWork: Sendable {
    private let queue: DispatchQueue

    public init(_ label: String) {
        queue = DispatchQueue(label: "whereabouts.\(label)", attributes: .concurrent)
    }

    public func callAsFunction<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
