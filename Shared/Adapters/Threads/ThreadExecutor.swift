import Foundation

/// Runs one actor's jobs in order on a thread of its own, so that calls which block in C never hold
/// a thread of the cooperative pool.
///
/// The thread ends when the executor is released and the jobs before are done.
public final class ThreadExecutor: SerialExecutor {
    private let jobs = JobQueue()

    /// - Parameter name: the thread's.
    public init(name: String) {
        let jobs = jobs
        startThread(named: name) { jobs.runUntilFinished() }
    }

    deinit { jobs.finish() }

    public func enqueue(_ job: consuming ExecutorJob) {
        jobs.append(UnownedJob(job), for: asUnownedSerialExecutor())
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}

/// Jobs that wait for the thread.
///
/// Safe to share: the condition guards everything that changes.
private final class JobQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [(UnownedJob, UnownedSerialExecutor)] = []
    private var isFinished = false

    func append(_ job: UnownedJob, for executor: UnownedSerialExecutor) {
        condition.lock()
        waiting.append((job, executor))
        condition.signal()
        condition.unlock()
    }

    func finish() {
        condition.lock()
        isFinished = true
        condition.signal()
        condition.unlock()
    }

    func runUntilFinished() {
        while let batch = dequeueAll() {
            for (job, executor) in batch { job.runSynchronously(on: executor) }
        }
    }

    /// Waits for jobs; nil when no more can come.
    private func dequeueAll() -> [(UnownedJob, UnownedSerialExecutor)]? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty, !isFinished { condition.wait() }
        guard !waiting.isEmpty else { return nil }
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }
}
