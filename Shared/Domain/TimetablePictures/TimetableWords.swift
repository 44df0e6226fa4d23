public import Timetables

/// The words on a picture of a week that are not names, in one language.
public struct TimetableWords: Sendable {
    /// The BCP 47 tag of the language.
    public let code: String
    /// From Monday; short ones for the heads of columns.
    let days: [String]
    let shortDays: [String]
    /// From January.
    let months: [String]
    /// A point after the number of a day, as German has it.
    let dayMark: String
    let week: String
    let now: String
    let allDay: String
    /// In place of a title, where the source has none.
    let booked: String
    /// The booking is not certain yet.
    let tentative: String
    /// Ahead of a time: the rest of the week is as it was then.
    let asOf: String
    let empty: String
    let unknown: String
    /// Some bookings are known, and others may be missing.
    let unknownPart: String
    /// Ahead of the number of bookings that a list leaves out.
    let more: String

    /// The words in the language, or else in English.
    public static func words(in language: String?) -> TimetableWords {
        switch language?.prefix(while: { $0 != "-" }).lowercased() {
        case "cy": welsh
        case "de": german
        default: english
        }
    }

    /// Such as `Monday 23 November` and `Montag, 23. November`.
    public func day(_ day: LocalDay) -> String {
        let (_, month, number) = day.date
        let comma = dayMark.isEmpty ? "" : ","
        return "\(days[day.weekday])\(comma) \(number)\(dayMark) \(months[month - 1])"
    }

    /// Such as `23–29 November 2026`, with the months and years that differ.
    func dates(of week: ISOWeek) -> String {
        let (first, last) = (week.monday.date, week.monday.advanced(by: 6).date)
        let end = "\(last.day)\(dayMark) \(months[last.month - 1]) \(last.year)"
        if first.month == last.month { return "\(first.day)\(dayMark)–\(end)" }
        let start = "\(first.day)\(dayMark) \(months[first.month - 1])"
        return first.year == last.year ? "\(start) – \(end)" : "\(start) \(first.year) – \(end)"
    }

    static let english = TimetableWords(
        code: "en",
        days: [
            "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
        ],
        shortDays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September",
            "October", "November", "December",
        ],
        dayMark: "", week: "Week", now: "now", allDay: "all day", booked: "Booked",
        tentative: "not confirmed",
        asOf: "As of", empty: "Nothing is booked in this week.",
        unknown: "No timetable is known for this room.",
        unknownPart: "A part of this timetable is unknown.", more: "and more:")

    static let welsh = TimetableWords(
        code: "cy",
        days: [
            "Dydd Llun", "Dydd Mawrth", "Dydd Mercher", "Dydd Iau", "Dydd Gwener", "Dydd Sadwrn",
            "Dydd Sul",
        ],
        shortDays: ["Llun", "Maw", "Mer", "Iau", "Gwe", "Sad", "Sul"],
        months: [
            "Ionawr", "Chwefror", "Mawrth", "Ebrill", "Mai", "Mehefin", "Gorffennaf", "Awst",
            "Medi", "Hydref", "Tachwedd", "Rhagfyr",
        ],
        dayMark: "", week: "Wythnos", now: "nawr", allDay: "trwy'r dydd",
        booked: "Wedi'i archebu", tentative: "heb ei gadarnhau", asOf: "Fel yr oedd",
        empty: "Does dim wedi'i archebu yn yr wythnos hon.",
        unknown: "Does dim amserlen yn hysbys ar gyfer yr ystafell hon.",
        unknownPart: "Mae rhan o'r amserlen hon yn anhysbys.", more: "a rhagor:")

    static let german = TimetableWords(
        code: "de",
        days: [
            "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag",
        ],
        shortDays: ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"],
        months: [
            "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
            "Oktober", "November", "Dezember",
        ],
        dayMark: ".", week: "Woche", now: "jetzt", allDay: "ganztägig",
        booked: "Gebucht", tentative: "nicht bestätigt", asOf: "Stand:",
        empty: "In dieser Woche ist nichts gebucht.",
        unknown: "Für diesen Raum ist kein Belegungsplan bekannt.",
        unknownPart: "Ein Teil dieses Belegungsplans ist unbekannt.", more: "und weitere:")
}
