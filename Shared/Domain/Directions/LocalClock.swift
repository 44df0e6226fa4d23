public import Events

/// The words of a language for a date beside a time, such as `21. November, 09:10`.
struct DateWords: Sendable {
    /// The months from January, as they stand after the number of a day.
    var months: [String]
    /// The sign between the number of the day and the month, such as a full stop.
    var afterDay = ""
    /// The sign between the date and the time, such as a comma.
    var beforeTime = ""
}

/// Writes times as a clock in the building shows them, with the date if it is another day.
public struct LocalClock: Hashable, Sendable {
    private static let daySeconds: Int64 = 86_400

    /// The time at which the text is read.
    public var now: Timestamp
    /// The local time minus UTC, in seconds.
    public var utcOffsetSeconds: Int

    public init(now: Timestamp, utcOffsetSeconds: Int) {
        self.now = now
        self.utcOffsetSeconds = utcOffsetSeconds
    }

    /// Such as `09:10`, or `21 November 09:10` on another day. A day of another year has the year.
    ///
    /// - Parameter words: the words of the reader's language for dates.
    func text(_ moment: Timestamp, _ words: DateWords) -> String {
        let (day, second) = split(moment)
        let time = "\(twoDigits(second / 3_600)):\(twoDigits(second / 60 % 60))"
        let today = split(now).day
        guard day != today else { return time }
        let date = date(day)
        let name = "\(date.day)\(words.afterDay) \(words.months[Int(date.month) - 1])"
        let year = date.year == self.date(today).year ? "" : " \(date.year)"
        return "\(name)\(year)\(words.beforeTime) \(time)"
    }

    private func split(_ moment: Timestamp) -> (day: Int64, second: Int64) {
        let seconds = moment.milliseconds / 1_000 + Int64(utcOffsetSeconds)
        let second = (seconds % Self.daySeconds + Self.daySeconds) % Self.daySeconds
        return ((seconds - second) / Self.daySeconds, second)
    }

    /// The date of a day counted from 1970-01-01, after Hinnant 2013, "chrono-compatible low-level
    /// date algorithms", civil_from_days.
    private func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * ofYear + 2) / 153
        let dayOfMonth = ofYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfMonth)
    }

    private func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
