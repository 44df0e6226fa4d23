internal import Events
import Glibc
internal import Wire

/// Passes scan requests, as lines on standard output, to the program that writes the lines of
/// `--from -`. It knows which requests wait for a line with their id.
actor RequestLines {
    /// The server permits 8 open requests of a scanner.
    private static let mostOpen = 32
    /// The longest time of a scan: it may end so much later than the time in which it begins.
    private static let secondsForScan = 30.0
    private static let mostEnded = 256

    private let write: @Sendable (_ line: String) -> Bool
    private let wait: @Sendable (_ seconds: Double) async -> Void
    /// Called with the fault of passing, or nil when it works.
    private let onFault: @Sendable (String?) async -> Void
    private var open: [EventID: ScannerTask] = [:]
    /// The last requests that ended without an answer, oldest first.
    private var ended: [EventID] = []

    /// - Parameter write: writes a line and returns whether the program has room for it.
    init(
        write: @escaping @Sendable (_ line: String) -> Bool = RequestLines.standardOutput,
        wait: @escaping @Sendable (_ seconds: Double) async -> Void,
        onFault: @escaping @Sendable (String?) async -> Void
    ) {
        self.write = write
        self.wait = wait
        self.onFault = onFault
    }

    /// Passes a request on, and waits until nobody answers it any more. If the task is cancelled,
    /// the program gets a line that says so.
    func begin(_ task: ScannerTask) async {
        guard open.count < Self.mostOpen else { return }
        let seconds = (task.secondsLeft * 10).rounded() / 10
        let line = #"{"request":"\#(task.id)","store":\#(task.isStored),"secondsLeft":\#(seconds)}"#
        // Before it is written, since the answer may be quick.
        open[task.id] = task
        guard write(line + "\n") else {
            open[task.id] = nil
            return await onFault("the program does not read the requests on standard output")
        }
        await onFault(nil)
        await wait(task.secondsLeft + Self.secondsForScan)
        guard open.removeValue(forKey: task.id) != nil else { return }
        if ended.count >= Self.mostEnded { ended.removeFirst() }
        ended.append(task.id)
        guard Task.isCancelled else { return }
        _ = write(#"{"cancelled":"\#(task.id)"}"# + "\n")
    }

    /// The request with this id, which counts as answered from now on. Nil where there is none that
    /// waits.
    func dequeue(_ id: EventID) -> ScannerTask? { open.removeValue(forKey: id) }

    /// Whether this request was cancelled, or its time ran out, before an answer came.
    func hasEnded(_ id: EventID) -> Bool { ended.contains(id) }

    /// Writes a line if that takes no time. A pipe that poll(2) calls writable has room for 4,096
    /// bytes. To wait for a program that waits for us would be a deadlock.
    static let standardOutput: @Sendable (_ line: String) -> Bool = { line in
        var waiting = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, 0) > 0, waiting.revents & Int16(POLLOUT) != 0 else { return false }
        let bytes = Array(line.utf8)
        return Glibc.write(STDOUT_FILENO, bytes, bytes.count) == bytes.count
    }
}
