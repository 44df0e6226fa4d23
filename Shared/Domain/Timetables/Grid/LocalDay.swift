/// A day of the Gregorian calendar, in no time zone.
public struct LocalDay: Hashable, Sendable, Comparable {
    /// Days since 1970-01-01.
    public var number: Int

    public init(number: Int) { self.number = number }

    /// Nil where there is no such day. Howard Hinnant's `days_from_civil` gives the number
    /// (https://howardhinnant.github.io/date_algorithms.html).
    public init?(year: Int, month: Int, day: Int) {
        guard (1900...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        number = era * 146_097 + dayOfEra - 719_468
    }

    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    public func advanced(by days: Int) -> LocalDay { LocalDay(number: number + days) }

    /// 0 for Monday. 1970-01-01 was a Thursday.
    public var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    /// Reads days as sources write them: `26 Mar 2018`, `2018-03-26` and `26/03/2018`.
    public init?(text: String) {
        let parts = text.split(whereSeparator: { " -/.,".contains($0) }).map(String.init)
        guard parts.count == 3 else { return nil }
        if parts[0].count == 4, let year = Int(parts[0]) {
            guard let month = Int(parts[1]), let day = Int(parts[2]) else { return nil }
            self.init(year: year, month: month, day: day)
        } else {
            guard let day = Int(parts[0]), let month = Self.month(parts[1]),
                let year = Int(parts[2])
            else { return nil }
            self.init(year: year, month: month, day: day)
        }
    }

    private static func month(_ text: String) -> Int? {
        if let number = Int(text) { return number }
        let names = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        return names.firstIndex(of: String(text.lowercased().prefix(3))).map { $0 + 1 }
    }
}

/// A time on the wall of a building.
public struct LocalTime: Hashable, Sendable, Comparable {
    public var day: LocalDay
    /// Minutes after the day's midnight; may reach into the next day.
    public var minutes: Int

    public init(day: LocalDay, minutes: Int) {
        self.day = day
        self.minutes = minutes
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.day, left.minutes) < (right.day, right.minutes)
    }

    /// The longest time over midnight.
    private static let longestNight = 720

    /// The end of a booking that begins at `start`. A booking over midnight, of at most twelve
    /// hours, ends at this time of the next day. Nil where it does not end after its start.
    public func end(after start: LocalTime) -> LocalTime? {
        if self > start { return self }
        let next = LocalTime(day: day.advanced(by: 1), minutes: minutes)
        let length =
            (next.day.number - start.day.number) * 1_440 + next.minutes - start.minutes
        return (1...Self.longestNight).contains(length) ? next : nil
    }

    /// Minutes of `8.30`, `08:30` or `8`; nil for other texts.
    public static func minutes(_ text: String) -> Int? {
        let parts = trimmed(text).split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "." || $0 == ":" })
        guard (1...2).contains(parts.count), let hours = Int(parts[0]), (0...24).contains(hours)
        else { return nil }
        guard parts.count == 2 else { return hours * 60 }
        guard parts[1].count == 2, let minutes = Int(parts[1]), (0...59).contains(minutes) else {
            return nil
        }
        return hours * 60 + minutes
    }
}
