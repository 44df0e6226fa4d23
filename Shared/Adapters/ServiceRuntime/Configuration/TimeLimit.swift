import Synchronization

/// Runs work for at most this time. Returns nil when the limit has passed.
///
/// A task group would wait for work that ignores its cancellation. So the work runs in a task of
/// its own, which is cancelled and not waited for.
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
