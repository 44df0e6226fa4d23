import Events
import SeededRandomness
import Testing
import Timetables

@testable import TimetablePictures

@Suite("The week of a room") struct WeekOfRoomTests {
    @Test(
        "Weeks have the numbers of ISO 8601",
        arguments: [
            ("2026-W48", 2026, 11, 23), ("2026-W53", 2026, 12, 28), ("2027-W01", 2027, 1, 4),
            ("2024-W01", 2024, 1, 1), ("2020-W53", 2020, 12, 28), ("2021-W01", 2021, 1, 4),
        ])
    func weeks(text: String, year: Int, month: Int, day: Int) throws {
        let week = try #require(ISOWeek(text: text))
        let monday = try #require(LocalDay(year: year, month: month, day: day))
        #expect(week.monday == monday && week.text == text)
        #expect(week.days.allSatisfy { ISOWeek(containing: $0) == week })
        #expect(monday.date == (year, month, day))
    }

    @Test(
        "Other texts are no weeks",
        arguments: ["", "2026-W00", "2025-W53", "2026-W54", "2026-48", "26-W48", "2026-W1", "x"])
    func wrongWeeks(text: String) { #expect(ISOWeek(text: text) == nil) }

    @Test("Every day has one week, and every week its text", arguments: 0..<20)
    func everyDay(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let day = LocalDay(number: Int.random(in: 0..<100_000, using: &random))
        let week = ISOWeek(containing: day)
        #expect(week.days.contains(day) && week.monday.weekday == 0)
        #expect(ISOWeek(text: week.text) == week)
        let (year, month, number) = day.date
        #expect(LocalDay(year: year, month: month, day: number) == day)
    }

    @Test("Bookings that overlap lie side by side, and others use the complete width")
    func lanes() {
        let samples = PictureSamples.self
        let week = WeekOfRoom(
            of: samples.room, in: samples.week,
            [
                samples.booking(1, day: 0, 540..<660, "A"),
                samples.booking(2, day: 0, 600..<720, "B"),
                samples.booking(3, day: 0, 660..<700, "C"),
                samples.booking(4, day: 0, 720..<780, "D"),
            ], zone: samples.london)
        let parts = week.days[0].parts
        #expect(parts.map(\.shown.booking.title) == ["A", "B", "C", "D"])
        #expect(parts.map(\.lane) == [0, 1, 0, 0])
        #expect(parts.map(\.laneCount) == [2, 2, 2, 1])
    }

    @Test("No two blocks overlap, whatever is booked", arguments: 0..<50)
    func disjoint(seed: Int) {
        var random = SeededRandom(seed: seed)
        let bookings = (0..<Int.random(in: 1...30, using: &random)).map { number in
            let start = Int.random(in: 0..<1_430, using: &random)
            let minutes = Int.random(in: 1...1_600, using: &random)
            return PictureSamples.booking(
                number, day: Int.random(in: 0..<7, using: &random), start..<start + minutes, "T")
        }
        let week = WeekOfRoom(
            of: PictureSamples.room, in: PictureSamples.week, bookings.shuffled(using: &random),
            zone: PictureSamples.london)
        #expect(week.bookings.map(\.booking.starts) == bookings.map(\.starts).sorted())
        for day in week.days {
            for (index, part) in day.parts.enumerated() {
                #expect(part.lane < part.laneCount)
                #expect((0..<1_440).contains(part.minutes.lowerBound))
                #expect(part.minutes.upperBound <= 1_440)
                for other in day.parts[..<index] where other.lane == part.lane {
                    #expect(!other.minutes.overlaps(part.minutes))
                }
                for other in day.parts[..<index] where other.minutes.overlaps(part.minutes) {
                    #expect(other.laneCount == part.laneCount)
                }
            }
        }
    }

    @Test("A booking past midnight is cut there, and one of days fills those between")
    func midnight() {
        let samples = PictureSamples.self
        let week = WeekOfRoom(
            of: samples.room, in: samples.week,
            [
                samples.booking(1, day: 0, 1_200..<1_560, "Night"),
                samples.booking(2, day: 2, 600..<600 + 2 * 1_440, "Days"),
                samples.booking(3, day: 5, 0..<1_440, "All day", isAllDay: true),
            ], zone: samples.london)
        #expect(week.days[0].parts.map(\.minutes) == [1_200..<1_440])
        #expect(week.days[0].parts[0].continues && !week.days[0].parts[0].isContinued)
        #expect(week.days[1].parts.map(\.minutes) == [0..<120])
        #expect(week.days[3].allDay.map(\.booking.title) == ["Days"])
        #expect(week.days[4].parts.map(\.minutes) == [0..<600])
        #expect(week.days[5].allDay.count == 1 && week.days[5].parts.isEmpty)
        #expect(week.hours == 0..<24)
        #expect(week.bookings.count == 3)
    }

    @Test("Hours are those of the report, and more where something is booked")
    func hours() {
        func hours(_ minutes: Range<Int>) -> Range<Int> {
            WeekOfRoom(
                of: PictureSamples.room, in: PictureSamples.week,
                [PictureSamples.booking(1, day: 1, minutes, "X")], zone: PictureSamples.london
            ).hours
        }
        #expect(hours(600..<660) == 8..<18)
        #expect(hours(450..<500) == 7..<18)
        #expect(hours(1_050..<1_150) == 8..<20)
    }

    @Test("Other rooms and other weeks are left out")
    func others() {
        let samples = PictureSamples.self
        let week = WeekOfRoom(
            of: samples.room, in: samples.week,
            [
                samples.booking(1, day: 0, 540..<600, "Other", rooms: ["7.02"]),
                samples.booking(2, day: 0, 540..<600, "Next", in: samples.week.advanced(by: 1)),
                samples.booking(3, day: 0, 540..<600, "Both", rooms: ["7.02", "7.01"]),
            ], zone: samples.london)
        #expect(week.bookings.map(\.booking.title) == ["Both"])
    }

    @Test("A day of 25 hours shows the clock's times, also where they go back")
    func clocksBack() throws {
        let samples = PictureSamples.self
        let autumn = try #require(ISOWeek(text: "2026-W43"))
        var across = samples.booking(1, day: 6, 60..<180, "Across", in: autumn)
        across.starts = samples.change.advanced(byMicroseconds: -30 * 60_000_000)
        across.ends = samples.change.advanced(byMicroseconds: 30 * 60_000_000)
        let week = WeekOfRoom(
            of: samples.room, in: autumn,
            [across, samples.booking(2, day: 6, 0..<180, "Night", in: autumn)],
            zone: samples.london)
        let sunday = week.days[6]
        #expect(sunday.moments.upperBound - sunday.moments.lowerBound == 25 * 3_600_000_000)
        #expect(sunday.parts.map(\.minutes) == [0..<180, 90..<150])
        // Midnight in summer time to 03:00 in winter time are four hours.
        let night = sunday.parts[0].shown.booking
        #expect(night.ends - night.starts == 4 * 3_600_000_000)
    }

    @Test("A time that the clocks skip is the moment at which they skip it")
    func clocksForward() throws {
        let change = Timestamp(milliseconds: 1_774_746_000_000)
        let zone = ZoneOffsets(
            name: "Europe/London", firstOffsetSeconds: 0,
            changes: [ZoneOffsets.Change(at: change, offsetSeconds: 3_600)])
        let day = try #require(LocalDay(year: 2026, month: 3, day: 29))
        for (minutes, hoursAfter) in [(59, -1), (60, 0), (90, 0), (120, 0), (180, 1)] {
            let moment = zone.moment(LocalTime(day: day, minutes: minutes))
            let expected = minutes == 59 ? -60 : hoursAfter * 3_600
            #expect((moment - change) / 1_000_000 == Int64(expected), "\(minutes)")
        }
        #expect(
            zone.moments(of: day).upperBound - zone.moments(of: day).lowerBound
                == 23 * 3_600_000_000)
    }
}
