import Glibc

/// A thread for calls that block, which must not run on the cooperative pool.
final class OwnThread: Sendable {
    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: pthread_t

    init(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        // The new thread takes the work over and releases it.
        let work = Unmanaged.passRetained(Work(run)).toOpaque()
        let result = pthread_create(&thread, nil, ownThreadMain, work)
        precondition(result == 0, "no thread could be made: \(result)")
        self.thread = thread
    }

    /// Waits for its end; at most once.
    func join() { pthread_join(thread, nil) }

    /// Runs blocking work on a thread of its own and waits for it without blocking.
    static func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = OwnThread { continuation.resume(returning: work()) }
            pthread_detach(thread.thread)
        }
    }

    fileprivate static func runWork(_ work: UnsafeMutableRawPointer) {
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run()
    }
}

private func ownThreadMain(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { OwnThread.runWork(work) }
    return nil
}
