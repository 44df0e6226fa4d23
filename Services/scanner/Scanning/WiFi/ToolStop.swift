import Synchronization

/// Lets a task stop a tool that runs on a thread of its own.
final class ToolStop: Sendable {
    private let stopped = Mutex(false)

    var isStopped: Bool { stopped.withLock(\.self) }

    func stop() { stopped.withLock { $0 = true } }
}
