import Synchronization

/// Limits how often each message is written per minute. All copies of a logger share it.
final class LogLimiter: Sendable {
    enum Decision: Equatable {
        case admit(leftOut: Int)
        case refuse
    }

    private struct Key: Hashable {
        let level: LogLevel
        let message: String
    }
    private struct Window {
        var start: Int64
        var count = 0
        var leftOut = 0
    }

    static let linesPerWindow = 10
    static let windowNanoseconds: Int64 = 60_000_000_000
    /// The number of messages to remember. Above it all are forgotten, which allows a few more
    /// lines.
    static let messageLimit = 512

    private let windows = Mutex<[Key: Window]>([:])

    func admit(_ level: LogLevel, _ message: String, atNanoseconds now: Int64) -> Decision {
        let key = Key(level: level, message: message)
        return windows.withLock { windows in
            if windows[key] == nil && windows.count >= Self.messageLimit { windows = [:] }
            var window = windows[key] ?? Window(start: now)
            var before = 0
            if now - window.start >= Self.windowNanoseconds {
                before = window.leftOut
                window = Window(start: now)
            }
            window.count += 1
            let admitted = window.count <= Self.linesPerWindow
            if !admitted { window.leftOut += 1 }
            windows[key] = window
            return admitted ? .admit(leftOut: before) : .refuse
        }
    }
}
