import Site

/// The words of a language for opening hours.
struct HoursWords: Sendable {
    /// Names of the days, from Monday.
    var weekdays: [String]
    /// Names for the last of several days; Welsh changes its first letter.
    var lastWeekdays: [String]
    /// Names of the months, from January.
    var months: [String]
    /// The word between the first day and the last.
    var toDay: String
    /// The word between opening and closing time.
    var toHour: String
    /// The word before the opening time, such as `from`; empty for none.
    var fromHour: String
    /// The word after the closing time, with its space; empty for none.
    var afterHour = ""
    /// The word between two periods of a day.
    var and: String
    var daily: String
    var allDay: String
    var closed: String
}

/// Whether it is ever open by these hours. Text that can't be parsed counts as open.
func isEverOpen(_ text: String) -> Bool {
    OpeningHours(text)?.rules.contains {
        !$0.spans.isEmpty || !$0.dates.isEmpty || !$0.weekdays.isEmpty && $0.weekdays.count < 7
    } ?? true
}

/// Opening hours as people say them: `Monday to Friday 07:00 to 22:00; Sunday closed`. Text that
/// can't be parsed is returned unchanged.
func spokenHours(_ text: String, _ words: HoursWords) -> String {
    guard let hours = OpeningHours(text) else { return text }
    return hours.rules.map { spoken($0, words) }.joined(separator: "; ")
}

private func spoken(_ rule: OpeningHours.Rule, _ words: HoursWords) -> String {
    let isAllDay = rule.spans == [0..<OpeningHours.minutesOfDay]
    let spans =
        rule.spans.isEmpty
        ? words.closed
        : isAllDay
            ? words.allDay
            : rule.spans.map { span in
                words.fromHour + clock(span.lowerBound) + words.toHour + clock(span.upperBound)
                    + words.afterHour
            }.joined(separator: words.and)
    var days: [String] = []
    if !rule.dates.isEmpty {
        days.append(rule.dates.map { dates($0, words) }.joined(separator: ", "))
    }
    if !rule.weekdays.isEmpty, rule.weekdays.count < 7 {
        days.append(weekdays(rule.weekdays, words))
    }
    if days.isEmpty { return isAllDay ? spans : "\(words.daily) \(spans)" }
    return days.joined(separator: ", ") + " " + spans
}

/// Three or more days in a row as the first and the last of them, other days one by one.
private func weekdays(_ days: Set<Int>, _ words: HoursWords) -> String {
    // A row of days may continue past Sunday. It begins at a day whose previous day is not
    // included.
    var parts: [String] = []
    for first in 0..<7 where days.contains(first) && !days.contains((first + 6) % 7) {
        let count = (1...7).first { !days.contains((first + $0) % 7) } ?? 7
        let last = (first + count - 1) % 7
        switch count {
        case 1: parts.append(words.weekdays[first])
        case 2: parts += [words.weekdays[first], words.weekdays[last]]
        default:
            parts.append(words.weekdays[first] + words.toDay + words.lastWeekdays[last])
        }
    }
    return parts.joined(separator: ", ")
}

/// The months of a range whose bounds are month x 32 + day, as in `OpeningHours`. Days are left
/// out.
private func dates(_ range: ClosedRange<Int>, _ words: HoursWords) -> String {
    let (first, last) = (range.lowerBound / 32, range.upperBound / 32)
    let months = words.months
    guard (1...12).contains(first), (1...12).contains(last) else { return "" }
    return first == last ? months[first - 1] : "\(months[first - 1])–\(months[last - 1])"
}

/// A time such as 07:00. Times after midnight are shown as on the next day's clock, and midnight
/// itself as 24:00.
private func clock(_ minute: Int) -> String {
    let ofDay =
        minute > OpeningHours.minutesOfDay ? minute - OpeningHours.minutesOfDay : minute
    let (hour, rest) = (ofDay / 60, ofDay % 60)
    return (hour < 10 ? "0\(hour)" : "\(hour)") + ":" + (rest < 10 ? "0\(rest)" : "\(rest)")
}
