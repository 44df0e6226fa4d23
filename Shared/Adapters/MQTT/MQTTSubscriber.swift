import Dispatch
import Synchronization
import Threads

/// Hears a broker's messages, each at least once as far as its QoS goes.
///
/// A message of QoS 1 is acknowledged after `deliver` has returned. So the broker sends it again
/// when this process dies before. A message of QoS 0 is never sent again.
public final class MQTTSubscriber: Sendable {
    private let configuration: MQTTConfiguration

    public init(_ configuration: MQTTConfiguration) { self.configuration = configuration }

    /// Connects and delivers until the task is cancelled or the connection ends. While `deliver`
    /// works, nothing more is read, and the broker waits.
    ///
    /// - Parameters:
    ///   - onReady: is called when the broker has accepted the subscription.
    ///   - deliver: makes the messages safe. An error ends the connection, and the messages come
    ///     again with the next.
    /// - Throws: an `MQTTError`, or the error of `deliver`.
    public func run(
        onReady: @escaping @Sendable () -> Void = {},
        deliver: @escaping @Sendable (MQTTBatch) async throws -> Void
    ) async throws {
        let stop = MQTTStop()
        let outcome = MQTTOutcome()
        let configuration = configuration
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                outcome.wait(continuation)
                startThread(named: "mqtt") {
                    outcome.give(Self.work(configuration, stop, onReady, deliver))
                }
            }
        } onCancel: {
            stop.request()
            // The thread may be connecting, which can take minutes. It ends by itself.
            outcome.give(.success(()))
        }
    }

    /// Runs a connection on the calling thread.
    private static func work(
        _ configuration: MQTTConfiguration, _ stop: MQTTStop,
        _ onReady: () -> Void,
        _ deliver: @escaping @Sendable (MQTTBatch) async throws -> Void
    ) -> Result<Void, any Error> {
        var failure: (any Error)?
        do throws(MQTTError) {
            let connection = try MQTTConnection(configuration)
            try connection.run(until: stop, onReady: onReady) { batch in
                failure = MQTTDelivery().run(batch, stop, deliver)
                return failure == nil
            }
        } catch {
            return .failure(error)
        }
        return failure.map { .failure($0) } ?? .success(())
    }
}

/// One batch on its way. The connection's thread waits for it.
private final class MQTTDelivery: Sendable {
    private let failure = Mutex<(any Error)?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    /// Returns the error of the delivery.
    func run(
        _ batch: MQTTBatch, _ stop: MQTTStop,
        _ deliver: @escaping @Sendable (MQTTBatch) async throws -> Void
    ) -> (any Error)? {
        let task = Task {
            do {
                try await deliver(batch)
            } catch {
                failure.withLock { $0 = error }
            }
            isDone.signal()
        }
        stop.deliver(by: task)
        isDone.wait()
        stop.deliver(by: nil)
        return failure.withLock { $0 }
    }
}

/// The result of a connection, for the task that waits. The first one counts.
private final class MQTTOutcome: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var result: Result<Void, any Error>?
    }

    private let state = Mutex(State())

    func wait(_ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }

    func give(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state in
            if state.result == nil { state.result = result }
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}
