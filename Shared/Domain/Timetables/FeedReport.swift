public import Events

/// The result of a fetch.
public enum FetchOutcome: String, Hashable, Sendable, CaseIterable {
    /// The feed was read, and something in it may have changed.
    case read
    /// The server or a hash of the answer says that it is the same.
    case unchanged
    /// The feed lost all future bookings at once; they stay until the next fetch says the same.
    case suddenlyEmpty = "suddenly-empty"
    /// No answer came, or not an answer of this status.
    case failed
    /// The answer can't be read, or a path finds nothing in it.
    case unreadable
    /// Another process had claimed the feed meanwhile, so nothing was stored. No report has it.
    case lost
    /// The feed was changed or removed meanwhile, so nothing was stored. No report has it.
    case outdated

    public var isGood: Bool { self == .read || self == .unchanged }
}

/// The state of a feed: its last fetches, and what did not fit.
public struct FeedReport: Hashable, Sendable {
    public var fetchedAt: Timestamp?
    public var outcome: FetchOutcome?
    /// The last good fetch: the rows are as old as this.
    public var goodAt: Timestamp?
    public var nextAt: Timestamp?
    /// The end of the pause that the feed's host asked for, while the feed waits for it.
    public private(set) var pausedUntil: Timestamp?
    /// Failures in a row.
    public var failures = 0
    /// Why the last fetch failed, without any secret; nil after a good one.
    public var fault: String?
    /// The path that found nothing.
    public var path: String?
    public var unmatched = UnmatchedPlaces()
    /// Parts of the answer that were left out, at most a hundred lines. Where bookings are missing
    /// because of them, the first line says whether they count as cancelled.
    public var leftOut: [String] = []
    /// Bookings, or rooms with a number of free computers, in the last good answer.
    public var found = 0
    /// The moment from which the last answer that was read says something, if it was to come.
    public var coversFrom: Timestamp?
    /// The moment from which the last answer that was read says nothing; nil where there is none.
    public var coversUntil: Timestamp?
    /// The time of bookings that were left out of answers, as far as they may still be there.
    public var crowded: CrowdedTime?

    public init() {}

    /// Clocks of several machines may differ by so much. A time that is further ahead is of a clock
    /// that was wrong.
    public static let clockMicroseconds: Int64 = 60_000_000

    /// Notes that the feed waits for its host's pause, if that ends after the next fetch would be.
    /// A pause that is longer than hosts get is of a clock that was ahead, and holds nothing up.
    public mutating func wait(until end: Timestamp, at now: Timestamp) {
        let longest = Int64(FeedSchedule.longestHostPauseSeconds) * 1_000_000
        guard end > now, end - now <= longest + Self.clockMicroseconds,
            nextAt.map({ $0 < end }) ?? true
        else { return }
        (pausedUntil, nextAt) = (end, end)
    }

    /// Whether the last good fetch is longer ago than this, or in the future: the clock was ahead
    /// then, so nobody knows its age.
    public func isOlder(thanMicroseconds most: Int64, at now: Timestamp) -> Bool {
        guard let goodAt else { return true }
        let age = now - goodAt
        return age > most || age < -Self.clockMicroseconds
    }
}
