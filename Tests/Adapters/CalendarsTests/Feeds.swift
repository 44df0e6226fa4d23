import Foundation

@testable import Calendars

/// Feeds and expectations of the tests.
enum Feeds {
    /// A calendar with the lines of each event.
    static func calendar(_ events: [String], around: String = "") -> String {
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n" + around
            + events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined() + "END:VCALENDAR\n"
    }

    /// Reads the events within 2026 and 2027, with floating times in London.
    static func read(
        _ events: String..., around: String = "", limits: CalendarLimits = CalendarLimits()
    ) throws -> CalendarReading {
        try read(text: calendar(events, around: around), limits: limits)
    }

    static func read(
        text: String, limits: CalendarLimits = CalendarLimits()
    ) throws -> CalendarReading {
        try read(bytes: Array(text.utf8), limits: limits)
    }

    static func read(
        bytes: [UInt8], limits: CalendarLimits = CalendarLimits()
    ) throws -> CalendarReading {
        try CalendarReader.instances(
            in: bytes, from: microseconds("2026-01-01T00:00Z"),
            to: microseconds("2028-01-01T00:00Z"), floatingZone: "Europe/London", limits: limits)
    }

    static func microseconds(_ text: String) -> Int64 {
        let date = try? Date(text.replacing("Z", with: ":00Z"), strategy: .iso8601)
        return Int64(date?.timeIntervalSince1970 ?? 0) * 1_000_000
    }

    /// `2026-03-29T09:00Z/10:00` for each instance, with the day of the end if it is another.
    static func times(_ reading: CalendarReading) -> [String] {
        reading.instances.map { instance in
            func text(_ microseconds: Int64) -> String {
                let date = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
                return String(date.ISO8601Format().prefix(16))
            }
            let (start, end) = (text(instance.startMicroseconds), text(instance.endMicroseconds))
            let isSameDay = start.prefix(10) == end.prefix(10)
            return "\(start)Z/\(isSameDay ? String(end.suffix(5)) : end)"
        }
    }
}
