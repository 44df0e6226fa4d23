public import Timetables

extension LocalDay {
    /// Year, month and day, after Hinnant 2013, "chrono-compatible low-level date algorithms",
    /// civil_from_days.
    public var date: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * ofYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            ofYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    /// Such as `2026-11-23`.
    public var text: String {
        let (year, month, day) = date
        return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
    }
}

extension LocalTime {
    /// The time of the clock on the wall, such as `09:10`.
    public var clock: String { "\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))" }
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
