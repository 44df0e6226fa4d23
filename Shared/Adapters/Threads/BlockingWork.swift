import Dispatch

/// Runs work that blocks on threads of its own, many pieces at a time, never on those of the
/// cooperative pool.
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
