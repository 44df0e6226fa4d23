import Events
import HTTP
import ServiceHost
import Wire

/// The time over which a request counts.
struct FigurePeriod: Sendable {
    static let mostDays: Int64 = 31
    private static let microsecondsPerHour: Int64 = 3_600_000_000

    let from: Timestamp
    let until: Timestamp

    /// - Parameter wholeHours: whether both times must be whole hours of UTC.
    /// - Throws: a `Problem` that names the wrong parameter.
    init(_ request: HTTPRequest, wholeHours: Bool) throws(Problem) {
        let period = try request.period()
        guard let from = period.from, let until = period.until else {
            let name = period.from == nil ? "from" : "until"
            throw Problem(.fieldMissing, "\(name): send the period as from and until.")
        }
        guard until - from <= Self.mostDays * 24 * Self.microsecondsPerHour else {
            throw Problem(
                .fieldOutOfRange, "from: a period has at most \(Self.mostDays) days; send several.")
        }
        if wholeHours {
            for (name, time) in [("from", from), ("until", until)]
            where !time.microseconds.isMultiple(of: Self.microsecondsPerHour) {
                throw Problem(
                    .fieldOutOfRange,
                    "\(name): counts are of whole hours: send a time such as "
                        + "2026-11-21T08:00:00.000Z.")
            }
        }
        self.from = from
        self.until = until
    }
}
