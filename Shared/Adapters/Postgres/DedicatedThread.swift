import Foundation

/// Runs an actor's jobs, in order, on a thread of its own, so that blocking C calls never hold a
/// thread of the cooperative pool. The thread ends when the executor is released.
final class DedicatedThread: SerialExecutor {
    private let jobs = JobQueue()

    init(name: String) {
        let jobs = jobs
        startThread(named: name) { jobs.runUntilFinished() }
    }

    deinit { jobs.finish() }

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.append(UnownedJob(job), for: asUnownedSerialExecutor())
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}

/// Starts a thread. It is a function of its own so that the block is formed outside any actor.
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.stackSize = 1 << 20
    thread.start()
}

/// Safe to share: everything that changes is guarded by the condition.
private final class JobQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [(UnownedJob, UnownedSerialExecutor)] = []
    private var finished = false

    func append(_ job: UnownedJob, for executor: UnownedSerialExecutor) {
        condition.lock()
        waiting.append((job, executor))
        condition.signal()
        condition.unlock()
    }

    func finish() {
        condition.lock()
        finished = true
        condition.signal()
        condition.unlock()
    }

    func runUntilFinished() {
        while let batch = dequeueAll() {
            for (job, executor) in batch { job.runSynchronously(on: executor) }
        }
    }

    private func dequeueAll() -> [(UnownedJob, UnownedSerialExecutor)]? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty, !finished { condition.wait() }
        guard !waiting.isEmpty else { return nil }
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }
}
