import Glibc

/// Starts a thread for blocking work, which must not run on the cooperative pool. The thread ends
/// with its work.
///
/// A process that cannot have one more thread ends with the reason, so that its supervisor starts
/// it again. Foundation's own `Thread` hides this failure.
///
/// - Parameters:
///   - name: shown by `top -H`. Linux keeps its first 15 characters.
///   - stackBytes: the most that the work's stack may use.
public func startThread(
    named name: String, stackBytes: Int = 1 << 20, _ work: @escaping @Sendable () -> Void
) {
    // The new thread takes over this reference, so the work lives until it has run.
    let body = Unmanaged.passRetained(ThreadBody(name, work))
    let failure = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { space in
        let attributes = space.baseAddress!
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, stackBytes)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        return pthread_create(
            &thread, attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
    }
    precondition(failure == 0, "no thread for \(name): \(String(cString: strerror(failure)))")
}

private final class ThreadBody: Sendable {
    private let name: String
    private let work: @Sendable () -> Void

    init(_ name: String, _ work: @escaping @Sendable () -> Void) {
        self.name = name
        self.work = work
    }

    func run() {
        setName()
        work()
    }

    /// By the kernel's file, since glibc shows its function to GNU's own dialect of C only. Without
    /// the file the thread keeps the process's name.
    private func setName() {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let bytes = Array(name.utf8)
        _ = write(file, bytes, bytes.count)
        close(file)
    }
}
