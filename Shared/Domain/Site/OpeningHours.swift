public import Events

/// Opening hours, for the common part of OpenStreetMap's key `opening_hours`.
///
/// Rules are separated by `;`. The last rule for a day wins, as in `Mo-Fr 08:00-18:00; We
/// 10:00-16:00; Su off`. These are parsed: days of the week, months, days of a month, several
/// periods a day, periods past midnight, `24/7`, `off` and `closed`. Rules for public and school
/// holidays are left out, since the holidays are not known here. Nil for any other text, which then
/// counts as always open.
public struct OpeningHours: Hashable, Sendable {
    /// A rule for some days, or for all.
    public struct Rule: Hashable, Sendable {
        /// Monday is 0; empty for all weekdays.
        public internal(set) var weekdays: Set<Int> = []
        /// First and last day, each as month x 32 + day; empty for all days of the year.
        public internal(set) var dates: [ClosedRange<Int>] = []
        /// Minutes from midnight; the end may be on the next day. Empty for a day that is closed.
        public internal(set) var spans: [Range<Int>] = []
    }

    public static let minutesOfDay = 24 * 60
    /// In the order of the text. The last rule for a day wins.
    public private(set) var rules: [Rule] = []

    public init?(_ text: String) {
        for part in text.split(separator: ";") {
            let words = part.split(separator: " ").map(String.init)
            if words.isEmpty || words[0].hasPrefix("PH") || words[0].hasPrefix("SH") { continue }
            guard let rule = Self.rule(words) else { return nil }
            rules.append(rule)
        }
        if rules.isEmpty { return nil }
    }

    /// - Parameter utcOffsetSeconds: local time minus UTC.
    public func isOpen(at moment: Timestamp, utcOffsetSeconds: Int) -> Bool {
        let seconds = floorDivided(moment.milliseconds, 1_000) + Int64(utcOffsetSeconds)
        let day = Int(floorDivided(seconds, 86_400))
        let minute = Int(floorDivided(seconds, 60) - Int64(day) * 1_440)
        if spans(on: day).contains(where: { $0.contains(minute) }) { return true }
        // A period that began on the day before may continue past midnight.
        return spans(on: day - 1).contains { $0.contains(minute + Self.minutesOfDay) }
    }

    /// Whether it is open from one moment to a later one, without a minute closed in between.
    ///
    /// - Parameter utcOffsetSeconds: local time minus UTC; one for the complete period.
    public func isOpen(
        from start: Timestamp, until end: Timestamp, utcOffsetSeconds: Int
    ) -> Bool {
        func minute(_ moment: Timestamp, _ rounding: Int64) -> Int {
            let seconds = floorDivided(moment.milliseconds + rounding, 1_000)
            return Int(floorDivided(seconds + Int64(utcOffsetSeconds), 60))
        }
        // The last minute is the one before the end, if that is the beginning of a minute.
        let (first, last) = (minute(start, 0), minute(end, -1))
        guard first <= last else { return isOpen(at: start, utcOffsetSeconds: utcOffsetSeconds) }
        let (firstDay, lastDay) = (first / Self.minutesOfDay, last / Self.minutesOfDay)
        var open: [Range<Int>] = []
        for day in firstDay - 2...lastDay + 1 {
            let midnight = day * Self.minutesOfDay
            for span in spans(on: day) {
                open.append(midnight + span.lowerBound..<midnight + span.upperBound)
            }
        }
        open.sort { $0.lowerBound < $1.lowerBound }
        var next = first
        for span in open where span.lowerBound <= next { next = max(next, span.upperBound) }
        return next > last
    }

    private func spans(on day: Int) -> [Range<Int>] {
        // 1970-01-01 was a Thursday.
        let weekday = ((day + 3) % 7 + 7) % 7
        let date = CivilDate(day)
        let rule = rules.last { rule in
            guard rule.weekdays.isEmpty || rule.weekdays.contains(weekday) else { return false }
            let place = date.month * 32 + date.day
            return rule.dates.isEmpty || rule.dates.contains { $0.contains(place) }
        }
        return rule?.spans ?? []
    }

    private static func rule(_ words: [String]) -> Rule? {
        var rule = Rule()
        var hasHours = false
        for word in words {
            if word == "24/7" || word == "open" {
                rule.spans = [0..<minutesOfDay]
                hasHours = true
            } else if word == "off" || word == "closed" {
                rule.spans = []
                hasHours = true
            } else if let days = weekdays(word) {
                rule.weekdays.formUnion(days)
            } else if let spans = spans(word) {
                rule.spans += spans
                hasHours = true
            } else if let months = months(word) {
                rule.dates += months
            } else {
                return nil
            }
        }
        if !hasHours { rule.spans = [0..<minutesOfDay] }
        return rule
    }

    private static func list(_ word: String) -> [Substring] { word.split(separator: ",") }

    private static func weekdays(_ word: String) -> Set<Int>? {
        let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
        var days: Set<Int> = []
        for part in list(word) {
            if part == "PH" || part == "SH" { continue }
            let ends = part.split(separator: "-").map { names.firstIndex(of: String($0)) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1]
            else { return nil }
            for step in 0...((last - first + 7) % 7) { days.insert((first + step) % 7) }
        }
        return days.isEmpty ? nil : days
    }

    private static func months(_ word: String) -> [ClosedRange<Int>]? {
        let names = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        var ranges: [ClosedRange<Int>] = []
        for part in list(word) {
            let ends = part.split(separator: "-").map { names.firstIndex(of: String($0)) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1]
            else { return nil }
            if first <= last {
                ranges.append((first + 1) * 32...(last + 1) * 32 + 31)
            } else {
                ranges.append((first + 1) * 32...12 * 32 + 31)
                ranges.append(32...(last + 1) * 32 + 31)
            }
        }
        return ranges
    }

    private static func spans(_ word: String) -> [Range<Int>]? {
        var spans: [Range<Int>] = []
        for part in list(word) {
            let open = part.hasSuffix("+")
            let ends = (open ? part.dropLast() : part).split(separator: "-").map(minute)
            guard let first = ends.first, let start = first else { return nil }
            if open, ends.count == 1 {
                spans.append(start..<minutesOfDay)
                continue
            }
            guard ends.count == 2, let end = ends[1] else { return nil }
            spans.append(start..<(end > start ? end : end + minutesOfDay))
        }
        return spans
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":").map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1],
            (0...48).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}

/// Month and day of a date, from days since 1970-01-01, in the Gregorian calendar.
private struct CivilDate {
    var month: Int
    var day: Int

    /// Counts from 1 March of year 0 in eras of 400 years, so that the leap day is the last of its
    /// year. The source is Hinnant 2013, "chrono-Compatible Low-Level Date Algorithms", section
    /// civil_from_days.
    init(_ dayNumber: Int) {
        let shifted = dayNumber + 719_468
        let era = Int(floorDivided(Int64(shifted), 146_097))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    }
}

private func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}
