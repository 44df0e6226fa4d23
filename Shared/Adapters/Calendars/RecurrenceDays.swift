/// The days that a rule permits, and the times on such a day.
///
/// Parts that the rule lacks are filled in from the event's start (RFC 5545, section 3.3.10).
struct RecurrenceDays {
    private enum OrdinalScope { case none, month, year }

    private let rule: RecurrenceRule
    private let ordinals: OrdinalScope
    private let monthDays: Set<Int>
    private let yearDays: Set<Int>
    private let weeks: Set<Int>
    private let weekdays: [(ordinal: Int, weekday: Int)]
    /// Empty if all months are permitted.
    let months: Set<Int>
    let hours: [Int]
    let minutes: [Int]
    let seconds: [Int]

    init(_ rule: RecurrenceRule, start: WallSeconds, isDate: Bool) {
        self.rule = rule
        let (day, time) = floored(Int(start), 86_400)
        let date = CivilDate(dayNumber: day)
        var (months, monthDays, weekdays) = (rule.months, rule.monthDays, rule.weekdays)
        let weekday = (ordinal: 0, weekday: CivilDate.weekday(ofDay: day))
        switch rule.frequency {
        case .yearly:
            let hasDays = !monthDays.isEmpty || !weekdays.isEmpty || !rule.yearDays.isEmpty
            if !hasDays && !rule.weeks.isEmpty { weekdays = [weekday] }
            if !hasDays && rule.weeks.isEmpty {
                monthDays = [date.day]
                if months.isEmpty { months = [date.month] }
            }
            ordinals = !rule.weeks.isEmpty ? .none : rule.months.isEmpty ? .year : .month
        case .monthly:
            if monthDays.isEmpty && weekdays.isEmpty { monthDays = [date.day] }
            ordinals = .month
        case .weekly:
            if weekdays.isEmpty { weekdays = [weekday] }
            ordinals = .none
        default: ordinals = .none
        }
        self.months = Set(months)
        self.monthDays = Set(monthDays)
        self.weekdays = weekdays
        yearDays = Set(rule.yearDays)
        weeks = Set(rule.weeks)
        func times(_ listed: [Int], _ own: Int, most: Int) -> [Int] {
            if isDate { return [0] }
            return listed.isEmpty ? [own] : Set(listed.filter { (0...most).contains($0) }).sorted()
        }
        hours = times(rule.hours, time / 3_600, most: 23)
        minutes = times(rule.minutes, time / 60 % 60, most: 59)
        seconds = times(rule.seconds, time % 60, most: 59)
    }

    func permits(_ day: Int) -> Bool {
        let date = CivilDate(dayNumber: day)
        guard months.isEmpty || months.contains(date.month) else { return false }
        let inMonth = CivilDate.days(inMonth: date.month, of: date.year)
        guard
            monthDays.isEmpty || monthDays.contains(date.day)
                || monthDays.contains(date.day - inMonth - 1)
        else { return false }
        let inYear = CivilDate.days(inYear: date.year)
        let ofYear = day - CivilDate(year: date.year, month: 1, day: 1).dayNumber + 1
        guard
            yearDays.isEmpty || yearDays.contains(ofYear) || yearDays.contains(ofYear - inYear - 1)
        else { return false }
        guard weeks.isEmpty || isInWeek(day) else { return false }
        guard !weekdays.isEmpty else { return true }
        let (place, count) = ordinals == .month ? (date.day, inMonth) : (ofYear, inYear)
        let weekday = CivilDate.weekday(ofDay: day)
        return weekdays.contains { listed in
            guard listed.weekday == weekday else { return false }
            return listed.ordinal == 0 || ordinals == .none
                || listed.ordinal == (place - 1) / 7 + 1
                || listed.ordinal == -((count - place) / 7 + 1)
        }
    }

    /// The first week of a year is the first with four days in it.
    private func isInWeek(_ day: Int) -> Bool {
        func week(of day: Int) -> (number: Int, year: Int) {
            let rest = floored(CivilDate.weekday(ofDay: day) - rule.weekStart, 7).rest
            let fourth = day - rest + 3
            let year = CivilDate(dayNumber: fourth).year
            return ((fourth - CivilDate(year: year, month: 1, day: 1).dayNumber) / 7 + 1, year)
        }
        let (number, year) = week(of: day)
        if weeks.contains(number) { return true }
        guard weeks.contains(where: { $0 < 0 }) else { return false }
        let last = week(of: CivilDate(year: year, month: 12, day: 28).dayNumber).number
        return weeks.contains(number - last - 1)
    }
}
