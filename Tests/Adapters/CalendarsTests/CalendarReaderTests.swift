import Foundation
import Testing

@testable import Calendars

@Suite("CalendarReader: recurrence") struct CalendarReaderTests {
    @Test(
        "Rules have the instances of RFC 5545",
        arguments: [
            ("FREQ=WEEKLY;COUNT=3;BYDAY=MO,WE", "2026-01-05 2026-01-07 2026-01-12"),
            ("FREQ=MONTHLY;COUNT=3;BYDAY=-1MO,1MO", "2026-01-05 2026-01-26 2026-02-02"),
            ("FREQ=MONTHLY;COUNT=3;BYDAY=MO,TU;BYSETPOS=1", "2026-01-05 2026-02-02 2026-03-02"),
            ("FREQ=YEARLY;COUNT=2;BYWEEKNO=2", "2026-01-05 2027-01-11"),
            ("FREQ=YEARLY;UNTIL=20260301;BYMONTHDAY=5", "2026-01-05 2026-02-05"),
            ("FREQ=YEARLY;COUNT=2;BYYEARDAY=5,-1", "2026-01-05 2026-12-31"),
            ("FREQ=DAILY;UNTIL=20260107T090000Z", "2026-01-05 2026-01-06 2026-01-07"),
            ("FREQ=DAILY;UNTIL=20260107T085959Z", "2026-01-05 2026-01-06"),
            ("FREQ=WEEKLY;INTERVAL=2;COUNT=3;BYDAY=SU,MO;WKST=SU",
                "2026-01-05 2026-01-18 2026-01-19"),
            ("FREQ=WEEKLY;COUNT=2;BYDAY=MO,TU,WE;BYSETPOS=-1", "2026-01-05 2026-01-07"),
            ("FREQ=MONTHLY;COUNT=2;BYMONTHDAY=31", "2026-01-05 2026-01-31"),
        ])
    func rules(rule: String, days: String) throws {
        let reading = try Feeds.read("UID:a\nDTSTART:20260105T090000Z\nRRULE:\(rule)")
        #expect(Feeds.times(reading).map { $0.prefix(10) }.joined(separator: " ") == days)
        #expect(reading.faults.isEmpty)
    }

