/// Expands a rule with a bounded number of steps.
///
/// libical reads the rule, but its iterator can't be interrupted: a rule that never matches holds
/// it for seconds (see docs/decisions/0057).
struct RecurrenceExpansion {
    /// The steps and instances that are left. A step is a day or smaller unit that is looked at.
    struct Budget {
        var steps: Int
        var instances: Int

        var isSpent: Bool { steps <= 0 || instances <= 0 }
    }

    private let rule: RecurrenceRule
    private let start: WallSeconds
    private let days: RecurrenceDays
    private let isDate: Bool
    private let utc: (WallSeconds) -> Int64

    /// - Parameter utc: the time in UTC of a wall clock in the zone of the start.
    init(
        _ rule: RecurrenceRule, start: WallSeconds, isDate: Bool,
        utc: @escaping (WallSeconds) -> Int64
    ) {
        self.rule = rule
        self.start = start
        self.isDate = isDate
        self.utc = utc
        days = RecurrenceDays(rule, start: start, isDate: isDate)
    }

    /// The starts from `low` to `high`, both included, in order, after the event's own start. It
    /// always belongs to the set, and counts as the first (RFC 5545, section 3.8.5.3).
    func starts(
        from low: WallSeconds, to high: WallSeconds, _ budget: inout Budget
    ) -> [WallSeconds] {
        var run = Run(low: low, high: high, left: nil)
        if case .count(let count) = rule.end { run.left = count - 1 }
        let from = run.left == nil ? max(low, start) : start
        switch rule.frequency {
        case .secondly: walk(unit: 1, from, &run, &budget)
        case .minutely: walk(unit: 60, from, &run, &budget)
        case .hourly: walk(unit: 3_600, from, &run, &budget)
        default: walkPeriods(from, &run, &budget)
        }
        return run.found
    }

    private struct Run {
        var low: WallSeconds
        var high: WallSeconds
        /// Instances until COUNT is reached, if the rule has one.
        var left: Int?
        var found: [WallSeconds] = []
        var isOver = false
    }

    /// Adds the set of one interval of the frequency.
    private func add(_ times: [WallSeconds], _ run: inout Run, _ budget: inout Budget) {
        for time in positioned(times) where time > start {
            guard time <= run.high, !isAfterEnd(time), run.left != 0, !budget.isSpent else {
                run.isOver = true
                return
            }
            if let left = run.left { run.left = left - 1 }
            budget.steps -= 1
            guard time >= run.low else { continue }
            run.found.append(time)
            budget.instances -= 1
        }
    }

    private func positioned(_ times: [WallSeconds]) -> [WallSeconds] {
        guard !rule.positions.isEmpty else { return times }
        let wanted = Set(rule.positions.map { $0 > 0 ? $0 - 1 : times.count + $0 })
        return times.indices.filter(wanted.contains).map { times[$0] }
    }

    private func isAfterEnd(_ time: WallSeconds) -> Bool {
        switch rule.end {
        case .never, .count: false
        case .untilUTC(let last): (isDate ? time : utc(time)) > last
        case .untilWall(let last): time > last
        case .untilDay(let last): floored(Int(time), 86_400).quotient > last
        }
    }

    // MARK: Years, months, weeks and days

    private func walkPeriods(
        _ from: WallSeconds, _ run: inout Run, _ budget: inout Budget
    ) {
        let origin = period(of: floored(Int(start), 86_400).quotient)
        let first = period(of: floored(Int(from), 86_400).quotient)
        var index = origin + (first - origin) / rule.interval * rule.interval
        let highDay = floored(Int(run.high), 86_400).quotient
        while !run.isOver {
            let ranges = dayRanges(ofPeriod: index)
            guard let firstDay = firstDay(ofPeriod: index), firstDay <= highDay else { return }
            var times: [WallSeconds] = []
            for range in ranges {
                budget.steps -= range.count
                for day in range where days.permits(day) { append(day, &times, &budget) }
            }
            budget.steps -= 1
            guard budget.steps > 0 else { return }
            add(times, &run, &budget)
            index += rule.interval
        }
    }

