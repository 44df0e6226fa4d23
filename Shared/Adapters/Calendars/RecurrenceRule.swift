import CICal

/// A recurrence rule as libical has read it (RFC 5545, section 3.3.10).
struct RecurrenceRule {
    enum Frequency: Int { case secondly, minutely, hourly, daily, weekly, monthly, yearly }

    enum End {
        case never
        case count(Int)
        /// The last start, included.
        case untilUTC(Int64)
        case untilWall(WallSeconds)
        /// The last day, included.
        case untilDay(Int)
    }

    var frequency: Frequency
    var interval = 1
    var end = End.never
    /// Monday is 0.
    var weekStart = 0
    var seconds: [Int] = []
    var minutes: [Int] = []
    var hours: [Int] = []
    /// The ordinal is 0 where the rule has none.
    var weekdays: [(ordinal: Int, weekday: Int)] = []
    var monthDays: [Int] = []
    var yearDays: [Int] = []
    var weeks: [Int] = []
    var months: [Int] = []
    var positions: [Int] = []

    /// Nil if libical has found no rule or the rule is for another calendar (RFC 7529).
    init?(_ property: OpaquePointer) {
        var rule = ruleOf(property)
        guard let frequency = Self.frequencies[rule.freq.rawValue],
            rule.rscale == nil, rule.interval > 0
        else { return nil }
        self.frequency = frequency
        interval = Int(rule.interval)
        weekStart = Self.weekday(Int(rule.week_start.rawValue))
        seconds = Self.list(ruleSeconds(&rule))
        minutes = Self.list(ruleMinutes(&rule))
        hours = Self.list(ruleHours(&rule))
        weekdays = Self.list(ruleDays(&rule)).map { day in
            let short = Int16(truncatingIfNeeded: day)
            return (
                Int(icalrecurrencetype_day_position(short)),
                Self.weekday(Int(icalrecurrencetype_day_day_of_week(short).rawValue))
            )
        }
        monthDays = Self.list(ruleMonthDays(&rule))
        yearDays = Self.list(ruleYearDays(&rule))
        weeks = Self.list(ruleWeeks(&rule))
        months = Self.list(ruleMonths(&rule))
        positions = Self.list(rulePositions(&rule))
        end = Self.end(of: rule)
    }

    private static func end(of rule: icalrecurrencetype) -> End {
        if rule.count > 0 { return .count(Int(rule.count)) }
        guard icaltime_is_null_time(rule.until) == 0 else { return .never }
        let until = ReadTime(rule.until)
        if until.isDate { return .untilDay(floored(Int(until.wall), 86_400).quotient) }
        return until.isUTC ? .untilUTC(until.wall) : .untilWall(until.wall)
    }

    private static let frequencies: [UInt32: Frequency] = [
        ICAL_SECONDLY_RECURRENCE.rawValue: .secondly, ICAL_MINUTELY_RECURRENCE.rawValue: .minutely,
        ICAL_HOURLY_RECURRENCE.rawValue: .hourly, ICAL_DAILY_RECURRENCE.rawValue: .daily,
        ICAL_WEEKLY_RECURRENCE.rawValue: .weekly, ICAL_MONTHLY_RECURRENCE.rawValue: .monthly,
        ICAL_YEARLY_RECURRENCE.rawValue: .yearly,
    ]

    /// libical's Sunday is 1.
    private static func weekday(_ number: Int) -> Int { (number + 5) % 7 }

    private static func list(_ first: UnsafePointer<Int16>?) -> [Int] {
        var list: [Int] = []
        var place = first
        while let value = place?.pointee, value != ICAL_RECURRENCE_ARRAY_MAX.rawValue {
            list.append(Int(value))
            place = place?.advanced(by: 1)
        }
        return list
    }
}