    @Test("Instances keep their exact length over a change of clocks (3.8.5.3)")
    func exactLength() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART;TZID=Europe/London:20260328T003000\n"
                + "DTEND;TZID=Europe/London:20260328T033000\nRRULE:FREQ=DAILY;COUNT=2")
        #expect(Feeds.times(reading) == ["2026-03-28T00:30Z/03:30", "2026-03-29T00:30Z/03:30"])
    }

    @Test("A time in a gap is read by the offset before it, one in a fold is the first (3.3.5)")
    func gapAndFold() throws {
        let reading = try Feeds.read(
            "UID:gap\nDTSTART;TZID=Europe/London:20260329T013000",
            "UID:fold\nDTSTART;TZID=Europe/London:20261025T013000")
        #expect(Feeds.times(reading) == ["2026-03-29T01:30Z/01:30", "2026-10-25T00:30Z/00:30"])
    }

    @Test("EXDATE removes a time exactly, not the other times of its day (3.8.5.1)")
    func exactException() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\nRRULE:FREQ=DAILY;COUNT=4;BYHOUR=9,14\n"
                + "EXDATE:20260105T140000Z")
        let days = ["2026-01-05T09:00Z", "2026-01-06T09:00Z", "2026-01-06T14:00Z"]
        #expect(Feeds.times(reading).map { String($0.prefix(17)) } == days)
    }

    @Test("The start counts as the first of COUNT, though the rule leaves it out (3.8.5.3)")
    func countsStart() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\nRRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU")
        let days = ["2026-01-05", "2026-01-06", "2026-01-13"]
        #expect(Feeds.times(reading).map { String($0.prefix(10)) } == days)
    }

    @Test("An override shows although EXDATE removes the time that it moves")
    func exceptionAndOverride() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE:20260106T090000Z",
            "UID:a\nRECURRENCE-ID:20260106T090000Z\nDTSTART:20260110T090000Z")
        #expect(Feeds.times(reading).map { String($0.prefix(10)) } == ["2026-01-05", "2026-01-10"])
        #expect(reading.instances.last?.recurrence == "20260106T090000Z")
    }

    @Test("Overrides move into the window and out of it, and orphans show")
    func moves() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20251229T090000Z\nRRULE:FREQ=WEEKLY;COUNT=3",
            "UID:a\nRECURRENCE-ID:20251229T090000Z\nDTSTART:20260102T090000Z",
            "UID:a\nRECURRENCE-ID:20260105T090000Z\nDTSTART:20251230T090000Z",
            "UID:orphan\nRECURRENCE-ID:20200105T090000Z\nDTSTART:20260303T090000Z")
        let days = ["2026-01-02", "2026-01-12", "2026-03-03"]
        #expect(Feeds.times(reading).map { String($0.prefix(10)) } == days)
    }

    @Test("RANGE=THISANDFUTURE moves all later instances (3.2.13)")
    func thisAndFuture() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART;TZID=Europe/London:20260320T090000\nSUMMARY:Old\n"
                + "DTEND;TZID=Europe/London:20260320T100000\nRRULE:FREQ=WEEKLY;COUNT=4",
            "UID:a\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/London:20260327T090000\n"
                + "DTSTART;TZID=Europe/London:20260327T110000\nDURATION:PT2H\nSUMMARY:New")
        #expect(
            Feeds.times(reading) == [
                "2026-03-20T09:00Z/10:00", "2026-03-27T11:00Z/13:00", "2026-04-03T10:00Z/12:00",
                "2026-04-10T10:00Z/12:00",
            ])
        #expect(reading.instances.map(\.summary) == ["Old", "New", "New", "New"])
    }

    @Test("The highest SEQUENCE of a UID counts, then the last")
    func sequence() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\nSEQUENCE:2\nSUMMARY:Two",
            "UID:a\nDTSTART:20260106T090000Z\nSEQUENCE:1\nSUMMARY:One",
            "UID:b\nDTSTART:20260107T090000Z\nSUMMARY:First",
            "UID:b\nDTSTART:20260108T090000Z\nSUMMARY:Last")
        #expect(reading.instances.map(\.summary) == ["Two", "Last"])
    }

    @Test("RDATE adds times and periods, EXRULE removes, and several rules unite")
    func sets() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=4\n"
                + "RRULE:FREQ=DAILY;COUNT=2;INTERVAL=10\nEXRULE:FREQ=DAILY;COUNT=2;INTERVAL=2\n"
                + "RDATE;VALUE=PERIOD:20260201T100000Z/PT3H,20260202T100000Z/20260202T103000Z")
        #expect(
            Feeds.times(reading) == [
                "2026-01-05T09:00Z/10:00", "2026-01-06T09:00Z/10:00", "2026-01-08T09:00Z/10:00",
                "2026-01-15T09:00Z/10:00", "2026-02-01T10:00Z/13:00", "2026-02-02T10:00Z/10:30",
            ])
    }

    @Test("All-day events begin at midnight of the zone, and cancelled ones say so")
    func allDay() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART;VALUE=DATE:20260701\nDTEND;VALUE=DATE:20260703\nSTATUS:CANCELLED",
            "UID:b\nDTSTART;VALUE=DATE:20260801")
        #expect(
            Feeds.times(reading) == [
                "2026-06-30T23:00Z/2026-07-02T23:00", "2026-07-31T23:00Z/2026-08-01T23:00",
            ])
        #expect(reading.instances.map(\.isAllDay) == [true, true])
        #expect(reading.instances.map(\.status) == [.cancelled, .confirmed])
    }
}
