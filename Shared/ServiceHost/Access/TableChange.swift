import Synchronization

/// Lets tasks wait until a table in memory fulfils a condition.
final class TableChange: Sendable {
    private struct Waiting {
        var next: UInt64 = 0
        var streams: [UInt64: AsyncStream<Void>.Continuation] = [:]
    }

    private let waiting = Mutex(Waiting())

    /// Wakes the waiting tasks after a change of the table.
    func changed() {
        let streams = waiting.withLock { Array($0.streams.values) }
        for stream in streams { stream.yield() }
    }

    /// Waits until the condition holds; false when the time ran out before.
    func wait(atMost patience: Duration, until isSo: @escaping @Sendable () -> Bool) async -> Bool {
        let (changes, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = waiting.withLock { waiting in
            waiting.next += 1
            waiting.streams[waiting.next] = continuation
            return waiting.next
        }
        defer { _ = waiting.withLock { $0.streams.removeValue(forKey: id) } }
        if isSo() { return true }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await _ in changes where isSo() { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
