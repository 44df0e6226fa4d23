public import Events

/// Decides when a feed is fetched again.
public struct FeedSchedule: Hashable, Sendable {
    public static let defaultSeconds = 900
    public static let secondsAllowed = 60...86_400
    /// The pause after a first failure, unless the feed's own interval is shorter.
    private static let firstSeconds = 60
    /// The longest pause after failures, unless the feed's own interval is longer.
    private static let longestSeconds = 6 * 3_600
    /// A server may ask for a longer pause than this; it does not get it.
    private static let longestRetryAfterSeconds = 86_400
    /// The longest pause of a whole host, since it also has feeds of other sites.
    public static let longestHostPauseSeconds = 3_600
    private static let microseconds: Int64 = 1_000_000
    /// A feed that was not read for this many of its intervals is old.
    private static let oldIntervals = 12
    /// Free computers change within minutes, so that their number is not believed for longer.
    private static let longestCountSeconds = 3_600

    /// The pause between two good fetches.
    public var everySeconds: Int

    public init(everySeconds: Int = defaultSeconds) { self.everySeconds = everySeconds }

    /// The seconds without a good fetch after which the feed is old.
    public var oldSeconds: Int { Self.oldIntervals * everySeconds }

    /// The seconds without a good fetch after which its free computers are unknown. A feed that is
    /// fetched seldom may miss one fetch.
    public var countSeconds: Int {
        min(oldSeconds, max(Self.longestCountSeconds, 2 * everySeconds))
    }

    /// The time of the next fetch after one that ended at `moment`.
    ///
    /// - Parameters:
    ///   - failures: the failures in a row, this fetch included; 0 after a good one. The first one
    ///     is tried again soon, and each further one doubles the pause.
    ///   - retryAfterSeconds: the pause that the server asked for.
    ///   - spread: from 0 to below 1, the same for each fetch of a feed. Feeds that failed
    ///     together are not tried together again.
    public func next(
        after moment: Timestamp, failures: Int, retryAfterSeconds: Int? = nil, spread: Double = 0
    ) -> Timestamp {
        let longest = max(everySeconds, Self.longestSeconds)
        let first = min(everySeconds, Self.firstSeconds)
        let seconds =
            failures > 0 ? min(first << min(failures - 1, 20), longest) : everySeconds
        var pause = Int64(seconds) * Self.microseconds
        if failures > 0 { pause += Int64(Double(pause) * 0.1 * min(max(spread, 0), 1)) }
        let asked = min(retryAfterSeconds ?? 0, Self.longestRetryAfterSeconds)
        return moment.advanced(byMicroseconds: max(pause, Int64(asked) * Self.microseconds))
    }

    /// The time before which no feed of the host is fetched, at most an hour later. Nil where the
    /// host did not ask for a pause.
    public static func hostPause(after moment: Timestamp, retryAfterSeconds: Int?) -> Timestamp? {
        guard let asked = retryAfterSeconds, asked > 0 else { return nil }
        return moment.advanced(
            byMicroseconds: Int64(min(asked, longestHostPauseSeconds)) * microseconds)
    }
}
