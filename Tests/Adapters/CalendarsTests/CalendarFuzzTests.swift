import Foundation
import SeededRandomness
import Testing

@testable import Calendars

/// `WHEREABOUTS_FUZZ=100000` is the long form.
@Suite("Damaged calendars") struct CalendarFuzzTests {
    private static let wanted =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FUZZ"].flatMap(Int.init) ?? 3_000

    private static let parts = [
        "FREQ=SECONDLY", "FREQ=YEARLY", "FREQ=MONTHLY", "FREQ=HOURLY", "COUNT=2147483647",
        "INTERVAL=32767", "INTERVAL=1", "BYDAY=-53SU,53MO", "BYMONTHDAY=31,-31", "BYSETPOS=-366",
        "BYWEEKNO=53,-53", "BYYEARDAY=366,-366", "BYMONTH=2", "BYSECOND=60", "BYHOUR=23,0",
        "UNTIL=99991231T235959Z", "UNTIL=00010101", "WKST=SA", "RSCALE=CHINESE;SKIP=FORWARD",
    ]
    private static let values = [
        "", "0", "-1", "99999999999999999999", "20260229T250000", "00000000", "99991231T235959Z",
        "19010101T000000", "20260329T013000", "P9999999999W", "-PT1H", "PT99999999H", "\u{0}",
        "P16000000W", "PT4000000000H",
        "20260101T000000Z/PT1H,20260102T000000Z/P99999D", "é\u{1F600}", "\\n\\,\\", "+2359",
        "-9999",
    ]
    private static let lines = [
        "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VTIMEZONE", "END:VCALENDAR", "BEGIN:VALARM",
        "RRULE:FREQ=DAILY", "EXRULE:FREQ=SECONDLY", "RDATE;VALUE=PERIOD:20260101T000000Z/PT1H",
        "DTSTART;VALUE=DATE:20260101", "DTEND;TZID=Nowhere:20260101T000000", "STATUS:CANCELLED",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20260105T090000Z", "X-LIC-ERROR:x", "UID:a", ":", ";=:",
        "DURATION:P3650000D", "CATEGORIES:a,b,,\\,c", "ATTENDEE;CN=\"a:b;c\":mailto:x", " fold",
        "SEQUENCE:99999999999", "METHOD:CANCEL", "TZOFFSETTO:+9959",
    ]

    private func seed(_ random: inout SeededRandom) -> String {
        let zone =
            "BEGIN:VTIMEZONE\nTZID:Campus\nBEGIN:STANDARD\nDTSTART:19701025T040000\n"
            + "TZOFFSETFROM:+0300\nTZOFFSETTO:+0200\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\n"
            + "END:STANDARD\nEND:VTIMEZONE\n"
        let day = Int.random(in: 10...28, using: &random)
        return Feeds.calendar(
            [
                "UID:a\nDTSTART;TZID=Campus:202601\(day)T090000\nDTEND;TZID=Campus:202601\(day)"
                    + "T100000\nRRULE:FREQ=WEEKLY;COUNT=9;BYDAY=MO\nEXDATE:20260112T070000Z\n"
                    + "SUMMARY:Übung",
                "UID:a\nRECURRENCE-ID;TZID=Campus:202602\(day)T090000\nDTSTART:20260203T090000Z",
                "UID:b\nDTSTART;VALUE=DATE:202603\(day)\nRRULE:FREQ=MONTHLY;BYDAY=1MO\n"
                    + "RDATE;VALUE=DATE:20260401",
            ], around: zone)
    }

    private func damage(_ text: String, _ random: inout SeededRandom) -> [UInt8] {
        var lines = text.split(separator: "\n").map(String.init)
        var cut: Int?
        for _ in 0..<Int.random(in: 1...5, using: &random) where !lines.isEmpty {
            let place = Int.random(in: lines.indices, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: lines.insert(Self.lines.randomElement(using: &random) ?? "", at: place)
            case 1: if !lines[place].contains("VCAL") { lines.remove(at: place) }
            case 2...5:
                if let rule = lines.firstIndex(where: { $0.hasPrefix("RRULE") }) {
                    lines[rule] += ";" + (Self.parts.randomElement(using: &random) ?? "")
                }
            case 6...8:
                if let colon = lines[place].firstIndex(of: ":"), !lines[place].contains("N:V") {
                    lines[place] =
                        lines[place][...colon] + (Self.values.randomElement(using: &random) ?? "")
                }
            case 9:
                lines[place] = String(
                    lines[place].map { character in
                        character.isNumber && Bool.random(using: &random)
                            ? Character("\(Int.random(in: 0...9, using: &random))") : character
                    })
            case 10: cut = place
            default: lines.insert(lines[place], at: place)
            }
        }
        var bytes = Array(lines.joined(separator: "\r\n").utf8)
        if cut != nil, Bool.random(using: &random), !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
        return bytes
    }

    @Test("None of them crashes, hangs or fills the memory, and half of them are read")
    func damaged() throws {
        var (read, withInstances) = (0, 0)
        var slowest = Duration.zero
        let clock = ContinuousClock()
        for number in 0..<Self.wanted {
            var random = SeededRandom(seed: number)
            let bytes = damage(seed(&random), &random)
            let took = clock.measure {
                guard let reading = try? Feeds.read(bytes: bytes) else { return }
                read += 1
                withInstances += reading.instances.isEmpty ? 0 : 1
                #expect(reading.instances.allSatisfy { $0.startMicroseconds <= $0.endMicroseconds })
            }
            slowest = max(slowest, took)
        }
        print("damaged calendars: \(Self.wanted), read \(read), slowest \(slowest)")
        #expect(read > Self.wanted / 2)
        #expect(withInstances > Self.wanted / 4)
        #expect(slowest < .seconds(20))
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
            .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
        #expect(try #require(peak) < 1 << 20)
    }
}
