import Synchronization

/// Lets the same report through only a few times in a period, and counts the ones left out.
public final class Occasional<Key: Hashable & Sendable>: Sendable {
    public enum Decision: Hashable, Sendable {
        /// - Parameter leftOut: the number of reports refused since the last admitted one.
        case admit(leftOut: Int)
        case refuse
    }

    private struct Window {
        var start: ContinuousClock.Instant
        var count = 0
        var leftOut = 0
    }

    private let limit: Int
    private let period: Duration
    private let mostKeys: Int
    private let windows = Mutex<[Key: Window]>([:])

    /// - Parameters:
    ///   - limit: the number of reports of one key in a period.
    ///   - mostKeys: the number of keys to remember. Above it all are forgotten, which lets a few
    ///     more reports through.
    public init(_ limit: Int, per period: Duration, mostKeys: Int = 512) {
        self.limit = limit
        self.period = period
        self.mostKeys = mostKeys
    }

    public func decide(_ key: Key, at now: ContinuousClock.Instant = .now) -> Decision {
        windows.withLock { windows in
            if windows[key] == nil && windows.count >= mostKeys { windows = [:] }
            var window = windows[key] ?? Window(start: now)
            var before = 0
            if now - window.start >= period {
                before = window.leftOut
                window = Window(start: now)
            }
            window.count += 1
            let isAdmitted = window.count <= limit
            if !isAdmitted { window.leftOut += 1 }
            windows[key] = window
            return isAdmitted ? .admit(leftOut: before) : .refuse
        }
    }
}
