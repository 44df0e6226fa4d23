/// Runs one actor's jobs in order on a thread of its own. Calls that block in C then never hold a
/// thread of the cooperative pool.
///
/// When the executor is released, the thread finishes the queued jobs and ends.
public final class ThreadExecutor: SerialExecutor {
    private let jobs = JobQueue()

    /// - Parameter name: the thread's name.
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
    private let condition = Condition()
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
