import EventLog
import Kafka
import Synchronization
import Threads

/// A thread that sends administration requests to the brokers, one after the other.
actor AdministrationLane {
    private let executor = ThreadExecutor(name: "kafka-admin")
    private let waiting = Atomic(0)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The number of requests that run or wait here.
    nonisolated var load: Int { waiting.load(ordering: .relaxed) }

    nonisolated func ask<Answer: Sendable>(
        _ question: @Sendable () throws(EventLogError) -> Answer
    ) async throws(EventLogError) -> Answer {
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        return try await run(question)
    }

    private func run<Answer: Sendable>(
        _ question: @Sendable () throws(EventLogError) -> Answer
    ) throws(EventLogError) -> Answer {
        try question()
    }
}
