public import Events

/// The time of which a feed's bookings are kept up to date.
public struct TimetableHorizon: Hashable, Sendable {
    public static let microsecondsPerDay: Int64 = 86_400_000_000
    private static let daysBefore: Int64 = 7
    private static let daysAfter: Int64 = 400
    /// Questions are answered for fewer days ahead, since a feed may have been read days ago.
    private static let daysAnswered: Int64 = 365
    /// A booking that ended longer ago than this is forgotten.
    private static let daysKept: Int64 = 31
    /// The same for one that was cancelled longer ago than this. Some sources give each booking
    /// another id at each export, and all former ones are cancelled then.
    private static let daysCancelledKept: Int64 = 7

    public var begins: Timestamp
    public var ends: Timestamp

    public init(begins: Timestamp, ends: Timestamp) {
        self.begins = begins
        self.ends = ends
    }

    /// From a week before to 400 days after the moment.
    public init(around moment: Timestamp) {
        begins = moment.advanced(byMicroseconds: -Self.daysBefore * Self.microsecondsPerDay)
        ends = moment.advanced(byMicroseconds: Self.daysAfter * Self.microsecondsPerDay)
    }

    /// The time for which rooms can be called free, and weeks empty: from a week before to a year
    /// after the moment. Nobody knows all bookings at other times.
    public static func answered(at now: Timestamp) -> TimetableHorizon {
        var horizon = TimetableHorizon(around: now)
        horizon.ends = now.advanced(byMicroseconds: daysAnswered * microsecondsPerDay)
        return horizon
    }

    /// Whether a time from one moment to another lies in it, at least in part.
    public func meets(_ starts: Timestamp, _ end: Timestamp) -> Bool {
        starts < ends && end > begins
    }

    /// Whether all of the period lies in it.
    public func holds(_ period: Range<Timestamp>) -> Bool {
        period.lowerBound >= begins && period.upperBound <= ends
    }

    /// Bookings that ended before this are forgotten.
    public static func forgotten(at now: Timestamp) -> Timestamp {
        now.advanced(byMicroseconds: -daysKept * microsecondsPerDay)
    }

    /// Bookings that were cancelled before this are forgotten.
    public static func cancelledForgotten(at now: Timestamp) -> Timestamp {
        now.advanced(byMicroseconds: -daysCancelledKept * microsecondsPerDay)
    }
}
