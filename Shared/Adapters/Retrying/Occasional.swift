import Synchronization

/// Lets the same report through a few times in a while, and counts the others.
public final class Occasional<Key: Hashable & Sendable>: Sendable {
    public enum Decision: Hashable, Sendable {
        /// - Parameter leftOut: reports refused since the last that was admitted.
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
    ///   - limit: reports of one key in a period.
    ///   - mostKeys: remembered at a time; past it all are forgotten, and a few more come through.
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
