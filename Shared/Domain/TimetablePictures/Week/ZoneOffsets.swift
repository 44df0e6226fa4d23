public import Events
public import Timetables

/// The offsets of one time zone in some period: local time minus UTC.
///
/// The domain has no table of time zones, so the caller reads them from the system.
public struct ZoneOffsets: Hashable, Sendable {
    /// A change to another offset, such as the end of summer time.
    public struct Change: Hashable, Sendable {
        public var at: Timestamp
        public var offsetSeconds: Int

        public init(at: Timestamp, offsetSeconds: Int) {
            self.at = at
            self.offsetSeconds = offsetSeconds
        }
    }

    /// The zone's IANA name, such as `Europe/London`.
    public var name: String
    /// The offset before the first change.
    public var firstOffsetSeconds: Int
    public private(set) var changes: [Change]

    public init(name: String, firstOffsetSeconds: Int = 0, changes: [Change] = []) {
        self.name = name
        self.firstOffsetSeconds = firstOffsetSeconds
        self.changes = changes.sorted { $0.at < $1.at }
    }

    public func offsetSeconds(at moment: Timestamp) -> Int {
        changes.last { $0.at <= moment }?.offsetSeconds ?? firstOffsetSeconds
    }

    /// The day and the minute of the day that a clock on the wall shows.
    public func local(_ moment: Timestamp) -> LocalTime {
        let seconds = floored(moment.microseconds, 1_000_000) + Int64(offsetSeconds(at: moment))
        let day = floored(seconds, 86_400)
        return LocalTime(
            day: LocalDay(number: Int(day)), minutes: Int(seconds - day * 86_400) / 60)
    }

    /// The first moment at which the clock shows this time or a later one of the day. So a time
    /// that the clock skips is when it skips, and one that it shows twice is the first.
    public func moment(_ time: LocalTime) -> Timestamp {
        let seconds = Int64(time.day.number) * 86_400 + Int64(time.minutes) * 60
        let wall = Timestamp(microseconds: seconds * 1_000_000)
        var offset = firstOffsetSeconds
        for change in changes {
            let moment = wall.advanced(byMicroseconds: -Int64(offset) * 1_000_000)
            if moment < change.at { return moment }
            // Clocks that go forward here skip times up to the change.
            let after = wall.advanced(byMicroseconds: -Int64(change.offsetSeconds) * 1_000_000)
            if after <= change.at { return change.at }
            offset = change.offsetSeconds
        }
        return wall.advanced(byMicroseconds: -Int64(offset) * 1_000_000)
    }

    /// From the day's first moment to the next day's: 23, 24 or 25 hours.
    public func moments(of day: LocalDay) -> Range<Timestamp> {
        let start = moment(LocalTime(day: day, minutes: 0))
        return start..<max(start, moment(LocalTime(day: day.advanced(by: 1), minutes: 0)))
    }
}

private func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
