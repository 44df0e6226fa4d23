import Events
import Foundation

/// Times as the clocks of a building show them.
struct PageClock {
    let zone: TimeZone
    private let formatter: DateFormatter

    /// - Parameters:
    ///   - zone: an IANA time zone; others count as UTC.
    ///   - language: the language of the names of days and months.
    init(zone: String?, language: String) {
        self.zone = zone.flatMap(TimeZone.init(identifier:)) ?? .gmt
        formatter = DateFormatter()
        formatter.timeZone = self.zone
        // American English would write the month first.
        formatter.locale = Locale(identifier: language == "en" ? "en_GB" : language)
        formatter.setLocalizedDateFormatFromTemplate("EEEEdMMMM")
    }

    /// The local time minus UTC.
    func offsetSeconds(at time: Timestamp) -> Int { zone.secondsFromGMT(for: date(time)) }

    /// Such as `09:10`.
    func time(_ time: Timestamp) -> String {
        let minutes = time.milliseconds / 60_000 + Int64(offsetSeconds(at: time)) / 60
        let minute = (minutes % 1_440 + 1_440) % 1_440
        let (hours, rest) = (minute / 60, minute % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Such as `Monday 30 November`.
    func day(_ time: Timestamp) -> String { formatter.string(from: date(time)) }

    private func date(_ time: Timestamp) -> Date {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)
    }
}
