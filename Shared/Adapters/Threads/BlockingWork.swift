import Dispatch

/// Runs blocking work on threads of its own, many pieces at a time. It never uses the threads of
/// the cooperative pool, so it delays nothing else.
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
