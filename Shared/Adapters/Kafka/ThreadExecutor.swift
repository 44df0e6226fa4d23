import Glibc

/// Runs the jobs of one actor on a thread of its own. Calls that block in C then never hold a
/// thread of the cooperative pool.
///
/// After `stop` the thread finishes the jobs that are already queued and ends.
public final class ThreadExecutor: SerialExecutor, @unchecked Sendable {
    // Safe to share: everything mutable is touched with the mutex held. The mutex and the condition
    // keep their addresses until deinit. The thread keeps the executor alive while it runs.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
    private var isStopped = false

    public init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        startThread { self.run() }
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Lets the thread end. No actor may use the executor after this call.
    public func stop() {
        pthread_mutex_lock(mutex)
        isStopped = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    private func run() {
        while let batch = nextJobs() {
            for job in batch { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    private func nextJobs() -> [UnownedJob]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty {
            if isStopped { return nil }
            pthread_cond_wait(condition, mutex)
        }
        defer { jobs = [] }
        return jobs
    }
}

private final class ThreadBody {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Starts a detached thread. The process stops if the system refuses a thread: it cannot work
/// without.
func startThread(_ run: @escaping @Sendable () -> Void) {
    // The new thread owns this reference, so the body lives until it has run.
    let body = Unmanaged.passRetained(ThreadBody(run))
    var thread = pthread_t()
    let failure = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, body.toOpaque())
    precondition(failure == 0, "no thread could be started: \(String(cString: strerror(failure)))")
    pthread_detach(thread)
}
