import Synchronization

/// Runs work and stops waiting for it when the limit has passed; nil then.
///
/// A task group would wait for work that ignores its cancellation, so the work is a task of its own
/// that is cancelled and left behind.
public func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    let (stream, continuation) = AsyncStream<Value?>.makeStream()
    let working = Task {
        let value = await work()
        continuation.yield(value)
    }
    let timing = Task {
        try? await Task.sleep(for: limit)
        continuation.yield(nil)
    }
    defer {
        working.cancel()
        timing.cancel()
    }
    for await first in stream { return first }
    return nil
}
