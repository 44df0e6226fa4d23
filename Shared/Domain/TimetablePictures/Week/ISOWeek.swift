public import Timetables

/// A week from Monday to Sunday, numbered as ISO 8601 does: week 1 has the year's first Thursday.
public struct ISOWeek: Hashable, Sendable, Comparable {
    /// The years that a text may name.
    public static let years = 1_970...2_999

    public let monday: LocalDay

    /// The week that contains the day.
    public init(containing day: LocalDay) { monday = day.advanced(by: -day.weekday) }

    /// Reads `2026-W48`; nil for another text, and for a week that its year does not have.
    public init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 3,
            parts[1].hasPrefix("W"), let year = Int(parts[0]),
            let number = Int(parts[1].dropFirst()), Self.years.contains(year), number >= 1,
            let fourth = LocalDay(year: year, month: 1, day: 4)
        else { return nil }
        // 4 January is always in week 1.
        let week = ISOWeek(containing: fourth).advanced(by: number - 1)
        guard week.year == year else { return nil }
        self = week
    }

    /// The year of the week's Thursday.
    public var year: Int { monday.advanced(by: 3).date.year }

    public var number: Int {
        let thursday = monday.advanced(by: 3)
        guard let first = LocalDay(year: thursday.date.year, month: 1, day: 1) else { return 1 }
        return (thursday.number - first.number) / 7 + 1
    }

    public func advanced(by weeks: Int) -> ISOWeek {
        ISOWeek(containing: monday.advanced(by: 7 * weeks))
    }

    /// Its seven days, Monday first.
    public var days: [LocalDay] { (0..<7).map { monday.advanced(by: $0) } }

    /// Such as `2026-W48`.
    public var text: String { "\(year)-W\(twoDigits(number))" }

    public static func < (first: Self, second: Self) -> Bool { first.monday < second.monday }
}