    private func append(_ day: Int, _ times: inout [WallSeconds], _ budget: inout Budget) {
        // A year of seconds would fill the memory before it is counted.
        budget.steps -= days.hours.count * days.minutes.count * days.seconds.count
        guard budget.steps > 0 else { return }
        let midnight = Int64(day) * 86_400
        for hour in days.hours {
            for minute in days.minutes {
                for second in days.seconds {
                    times.append(midnight + Int64(hour * 3_600 + minute * 60 + second))
                }
            }
        }
    }

    /// Counts years, months, weeks or days.
    private func period(of day: Int) -> Int {
        let date = CivilDate(dayNumber: day)
        return switch rule.frequency {
        case .yearly: date.year
        case .monthly: date.year * 12 + date.month - 1
        case .weekly: floored(day + 3 - rule.weekStart, 7).quotient
        default: day
        }
    }

    /// Nil beyond the year 9999.
    private func firstDay(ofPeriod index: Int) -> Int? {
        switch rule.frequency {
        case .yearly:
            index > 9_999 ? nil : CivilDate(year: index, month: 1, day: 1).dayNumber
        case .monthly:
            index / 12 > 9_999
                ? nil : CivilDate(year: index / 12, month: index % 12 + 1, day: 1).dayNumber
        case .weekly: index * 7 - 3 + rule.weekStart
        default: index
        }
    }

    private func dayRanges(ofPeriod index: Int) -> [Range<Int>] {
        func month(_ month: Int, _ year: Int) -> Range<Int> {
            let first = CivilDate(year: year, month: month, day: 1).dayNumber
            return first..<(first + CivilDate.days(inMonth: month, of: year))
        }
        switch rule.frequency {
        case .yearly where !days.months.isEmpty:
            return days.months.filter { (1...12).contains($0) }.sorted().map { month($0, index) }
        case .yearly:
            let first = CivilDate(year: index, month: 1, day: 1).dayNumber
            return [first..<(first + CivilDate.days(inYear: index))]
        case .monthly:
            let isOut = !days.months.isEmpty && !days.months.contains(index % 12 + 1)
            return isOut ? [] : [month(index % 12 + 1, index / 12)]
        case .weekly:
            let first = index * 7 - 3 + rule.weekStart
            return [first..<(first + 7)]
        default: return [index..<(index + 1)]
        }
    }

    // MARK: Hours, minutes and seconds

    /// Steps by the frequency's unit, but over days, hours and minutes that the rule excludes.
    private func walk(
        unit: Int, _ from: WallSeconds, _ run: inout Run, _ budget: inout Budget
    ) {
        let origin = floored(Int(start), unit).quotient
        let interval = rule.interval
        /// The first step at or after the second.
        func step(atOrAfter second: Int) -> Int {
            let wanted = floored(second + unit - 1, unit).quotient
            return origin + (max(0, wanted - origin) + interval - 1) / interval * interval
        }
        let (hours, minutes, seconds) = (Set(rule.hours), Set(rule.minutes), Set(rule.seconds))
        var index = step(atOrAfter: floored(Int(from), unit).quotient * unit)
        var permitted: (day: Int, isPermitted: Bool)?
        while !run.isOver {
            let wall = index * unit
            budget.steps -= 1
            guard wall <= Int(run.high), budget.steps > 0 else { return }
            let (day, second) = floored(wall, 86_400)
            if permitted?.day != day { permitted = (day, days.permits(day)) }
            if permitted?.isPermitted != true {
                index = step(atOrAfter: (day + 1) * 86_400)
            } else if !hours.isEmpty && !hours.contains(second / 3_600) {
                index = step(atOrAfter: wall - second % 3_600 + 3_600)
            } else if unit < 3_600 && !minutes.isEmpty && !minutes.contains(second / 60 % 60) {
                index = step(atOrAfter: wall - second % 60 + 60)
            } else {
                if unit > 1 || seconds.isEmpty || seconds.contains(second % 60) {
                    add(times(in: unit, at: wall), &run, &budget)
                }
                index += interval
            }
        }
    }

    private func times(in unit: Int, at wall: Int) -> [WallSeconds] {
        switch unit {
        case 3_600:
            days.minutes.flatMap { minute in
                days.seconds.map { Int64(wall + minute * 60 + $0) }
            }
        case 60: days.seconds.map { Int64(wall + $0) }
        default: [Int64(wall)]
        }
    }
}
