import JSON
import Testing

@Suite("RFC3339") struct RFC3339Tests {
    @Test(
        "times are read with any offset and fraction",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T08:00:00.000Z", 1_795_248_000_000_000),
            ("2026-11-21T08:00:00.9Z", 1_795_248_000_900_000),
            ("2026-11-21T08:00:00.123456789Z", 1_795_248_000_123_456),
            ("2026-11-21t09:00:00+01:00", 1_795_248_000_000_000),
            ("2026-11-21 02:30:00-05:30", 1_795_248_000_000_000),
            ("1969-12-31T23:59:59.999999z", -1), ("2000-02-29T00:00:00Z", 951_782_400_000_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
            ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ] as [(String, Int64)])
    func reading(text: String, microseconds: Int64) {
        #expect(RFC3339.microseconds(text) == microseconds)
    }

    @Test(
        "other text is not a time",
        arguments: [
            "", "2026-11-21", "2026-11-21T08:00:00", "2026-11-21T08:00Z", "2026-13-21T08:00:00Z",
            "2026-00-21T08:00:00Z", "2026-02-29T08:00:00Z", "2026-11-31T08:00:00Z",
            "2026-11-00T08:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z",
            "2026-11-21T08:00:61Z", "2026-11-21T08:00:00.Z", "2026-11-21T08:00:00.1234567890Z",
            "2026-11-21T08:00:00+0100", "2026-11-21T08:00:00+01:60", "2026-11-21T08:00:00+24:00",
            "2026-11-21T08:00:00Zz", "2026-11-21T08:00:00.1", "1900-02-29T00:00:00Z",
            "+026-11-21T08:00:00Z", "2026-11-21T08:00:00 01:00", "２026-11-21T08:00:00Z",
        ])
    func refusing(text: String) {
        #expect(RFC3339.microseconds(text) == nil)
    }

    @Test("times are written in UTC with milliseconds, cut towards the past")
    func writing() {
        #expect(RFC3339.text(microseconds: 0) == "1970-01-01T00:00:00.000Z")
        #expect(RFC3339.text(microseconds: -1) == "1969-12-31T23:59:59.999Z")
        #expect(RFC3339.text(microseconds: 1_795_248_000_900_999) == "2026-11-21T08:00:00.900Z")
        #expect(RFC3339.text(microseconds: .max) == "9999-12-31T23:59:59.999Z")
        #expect(RFC3339.text(microseconds: .min) == "0000-01-01T00:00:00.000Z")
    }

    @Test("every day of 800 years follows the day before it")
    func calendar() {
        // The slow, obvious calendar: it counts the days one by one.
        var (year, month, day) = (1800, 1, 1)
        var days: Int64 = -62_091
        while year < 2600 {
            let text = RFC3339.text(microseconds: days * 86_400_000_000)
            let expected =
                "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
            guard text == expected + "T00:00:00.000Z",
                RFC3339.microseconds(text) == days * 86_400_000_000
            else {
                Issue.record("\(text) is not \(expected)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            days += 1
            day += 1
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }
}
