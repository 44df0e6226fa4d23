import Foundation

/// The offsets of a zone from UTC, as a list of changes.
struct CalendarZone {
    struct Change {
        var utc: Int64
        /// The offset from here on.
        var offset: Int64
        /// The first wall time that is read with the new offset.
        var wall: WallSeconds = 0
    }

    private let first: Int64
    private let changes: [Change]

    /// - Parameter first: the offset before the first change.
    init(first: Int64, changes: [Change]) {
        self.first = first
        var before = first
        self.changes = changes.sorted { $0.utc < $1.utc }.map { change in
            var change = change
            // In a gap the offset before it counts, in a fold the first of both times: RFC 5545,
            // section 3.3.5.
            change.wall = change.utc + max(before, change.offset)
            before = change.offset
            return change
        }
    }

    static let utc = CalendarZone(first: 0, changes: [])

    /// Nil if there is no such IANA zone.
    /// - Parameter last: the time in UTC up to which changes are known.
    init?(identifier: String, until last: Int64) {
        // TimeZone also knows abbreviations such as EST, which are no names of IANA.
        guard identifier.contains("/") || ["UTC", "GMT"].contains(identifier),
            let zone = TimeZone(identifier: identifier)
        else { return nil }
        var changes: [Change] = []
        var date = Date(timeIntervalSince1970: 0)
        let end = Date(timeIntervalSince1970: Double(last))
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next <= end,
            next > date, changes.count < 2_000
        {
            changes.append(
                Change(
                    utc: Int64(next.timeIntervalSince1970.rounded()),
                    offset: Int64(zone.secondsFromGMT(for: next))))
            date = next
        }
        self.init(
            first: Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: 0))),
            changes: changes)
    }

    func utc(_ wall: WallSeconds) -> Int64 { wall - offset { $0.wall <= wall } }

    func wall(_ utc: Int64) -> WallSeconds { utc + offset { $0.utc <= utc } }

    /// The offset of the last change for which the condition holds; the changes are in its order.
    private func offset(_ isReached: (Change) -> Bool) -> Int64 {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(changes[middle]) { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : changes[low - 1].offset
    }
}
