public import Retrying
import Synchronization

/// A topic held in memory as a whole. It reads every partition from the first offset on, without a
/// group.
///
/// There is no value until the table has read everything that was in the log at the start. After
/// that each batch replaces the value at once. Faults that may pass are retried for ever, so the
/// log may start later than the service.
public final class LogTable<Value: Sendable>: Sendable {
    private struct Published {
        var value: Value?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let log: any EventLog
    private let topic: String
    private let initial: Value
    private let apply: @Sendable (inout Value, StoredRecord) -> Void
    private let onChange: @Sendable (Value) -> Void
    private let notices: Notices
    private let published = Mutex(Published())

    /// - Parameters:
    ///   - apply: applies one record to the value. It must itself report a record that it can't
    ///     read.
    ///   - onChange: called with each new value, on the reading task.
    public init(
        log: any EventLog, topic: String, initial: Value,
        apply: @escaping @Sendable (inout Value, StoredRecord) -> Void,
        onChange: @escaping @Sendable (Value) -> Void = { _ in },
        notices: Notices
    ) {
        self.log = log
        self.topic = topic
        self.initial = initial
        self.apply = apply
        self.onChange = onChange
        self.notices = notices
    }

    /// The newest value. Nil until the log has been read to its end once.
    public var current: Value? { published.withLock { $0.value } }

    /// Returns when there is a value.
    public func ready() async {
        await withCheckedContinuation { continuation in
            let isReady = published.withLock { state in
                guard state.value == nil else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Reads until the task is cancelled.
    public func run() async {
        await attemptUntilDone("Reading \(topic)", notices: notices) { retry in
            try await follow(&retry)
        }
    }

    private func follow(_ retry: inout Retry) async throws {
        let ranges = try await log.ranges(of: [topic])
        var value = initial
        try await log.readRange(ranges) { records in
            for record in records { apply(&value, record) }
        }
        retry.ended()
        publish(value)
        let reader = try await log.reader(from: ranges.mapValues(\.upperBound))
        do {
            while !Task.isCancelled {
                let records = try await reader.next(maximum: 1_000, wait: .seconds(1))
                retry.ended()
                guard !records.isEmpty else { continue }
                for record in records { apply(&value, record) }
                publish(value)
            }
        } catch {
            await reader.close()
            throw error
        }
        await reader.close()
    }

    private func publish(_ value: Value) {
        let waiters = published.withLock { state in
            state.value = value
            defer { state.waiters = [] }
            return state.waiters
        }
        onChange(value)
        for waiter in waiters { waiter.resume() }
    }
}
