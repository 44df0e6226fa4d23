import Foundation
import Testing

@testable import Calendars

@Suite("CalendarReader: feeds") struct CalendarFeedTests {
    private static let zone = """
        BEGIN:VTIMEZONE
        TZID:Campus
        BEGIN:STANDARD
        DTSTART:19701025T040000
        TZOFFSETFROM:+0300
        TZOFFSETTO:+0200
        RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
        END:STANDARD
        BEGIN:DAYLIGHT
        DTSTART:19700329T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0300
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
        END:DAYLIGHT
        END:VTIMEZONE

        """

    @Test("The feed's own zone counts, then IANA's; an unknown zone is a fault, and floating")
    func zones() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART;TZID=Campus:20260701T120000",
            "UID:b\nDTSTART;TZID=America/New_York:20260702T120000",
            "UID:c\nDTSTART;TZID=/example.org/2026/Asia/Tokyo:20260703T120000",
            "UID:d\nDTSTART;TZID=Nowhere:20260704T120000", around: Self.zone)
        let hours = ["09:00", "16:00", "03:00", "11:00"]
        #expect(Feeds.times(reading).map { String($0.suffix(5)) } == hours)
        #expect(reading.faults.map(\.what) == [.unknownZone("Nowhere")])
    }

    @Test("Texts are read in UTF-8 with and without mark, Latin-1 and UTF-16")
    func characters() throws {
        let text = Feeds.calendar(["UID:a\nDTSTART:20260105T090000Z\nSUMMARY:Prüfung é"])
        let latin = text.unicodeScalars.map { UInt8($0.value) }
        var (marked, little, big): ([UInt8], [UInt8], [UInt8])
        (marked, little, big) = ([0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF])
        marked += text.utf8
        for unit in text.utf16 {
            little += [UInt8(unit & 255), UInt8(unit >> 8)]
            big += [UInt8(unit >> 8), UInt8(unit & 255)]
        }
        for bytes in [Array(text.utf8), marked, latin, little, big] {
            #expect(try Feeds.read(bytes: bytes).instances.map(\.summary) == ["Prüfung é"])
        }
    }

    @Test("Lines folded within a letter and lines that end with LF or CR LF are read")
    func folding() throws {
        var bytes = Array("UID:a\r\nDTSTART:20260105T090000Z\r\nSUMMARY:Pr".utf8)
        bytes += [0xC3] + Array("\r\n ".utf8) + [0xBC] + Array("f\\, a\\nb".utf8)
        let feed =
            Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n".utf8) + bytes
            + Array("\r\nEND:VEVENT\nEND:VCALENDAR".utf8)
        #expect(try Feeds.read(bytes: feed).instances.map(\.summary) == ["Prüf, a\nb"])
    }

    @Test("Several calendars in one stream are all read, each with its own zones")
    func stream() throws {
        let first = Feeds.calendar(
            ["UID:a\nDTSTART;TZID=Campus:20260701T120000"], around: Self.zone)
        let second = Feeds.calendar(["UID:a\nDTSTART;TZID=Campus:20260702T120000"])
        let reading = try Feeds.read(text: first + second)
        #expect(Feeds.times(reading).map { String($0.suffix(5)) } == ["09:00", "11:00"])
        #expect(reading.faultCount == 1)
    }

    @Test("Whatever is no whole calendar is an error")
    func errors() throws {
        let whole = Feeds.calendar(["UID:a\nDTSTART:20260105T090000Z"])
        let cases: [(String, CalendarError)] = [
            ("", .empty), (" \n\n", .empty), ("<html></html>", .notACalendar),
            ("BEGIN:VEVENT\nEND:VEVENT\n", .notACalendar),
            (whole + "BEGIN:VCALENDAR\n", .truncated),
            (whole.replacing("END:VEVENT\n", with: ""), .unbalanced(line: 7)),
        ]
        for (text, error) in cases {
            #expect(throws: error) { try Feeds.read(text: text) }
        }
        for count in 16..<(whole.utf8.count - 2) {
            #expect(throws: CalendarError.truncated) {
                try Feeds.read(bytes: Array(whole.utf8.prefix(count)))
            }
        }
    }

    @Test("A part that can't be read is a fault with its line, and the rest is read")
    func faults() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:nonsense", "DTSTART:20260105T090000Z",
            "UID:c\nDTSTART:20260105T090000Z\nRRULE:FREQ=NEVER", "UID:d\nDTSTART:20260231T090000Z",
            "UID:e\nDTSTART:20260105T090000Z\nRRULE:RSCALE=HEBREW;FREQ=DAILY;COUNT=2",
            "UID:f\nDTSTART:20260106T090000Z\nDTEND:20260105T090000Z")
        #expect(reading.instances.map(\.uid) == ["c", "e", "f"])
        #expect(reading.instances.allSatisfy { $0.endMicroseconds >= $0.startMicroseconds })
        #expect(Set(reading.faults.compactMap(\.line)).isSuperset(of: [4, 8, 11]))
        let whats = reading.faults.map(\.what)
        #expect(whats.contains(.noStart) && whats.contains(.noUID))
        #expect(whats.contains(.unreadableRule))
    }

    @Test("Every limit has its error or fault")
    func limits() throws {
        let endless = "UID:a\nDTSTART:20260105T090000Z\nRRULE:FREQ=DAILY"
        func with(_ change: (inout CalendarLimits) -> Void) -> CalendarLimits {
            var limits = CalendarLimits()
            change(&limits)
            return limits
        }
        let cases: [(CalendarLimits, CalendarError)] = [
            (with { $0.mostBytes = 20 }, .tooManyBytes(limit: 20)),
            (with { $0.mostComponents = 1 }, .tooManyComponents(limit: 1)),
            (with { $0.mostInstances = 9 }, .tooManyInstances(limit: 9)),
            (with { $0.mostWork = 9 }, .tooMuchWork(limit: 9)),
            (with { $0.mostDepth = 1 }, .nestedTooDeeply(limit: 1)),
        ]
        for (limits, error) in cases {
            #expect(throws: error) { try Feeds.read(endless, limits: limits) }
        }
        let few = try Feeds.read(endless, limits: with { $0.mostInstancesOfOne = 9 })
        #expect(few.faults.map(\.what) == [.tooManyInstances])
        #expect(few.instances.count == 10)
        let text = "\nSUMMARY:" + String(repeating: "é", count: 50)
        let cut = try Feeds.read(endless + text, limits: with { $0.mostTextBytes = 9 })
        #expect(cut.instances.first?.summary == "éééé")
        let line = try Feeds.read(endless + text, limits: with { $0.mostLineBytes = 60 })
        #expect(line.faults.map(\.what) == [.lineTooLong])
        let bad = try Feeds.read(text: Feeds.calendar(Array(repeating: "UID:a", count: 150)))
        #expect(bad.faults.count == CalendarReading.mostFaults && bad.faultCount == 150)
        let list = "\nCATEGORIES:" + String(repeating: "a,", count: 30)
        let values = try Feeds.read(endless + list, limits: with { $0.mostValues = 9 })
        #expect(values.faults.map(\.what) == [.tooManyValues])
    }

    @Test("Zones have bounds of their own, over all calendars of a feed")
    func zoneLimits() throws {
        var limits = CalendarLimits()
        limits.mostWorkOfZones = 100
        let event = "UID:a\nDTSTART;TZID=Campus:20260701T120000"
        let short = try Feeds.read(event, around: Self.zone, limits: limits)
        #expect(short.faults.map(\.what) == [.unreadableZone("Campus")])
        limits = CalendarLimits()
        limits.mostZones = 1
        limits.mostWorkOfOne = 3
        let reading = try Feeds.read(
            "UID:a\nDTSTART;TZID=No/1:20260701T120000", "UID:b\nDTSTART;TZID=No/2:20260701T120000",
            "UID:c\nDTSTART;TZID=Asia/Tokyo:20260701T120000\nRRULE:FREQ=DAILY", limits: limits)
        #expect(reading.faults.contains { $0.what == .unknownZone("Asia/Tokyo") })
        #expect(reading.faults.contains { $0.what == .tooMuchWork })
    }

    @Test("All that describes an event is read")
    func details() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\nSUMMARY:S\nLOCATION:Room 1\nCATEGORIES:A,B\\,C\n"
                + "ORGANIZER;CN=\"x: y\":mailto:o@example.org\nATTENDEE:mailto:p@example.org\n"
                + "ATTENDEE;CN=Quinn:mailto:q@example.org\nTRANSP:TRANSPARENT\nSEQUENCE:3\n"
                + "URL:https://example.org/a\nSTATUS:TENTATIVE")
        let instance = try #require(reading.instances.first)
        #expect(instance.location == "Room 1")
        #expect(instance.categories == ["A", "B,C"])
        #expect(instance.organizer == "x: y")
        #expect(instance.attendees == ["mailto:p@example.org", "Quinn"])
        #expect(instance.isTransparent && instance.sequence == 3)
        #expect(instance.url == "https://example.org/a")
        #expect(instance.status == .tentative)
        #expect(reading.faults.isEmpty)
    }

    @Test("Lines without a value are passed over, and lose nothing")
    func emptyLines() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\nDURATION:PT1H\nLOCATION:\nSUMMARY;LANGUAGE=en: \n"
                + "CATEGORIES:\nORGANIZER;CN=\"x: y\":\nATTENDEE:\nTRANSP:\nSEQUENCE:\nURL:\n"
                + "STATUS:\nDTEND:\nEXDATE:\nEXRULE:")
        #expect(reading.faults.isEmpty && !reading.losesInstances)
        #expect(Feeds.times(reading) == ["2026-01-05T09:00Z/10:00"])
        let instance = try #require(reading.instances.first)
        #expect(instance.location == nil && instance.summary.isEmpty)
        #expect(instance.organizer == nil && instance.attendees.isEmpty)
    }

    @Test(
        "An event that ends before it starts is one fault in the window",
        arguments: [
            ("DTSTART:20260105T090000Z\nDTEND:20260105T080000Z", 1),
            ("DTSTART:20260105T090000Z\nDTEND:20260105T085959Z\nRRULE:FREQ=DAILY;COUNT=3", 1),
            ("DTSTART:20260105T090000Z\nDTEND:20260105T090000Z", 0),
            ("DTSTART:20260105T090000Z\nDURATION:-PT1H", 1),
            ("DTSTART;VALUE=DATE:20260105\nDTEND;VALUE=DATE:20260104", 1),
            ("DTSTART:20260105T090000Z", 0), ("DTSTART;VALUE=DATE:20260105", 0),
            ("DTSTART:20250105T090000Z\nDTEND:20250105T080000Z", 0),
            ("DTSTART:20260105T090000Z\nDTEND:20260105T080000Z\nSTATUS:CANCELLED", 0),
            ("DTSTART:20260105T090000Z\nDTEND:20260105T080000Z\nTRANSP:TRANSPARENT", 0),
        ])
    func noEnd(lines: String, faults: Int) throws {
        let reading = try Feeds.read("UID:a\n\(lines)")
        #expect(reading.faults.count { $0.what == .endBeforeStart } == faults)
        #expect(reading.faults.count == faults && reading.losesInstances == (faults > 0))
    }

    @Test("Faults that lose instances say so, also beyond the hundredth, and others don't")
    func losing() throws {
        var limits = CalendarLimits()
        limits.mostTextBytes = 9
        let long = (0..<120).map { "UID:\($0)\nDTSTART:20260105T090000Z\nSUMMARY:1234567890" }
        let cut = try Feeds.read(text: Feeds.calendar(long), limits: limits)
        #expect(cut.faultCount == 120 && !cut.losesInstances)
        let lost = try Feeds.read(text: Feeds.calendar(long + ["UID:last"]), limits: limits)
        #expect(lost.faults.allSatisfy { $0.what == .textTooLong } && lost.losesInstances)
        for lines in ["DTSTART:nonsense", "DTSTART:20260105T090000Z\nRRULE:"] {
            #expect(try Feeds.read("UID:a\n\(lines)").losesInstances, "\(lines)")
        }
        func loses(_ words: String) -> Bool {
            CalendarFault.What.unreadable(words).losesInstances
        }
        #expect(!loses("Can't parse as DATE value in LOCATION property. Removing …: x"))
        #expect(loses("Can't parse as DATE value in RDATE property. Removing …: x"))
        #expect(loses("a date or time") && loses(""))
    }

    @Test("A hundred attendees and a hundred categories of an event are kept")
    func mostListed() throws {
        let people = (0..<150).map { "ATTENDEE:mailto:p\($0)@example.org\n" }.joined()
        let categories = (0..<150).map { "\($0)" }.joined(separator: ",")
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\n\(people)CATEGORIES:\(categories)")
        let instance = try #require(reading.instances.first)
        #expect(instance.attendees.count == 100 && instance.categories.count == 100)
        #expect(!reading.losesInstances)
    }

    @Test(
        "Endless rules and rules that never match end soon",
        arguments: [
            "FREQ=SECONDLY", "FREQ=SECONDLY;INTERVAL=32767;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=31", "FREQ=DAILY;BYSETPOS=300",
            "FREQ=SECONDLY;COUNT=2000000000;BYSECOND=61", "FREQ=HOURLY;BYSETPOS=2;COUNT=9",
            "FREQ=YEARLY;BYHOUR=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17;BYMINUTE=1,2,3,4,5,6,7,8"
                + ";BYSECOND=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20;BYDAY=MO,TU,WE,TH",
        ])
    func bounded(rule: String) throws {
        let clock = ContinuousClock()
        let took = try clock.measure {
            let reading = try Feeds.read("UID:a\nDTSTART:19700105T090000Z\nRRULE:\(rule)")
            #expect(reading.instances.count <= 10_001)
        }
        #expect(took < .seconds(20))
    }

    @Test("Reading and writing thousands of feeds leaves no memory behind")
    func memory() throws {
        func resident() throws -> Int {
            let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                .split(separator: " ")
            return (Int(words[1]) ?? 0) * 4
        }
        func turn() throws {
            let reading = try Feeds.read(
                "UID:a\nDTSTART;TZID=Campus:20260105T090000\nRRULE:FREQ=WEEKLY;COUNT=5\n"
                    + "SUMMARY:\(String(repeating: "x", count: 2_000))\nRRULE:FREQ=NEVER",
                "UID:b\nDTSTART:nonsense", around: Self.zone)
            _ = try CalendarWriter.text(
                of: reading.instances, product: "x", stampMicroseconds: 0, zone: "UTC")
        }
        for _ in 0..<300 { try turn() }
        let before = try resident()
        for _ in 0..<1_500 { try turn() }
        // Each turn reads and writes over 10 kB; 16 MB would be a leak.
        #expect(try resident() - before < 8_000)
    }

    @Test("Instances are written as a feed that reads back the same")
    func written() throws {
        let reading = try Feeds.read(
            "UID:a\nDTSTART:20260105T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2\n"
                + "SUMMARY:A\\, b\\; c\\\\d\\nnext é\nLOCATION:Room 1",
            "UID:b\nDTSTART;VALUE=DATE:20260801\nSTATUS:TENTATIVE")
        let text = try CalendarWriter.text(
            of: reading.instances, product: "-//Whereabouts//EN", stampMicroseconds: 0,
            zone: "Europe/London")
        #expect(text.contains("DTSTAMP:19700101T000000Z\r\n"))
        #expect(text.contains("PRODID:-//Whereabouts//EN\r\n"))
        #expect(text.contains("DTSTART;VALUE=DATE:20260801\r\n"))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
        // Only the lines are others.
        func withoutLines(_ instances: [CalendarInstance]) -> [CalendarInstance] {
            instances.map { instance in
                var instance = instance
                instance.line = 0
                return instance
            }
        }
        #expect(reading.instances.map(\.line) == [4, 4, 12])
        let again = try Feeds.read(text: text).instances
        #expect(withoutLines(again) == withoutLines(reading.instances))
    }
}
