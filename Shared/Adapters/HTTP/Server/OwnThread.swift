import Glibc

/// Runs blocking work on a new thread, because it must not run on the cooperative pool.
enum OwnThread {
    fileprivate final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs the work on a new thread. The thread ends when the work does.
    static func run(_ work: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        // The new thread owns the work and releases it.
        let opaque = Unmanaged.passRetained(Work(work)).toOpaque()
        let result = pthread_create(&thread, nil, ownThreadMain, opaque)
        precondition(result == 0, "no thread could be started: \(result)")
        pthread_detach(thread)
    }
}

private func ownThreadMain(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { Unmanaged<OwnThread.Work>.fromOpaque(work).takeRetainedValue().run() }
    return nil
}
