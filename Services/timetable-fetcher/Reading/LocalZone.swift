import Events
import Foundation
import Timetables

/// The zone of times on a page, by the system's tables.
struct LocalZone: Sendable {
    private let zone: TimeZone

    /// Whether a text is an IANA zone. The system also knows abbreviations, such as EST.
    static func isKnown(_ name: String) -> Bool {
        (name.contains("/") || ["UTC", "GMT"].contains(name)) && TimeZone(identifier: name) != nil
    }

    /// UTC for an unknown name.
    init(_ name: String) { zone = TimeZone(identifier: name) ?? .gmt }

    /// The moment of a time on the wall. A time that a change of clocks leaves out is read by the
    /// offset before it. If the change gives it twice, it is the first (RFC 5545, section 3.3.5).
    func moment(_ time: LocalTime) -> Timestamp {
        let seconds = Int64(time.day.number) * 86_400 + Int64(time.minutes) * 60
        let before = offset(at: seconds - 86_400)
        let moment = seconds - before
        let after = offset(at: moment)
        guard after != before, offset(at: seconds - after) == after else {
            return Timestamp(milliseconds: moment * 1_000)
        }
        return Timestamp(milliseconds: (seconds - after) * 1_000)
    }

    private func offset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
}
