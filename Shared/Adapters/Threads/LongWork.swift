import Dispatch
import Synchronization

/// Runs work that keeps a processor busy for seconds, one piece after the other. It uses a thread
/// of its own, because the cooperative pool answers requests.
public struct LongWork: Sendable {
    private let queue: DispatchQueue

    public init(_ name: String) {
        queue = DispatchQueue(label: "whereabouts.\(name)", qos: .utility)
    }

    /// - Returns: nil when the task is cancelled first; the work then goes on without a result.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let answer = OneAnswer<Value>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                queue.async { answer.give(answer.isGiven ? nil : work()) }
            }
        } onCancel: {
            answer.give(nil)
        }
    }
}

/// A continuation that is resumed once: by the work or by the cancellation, whichever comes first.
private final class OneAnswer<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value?, Never>?
        var isGiven = false
    }

    private let state = Mutex(State())

    var isGiven: Bool { state.withLock { $0.isGiven } }

    func wait(_ continuation: CheckedContinuation<Value?, Never>) {
        let isGiven = state.withLock { state in
            if !state.isGiven { state.continuation = continuation }
            return state.isGiven
        }
        if isGiven { continuation.resume(returning: nil) }
    }

    func give(_ value: Value?) {
        let continuation = state.withLock { state in
            state.isGiven = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: value)
    }
}
