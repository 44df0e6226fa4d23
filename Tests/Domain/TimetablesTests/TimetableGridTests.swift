import Events
import Testing

@testable import Timetables

/// Figures 5.1 and 5.2 of the Bush House report, with made-up names.
private func cells(_ texts: String...) -> [GridCell] { texts.map { GridCell([$0]) } }

private let header =
    [GridCell([])]
    + (16..<36).map { half in
        GridCell(["\(half / 2).\(half % 2 == 0 ? "00" : "30")"])
    }

private func lecture(_ title: String, weeks: String, span: Int, rows: Int = 1) -> GridCell {
    GridCell(
        [
            title, "BIG DATA", "SEM2 000001/Prac02", "Ada Person", weeks, "Bush House (S)7.01",
            "Practical",
        ],
        columnSpan: span, rowSpan: rows)
}

private func free(_ count: Int) -> [GridCell] { Array(repeating: GridCell([]), count: count) }

/// Moments as if the building's clock were UTC.
private func moment(_ time: LocalTime) -> Timestamp {
    Timestamp(milliseconds: Int64(time.day.number) * 86_400_000 + Int64(time.minutes) * 60_000)
}

private let label = "Weeks: 31 (26 Mar 2018-1 Apr 2018)"

@Suite struct TimetableGridTests {
    private func bookings(_ rows: [[GridCell]], label: String = label) throws -> [FoundBooking] {
        let weeks = try #require(GridWeeks(label: label))
        return try TimetableGrid(rows).bookings(in: weeks, place: nil, moment: moment)
    }

    @Test("A cell's span of half-hours is the booking's time, on the week's day")
    func times() throws {
        let found = try bookings([
            header, cells("Mon") + free(20),
            cells("Tue") + free(2) + [lecture("7CCSMBDT", weeks: "22-31", span: 4)] + free(14),
        ])
        let only = try #require(found.first)
        #expect(found.count == 1)
        let tuesday = try #require(LocalDay(year: 2018, month: 3, day: 27))
        #expect(only.starts == moment(LocalTime(day: tuesday, minutes: 9 * 60)))
        #expect(only.ends == moment(LocalTime(day: tuesday, minutes: 11 * 60)))
        #expect(only.title == "7CCSMBDT BIG DATA SEM2 000001/Prac02")
        #expect(only.people == ["Ada Person"])
        #expect(only.kind == "Practical")
        #expect(only.places == ["Bush House (S)7.01"])
    }

    @Test(
        "Overlapping bookings are in further rows of a day, with or without a spanning name",
        arguments: [true, false])
    func overlaps(isSpanned: Bool) throws {
        let second = [lecture("B", weeks: "31", span: 6)] + free(14)
        let rows: [[GridCell]] = [
            header,
            [GridCell(["Wed"], rowSpan: isSpanned ? 2 : 1)]
                + [lecture("A", weeks: "31", span: 4)] + free(16),
            isSpanned ? second : free(1) + second,
            cells("Thu") + [lecture("C", weeks: "31", span: 1)] + free(19),
        ]
        let found = try bookings(rows)
        #expect(found.map { String($0.title.prefix(1)) } == ["A", "B", "C"])
        #expect(found[0].starts == found[1].starts)
        #expect(found[2].starts - found[0].starts == TimetableHorizon.microsecondsPerDay)
    }

    @Test("The last column's booking ends a half-hour after its header")
    func lastColumn() throws {
        let found = try bookings([
            header, cells("Fri") + free(18) + [lecture("Z", weeks: "31", span: 2)],
        ])
        let friday = try #require(LocalDay(year: 2018, month: 3, day: 30))
        #expect(found.first?.ends == moment(LocalTime(day: friday, minutes: 18 * 60)))
    }

    @Test("A grid of several weeks gives a booking in each week of its own")
    func severalWeeks() throws {
        let rows = [
            header, cells("Mon") + [lecture("A", weeks: "23, 25", span: 2)] + free(18),
        ]
        let found = try bookings(rows, label: "Weeks: 22-25 (22 Jan 2018-18 Feb 2018)")
        let first = try #require(LocalDay(year: 2018, month: 1, day: 29))
        #expect(
            found.map(\.starts)
                == [0, 14].map {
                    moment(LocalTime(day: first.advanced(by: $0), minutes: 480))
                })
        #expect(Set(found.map(\.key)).count == 2)
    }

    @Test("A page that repeats a few thousand bookings in many weeks is a fault")
    func manyBookings() throws {
        let day = cells("Mon") + Array(repeating: GridCell(["A"]), count: 20)
        let rows = [header] + Array(repeating: day, count: 170)
        let label = "Weeks: 0-99 (26 Mar 2018-24 Feb 2020)"
        let fault = FeedFault("it has more than 200000 bookings")
        #expect(throws: fault) { try bookings(rows, label: label) }
    }

    @Test(
        "Weeks of a grid that follow each other are one time, and a gap is none",
        arguments: [
            (label, ["2018-03-26", "2018-04-02"]),
            ("Weeks: 22-25 (22 Jan 2018-18 Feb 2018)", ["2018-01-22", "2018-02-19"]),
            (
                "Weeks: 22, 25 (24 Jan 2018-18 Feb 2018)",
                ["2018-01-22", "2018-01-29", "2018-02-12", "2018-02-19"]
            ),
            ("24 Jan 2018", ["2018-01-22", "2018-01-29"]),
        ])
    func runs(label: String, days: [String]) throws {
        let weeks = try #require(GridWeeks(label: label))
        let ends = weeks.runs.flatMap { [$0.lowerBound, $0.upperBound] }
        #expect(ends == days.compactMap { LocalDay(text: $0) })
    }

    @Test("A booking that moves within its week keeps its key")
    func keys() throws {
        let before = try bookings([
            header, cells("Mon") + [lecture("A", weeks: "31", span: 2)] + free(18),
        ])
        let after = try bookings([
            header, cells("Fri") + free(3) + [lecture("A", weeks: "31", span: 2)] + free(15),
        ])
        #expect(before.map(\.key) == after.map(\.key))
    }

    @Test("A page of another shape is a fault that says what is missing")
    func faults() {
        #expect(throws: TimetableGrid.Fault.headerMissing) {
            try TimetableGrid([cells("Please", "log", "in")])
        }
        #expect(throws: TimetableGrid.Fault.dayUnknown("Room 5")) {
            try TimetableGrid([header, cells("Room 5") + free(20)])
        }
        #expect(throws: TimetableGrid.Fault.tooLarge(500)) {
            try TimetableGrid([header, cells("Mon") + [GridCell(["x"], columnSpan: .max / 2)]])
        }
    }

    @Test("Days are counted as the calendar counts them")
    func days() throws {
        #expect(LocalDay(year: 1970, month: 1, day: 1)?.number == 0)
        #expect(LocalDay(text: "29 February 2024")?.weekday == 3)
        #expect(LocalDay(text: "2018-03-26") == LocalDay(text: "26/03/2018"))
        #expect(LocalDay(text: "30 Feb 2024") == nil)
        var day = try #require(LocalDay(year: 1999, month: 12, day: 31))
        for (year, days) in [(2000, 366), (2001, 365), (2004, 366), (2100, 365)] {
            let first = try #require(LocalDay(year: year, month: 1, day: 1))
            if year == 2000 { #expect(first == day.advanced(by: 1)) }
            day = try #require(LocalDay(year: year, month: 12, day: 31))
            #expect(day.number - first.number + 1 == days)
        }
    }
}
