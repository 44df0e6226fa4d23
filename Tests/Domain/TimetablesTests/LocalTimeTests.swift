import Testing

@testable import Timetables

@Suite struct LocalTimeTests {
    private func time(_ text: String) throws -> LocalTime {
        LocalTime(
            day: LocalDay(number: 20_000), minutes: try #require(LocalTime.minutes(text)))
    }

    @Test(
        "An end before its start is on the next day, within twelve hours",
        arguments: [
            ("09:00", "10:00", 0), ("22:00", "02:00", 1), ("20:00", "08:00", 1),
            ("24:00", "01:00", 1), ("23:59", "00:00", 1),
        ])
    func nights(start: String, end: String, days: Int) throws {
        var expected = try time(end)
        expected.day = expected.day.advanced(by: days)
        #expect(try time(end).end(after: time(start)) == expected)
    }

    @Test(
        "Other ends that are not after their starts are none",
        arguments: [("10:00", "10:00"), ("10:00", "09:59"), ("20:00", "08:01"), ("24:00", "24:00")])
    func none(start: String, end: String) throws {
        #expect(try time(end).end(after: time(start)) == nil)
    }
}
