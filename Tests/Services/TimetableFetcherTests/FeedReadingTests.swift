import Events
import Testing
import Timetables
import Wire

@testable import TimetableFetcher

/// Answers of each kind of feed. The grid is like figure 5.2 of the Bush House report, with names
/// of our own.
@Suite("Reading a feed's answer") struct FeedReadingTests {
    private static let horizon = TimetableHorizon(
        begins: Timestamp(text: "2026-11-01T00:00:00Z")!,
        ends: Timestamp(text: "2027-11-01T00:00:00Z")!)

    private static func read(
        _ kind: FeedKind, _ body: String, _ paths: [String: String] = [:],
        keepsPeople: Bool = false
    ) throws(FeedFault) -> FeedParts {
        var feed = TimetableFeed(
            site: SiteID("house"), id: FeedID("f"), kind: kind, address: "", name: "",
            keepsPeople: keepsPeople)
        feed.paths = paths
        let answer = FeedAnswer(
            status: 200, body: Array(body.utf8), contentType: "text/html; charset=utf-8")
        return try FeedReading.parts(of: feed, answer, horizon: horizon, zone: "Europe/London")
    }

    private static func fault(
        _ kind: FeedKind, _ body: String, _ paths: [String: String] = [:],
        keepsPeople: Bool = false
    ) -> FeedFault? {
        do throws(FeedFault) {
            _ = try read(kind, body, paths, keepsPeople: keepsPeople)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Calendars

    private static func calendar(_ events: String) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t\r\n\(events)END:VCALENDAR\r\n"
    }

    @Test("Each instance of a calendar is a booking with its own key, and free time is none")
    func instances() throws {
        let parts = try Self.read(
            .calendar,
            Self.calendar(
                """
                BEGIN:VEVENT\r
                UID:a\r
                DTSTART;TZID=Europe/London:20261201T090000\r
                DURATION:PT1H\r
                RRULE:FREQ=WEEKLY;COUNT=2\r
                SUMMARY:Big Data\r
                LOCATION:S6.01\r
                CATEGORIES:Practical,Other\r
                ORGANIZER:mailto:ada@example.org\r
                ATTENDEE;CN="Bert Other":mailto:bert@example.org\r
                ATTENDEE;CN=cleo@example.org:MAILTO:cleo@example.org\r
                END:VEVENT\r
                BEGIN:VEVENT\r
                UID:b\r
                DTSTART:20261201T120000Z\r
                DTEND:20261201T130000Z\r
                TRANSP:TRANSPARENT\r
                SUMMARY:Free\r
                END:VEVENT\r

                """), keepsPeople: true)
        #expect(parts.bookings.count == 2 && !parts.isIncomplete)
        let first = try #require(parts.bookings.first)
        #expect(first.starts == Timestamp(text: "2026-12-01T09:00:00Z"))
        #expect(first.ends == Timestamp(text: "2026-12-01T10:00:00Z"))
        #expect(first.places == ["S6.01"] && first.title == "Big Data")
        #expect(first.kind == "Practical" && first.people == ["ada", "Bert Other", "cleo"])
        #expect(Set(parts.bookings.map(\.key)).count == 2)
    }

    @Test("Texts are cut, and people only read where they are kept; too much text is a fault")
    func manyInstances() throws {
        let long = String(repeating: "a", count: 4_000)
        let people = String(repeating: "ATTENDEE:mailto:\(long)\r\n", count: 100)
        let body = Self.calendar(
            "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261201T090000Z\r\nDURATION:PT1M\r\n"
                + "RRULE:FREQ=MINUTELY\r\nSUMMARY:\(long)\r\n\(people)END:VEVENT\r\n")
        let parts = try Self.read(.calendar, body)
        #expect(parts.bookings.count >= 10_000)
        #expect(parts.bookings.allSatisfy { $0.people.isEmpty && $0.title.utf8.count == 500 })
        // A hundred names in each of ten thousand bookings would be half a gigabyte.
        let fault = Self.fault(.calendar, body, keepsPeople: true)
        #expect(fault?.reason.hasPrefix("the texts of its bookings") == true, "\(fault as Any)")
    }

    @Test("A part that is lost makes the feed incomplete; half a feed is no feed")
    func faults() throws {
        let parts = try Self.read(
            .calendar,
            Self.calendar(
                "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261201T090000Z\r\n"
                    + "DTEND:20261201T100000Z\r\nRRULE:FREQ=SOMETIMES\r\nEND:VEVENT\r\n"))
        #expect(parts.isIncomplete && !parts.leftOut.isEmpty)
        let empty = try Self.read(
            .calendar,
            Self.calendar(
                "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261201T090000Z\r\n"
                    + "DTEND:20261201T100000Z\r\nLOCATION:\r\nEND:VEVENT\r\n"))
        #expect(!empty.isIncomplete && empty.reportLines().isEmpty && empty.bookings.count == 1)
        for body in ["", "<html></html>", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"] {
            #expect(Self.fault(.calendar, body) != nil, "\(body)")
        }
    }

    @Test("An event without length is left out by name, and loses bookings if it ends too early")
    func withoutTime() throws {
        func read(_ lines: String) throws -> FeedParts {
            try Self.read(
                .calendar,
                Self.calendar(
                    "BEGIN:VEVENT\r\nUID:swapped\r\nDTSTART:20261205T100000Z\r\n\(lines)\r\n"
                        + "END:VEVENT\r\n"))
        }
        for end in ["DTEND:20261205T090000Z", "DURATION:-PT1H"] {
            let parts = try read(end)
            #expect(parts.leftOut == ["swapped ends before it starts (line 4)"], "\(end)")
            #expect(parts.isIncomplete && parts.bookings.isEmpty, "\(end)")
        }
        for lines in ["SUMMARY:Deadline", "DTEND:20261205T100000Z", "DURATION:PT0S"] {
            let moment = try read(lines)
            #expect(moment.leftOut == ["swapped takes up no time (line 4)"], "\(lines)")
            #expect(!moment.isIncomplete && moment.bookings.isEmpty, "\(lines)")
        }
        let cancelled = try read("STATUS:CANCELLED")
        #expect(cancelled.leftOut.isEmpty && cancelled.bookings.map(\.isCancelled) == [true])
    }

    @Test("A text that is only cut loses no booking, and the report says that it is cut")
    func cutText() throws {
        let long = String(repeating: "a", count: 5_000)
        let parts = try Self.read(
            .calendar,
            Self.calendar(
                "BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261201T090000Z\r\nDURATION:PT1H\r\n"
                    + "SUMMARY:\(long)\r\nEND:VEVENT\r\n"))
        #expect(parts.leftOut == ["a has a long text, which is cut (line 4)"])
        #expect(!parts.isIncomplete && parts.bookings.map(\.title.utf8.count) == [500])
    }

    // MARK: Pages

    private static func gridPage(_ rows: String) -> String {
        let times = (16..<36).map { "<td>\($0 / 2).\($0 % 2 == 0 ? "00" : "30")</td>" }.joined()
        return """
            <html><body><p>Room(s): <b id="room">STD-BH (S) 7.01/2/3 (Lab)</b></p>
            <p>Weeks: 31 (30 Nov 2026-6 Dec 2026)</p>
            <table class="grid"><tr><td></td>\(times)</tr>\(rows)</table></body></html>
            """
    }

    @Test("A grid's cell is a booking by its half-hours, in the zone of the building")
    func grid() throws {
        let cell = """
            <td colspan="4">7CCSMBDT<br>BIG DATA<br>SEM2/Prac02<br>Ada Person<br>22-31<br>
            <i>Practical</i></td>
            """
        let free = String(repeating: "<td>&nbsp;</td>", count: 2)
        let parts = try Self.read(
            .form, Self.gridPage("<tr><td>Tue</td>\(free)\(cell)</tr>"),
            ["place": "//*[@id='room']"])
        let booking = try #require(parts.bookings.first)
        #expect(parts.bookings.count == 1)
        #expect(booking.starts == Timestamp(text: "2026-12-01T09:00:00Z"))
        #expect(booking.ends == Timestamp(text: "2026-12-01T11:00:00Z"))
        #expect(booking.title == "7CCSMBDT BIG DATA SEM2/Prac02" && booking.kind == "Practical")
        #expect(booking.places == ["STD-BH (S) 7.01/2/3 (Lab)"])
        // The page says nothing of the weeks around.
        let monday = try #require(Timestamp(text: "2026-11-30T00:00:00Z"))
        let next = try #require(Timestamp(text: "2026-12-07T00:00:00Z"))
        #expect(parts.covers == [monday..<next])
    }

    @Test("A page of another shape is a fault that names the path")
    func changedPage() {
        #expect(Self.fault(.form, "<html><p>We have moved</p></html>")?.path == "//table[.//td]")
        let list = "<html><table><tr><td>a</td></tr></table></html>"
        #expect(Self.fault(.table, list, ["table": "//table"])?.path == "//table")
        #expect(Self.fault(.table, list, ["rows": "//li"])?.path == "//li")
        #expect(Self.fault(.table, list, ["rows": "//li["])?.path == "//li[")
        #expect(Self.fault(.computersHTML, list, ["rooms": "//div"])?.path == "//div")
    }

    @Test("Rows have their times by date and time of day, or as one text")
    func rows() throws {
        let page = """
            <ul><li><b>Exam</b><i>1 Jul 2027</i><u>09:30</u><s>11:00</s><em>S6.01</em></li>
            <li><b>Talk</b><i></i><u>2027-01-04T10:00:00Z</u><s>2027-01-04T11:00:00Z</s></li>
            <li><b>Broken</b></li></ul>
            """
        let parts = try Self.read(
            .table, page,
            [
                "rows": "//li", "title": "b", "date": "i", "start": "u", "end": "s", "room": "em",
            ])
        #expect(parts.bookings.map(\.title) == ["Exam", "Talk"])
        // In summer London is an hour ahead of UTC.
        #expect(parts.bookings[0].starts == Timestamp(text: "2027-07-01T08:30:00Z"))
        #expect(parts.bookings[1].ends == Timestamp(text: "2027-01-04T11:00:00Z"))
        #expect(parts.leftOut == ["no times: Broken"])
        #expect(parts.covers.isEmpty)
    }

    @Test("Long texts of a page are cut before they are copied")
    func longTexts() throws {
        let long = String(repeating: "a", count: 100_000)
        let page = "<ul><li><b>\(long)</b><i>1 Jul 2027</i><u>09:30</u><s>11:00</s><em>\(long)</em>"
        let parts = try Self.read(
            .table, page,
            ["rows": "//li", "title": "b", "date": "i", "start": "u", "end": "s", "room": "em"])
        let booking = try #require(parts.bookings.first)
        #expect(booking.title.utf8.count == 500 && booking.places.map(\.utf8.count) == [500])
        #expect(booking.key.utf8.count < 1_100)
    }

    @Test("A heading among the rows loses no booking; a row with a broken time does")
    func headings() throws {
        let paths = [
            "rows": "//tr[td]", "title": "td[1]", "room": "td[2]", "date": "td[3]",
            "start": "td[4]", "end": "td[5]",
        ]
        func read(_ row: String) throws -> FeedParts {
            let page = """
                <table><tr><td>Talk</td><td>S6.01</td><td>1 Jul 2027</td><td>09:30</td>
                <td>11:00</td></tr><tr>\(row)</tr></table>
                """
            return try Self.read(.table, page, paths)
        }
        for row in [
            "<td colspan=5>Monday</td>", "<td>No bookings</td><td></td><td></td><td>&nbsp;</td>",
            "<td>Closed</td><td></td><td>2 Jul 2027</td><td></td><td></td>",
        ] {
            let parts = try read(row)
            #expect(parts.bookings.count == 1 && parts.leftOut.count == 1, "\(row)")
            #expect(!parts.isIncomplete, "\(row)")
        }
        for row in [
            "<td>Exam</td><td></td><td>2 Jul 2027</td><td>soon</td><td></td>",
            "<td>Exam</td><td></td><td></td><td></td><td>later</td>",
            "<td>Exam</td><td></td><td>the day after</td><td></td><td></td>",
        ] {
            let parts = try read(row)
            #expect(parts.bookings.count == 1 && parts.isIncomplete, "\(row)")
        }
    }

    @Test("A row over midnight ends on the next day; one that does not end is left out")
    func nights() throws {
        let page = """
            <ul><li><b>Night</b><i>1 Jul 2027</i><u>22:00</u><s>02:00</s></li>
            <li><b>Same</b><i>1 Jul 2027</i><u>10:00</u><s>10:00</s></li>
            <li><b>Back</b><i></i><u>2027-01-04T10:00:00Z</u><s>2027-01-04T09:00:00Z</s></li></ul>
            """
        let parts = try Self.read(
            .table, page, ["rows": "//li", "title": "b", "date": "i", "start": "u", "end": "s"])
        #expect(parts.bookings.map(\.title) == ["Night"])
        #expect(parts.bookings[0].starts == Timestamp(text: "2027-07-01T21:00:00Z"))
        #expect(parts.bookings[0].ends == Timestamp(text: "2027-07-02T01:00:00Z"))
        let words = "no end after its start: "
        #expect(parts.leftOut.map { String($0.prefix(28)) } == [words + "Same", words + "Back"])
        #expect(parts.isIncomplete)
    }

    @Test(
        "A row without length loses no booking, nor does one in an hour that clocks leave out",
        arguments: [("10:00", "10:00"), ("01:00", "02:00"), ("01:30", "02:15")])
    func withoutLength(start: String, end: String) throws {
        let page = """
            <ul><li><b>Exam</b><i>28 Mar 2027</i><u>12:00</u><s>13:00</s></li>
            <li><b>Empty</b><i>28 Mar 2027</i><u>\(start)</u><s>\(end)</s></li></ul>
            """
        let parts = try Self.read(
            .table, page, ["rows": "//li", "title": "b", "date": "i", "start": "u", "end": "s"])
        #expect(parts.bookings.map(\.title) == ["Exam"])
        #expect(parts.leftOut.count == 1 && !parts.isIncomplete)
    }

    @Test("Blocks of a page count free computers; a sentence without a number means none")
    func computers() throws {
        let page = """
            <div class="campus_info"><h2>BH(S) 4.02</h2><p>12 of 40 computers</p></div>
            <div class="campus_info"><h2>BH(S) 6.01</h2><p>No computers are available</p></div>
            <div class="campus_info"><h2>BH(S) 6.02</h2><p>Closed today</p></div>
            """
        let parts = try Self.read(
            .computersHTML, page,
            ["rooms": "//div[@class='campus_info']", "name": "h2", "free": "p"])
        #expect(parts.counts.map(\.place) == ["BH(S) 4.02", "BH(S) 6.01", "BH(S) 6.02"])
        #expect(parts.counts.map(\.available) == [12, 0, nil])
    }

    // MARK: Zones

    @Test(
        "Names of IANA zones are known, and abbreviations are not",
        arguments: [
            ("Europe/London", true), ("UTC", true), ("EST", false), ("Europe/Atlantis", false),
            ("", false),
        ])
    func zones(name: String, isKnown: Bool) { #expect(LocalZone.isKnown(name) == isKnown) }

    @Test(
        "A time that clocks leave out or give twice has one moment",
        arguments: [
            ("2027-03-28", 90, "2027-03-28T01:30:00Z"), ("2027-03-28", 120, "2027-03-28T01:00:00Z"),
            ("2026-10-25", 90, "2026-10-25T00:30:00Z"), ("2026-10-25", 150, "2026-10-25T02:30:00Z"),
            ("2026-12-01", 540, "2026-12-01T09:00:00Z"),
            ("2026-07-01", 540, "2026-07-01T08:00:00Z"),
        ])
    func clocks(day: String, minutes: Int, moment: String) throws {
        let day = try #require(LocalDay(text: day))
        let found = LocalZone("Europe/London").moment(LocalTime(day: day, minutes: minutes))
        #expect(found == Timestamp(text: moment))
    }
}
