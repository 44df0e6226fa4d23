import Site

/// The words in which a language tells opening hours.
struct HoursWords: Sendable {
    /// From Monday.
    var weekdays: [String]
    /// The last day of several; some languages change its first letter.
    var lastWeekdays: [String]
    /// From January.
    var months: [String]
    /// Between the first day and the last.
    var toDay: String
    /// Between two hours.
    var toHour: String
    /// Before the hours, such as the English `from`; empty for none.
    var fromHour: String
    /// Between two spans of hours.
    var and: String
    var daily: String
    var allDay: String
    var closed: String
}

/// Opening hours as one says them: `Monday to Friday 07:00 to 22:00; Sunday closed`. What can't be
/// read stays as it is written.
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

/// Days in a row as the first and the last of them, two as two.
private func weekdays(_ days: Set<Int>, _ words: HoursWords) -> String {
    // A row may run over Sunday: it begins behind a day that is not in it.
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

/// Months x 32 + days, as `OpeningHours` has them: whole months.
private func dates(_ range: ClosedRange<Int>, _ words: HoursWords) -> String {
    let (first, last) = (range.lowerBound / 32, range.upperBound / 32)
    let months = words.months
    guard (1...12).contains(first), (1...12).contains(last) else { return "" }
    return first == last ? months[first - 1] : "\(months[first - 1])–\(months[last - 1])"
}

/// Such as 07:00; an hour of the next day as that day's clock shows it, but 24:00 for midnight.
private func clock(_ minute: Int) -> String {
    let ofDay =
        minute > OpeningHours.minutesOfDay ? minute - OpeningHours.minutesOfDay : minute
    let (hour, rest) = (ofDay / 60, ofDay % 60)
    return (hour < 10 ? "0\(hour)" : "\(hour)") + ":" + (rest < 10 ? "0\(rest)" : "\(rest)")
}
