public import Events

/// The table of the report's web form (figure 5.2): half-hours across, days down.
///
/// A day has several rows where its bookings overlap. Then the day's name spans them, or the
/// further rows have no name.
public struct TimetableGrid: Hashable, Sendable {
    public enum Fault: Error, Hashable, Sendable {
        /// No row has times of day.
        case headerMissing
        /// A row's first cell is no day of the week.
        case dayUnknown(String)
        /// The page does not say which weeks it shows, and nothing else does.
        case weeksMissing
        /// The grid has more than this number of rows or columns.
        case tooLarge(Int)
    }

    private static let mostRows = 500
    private static let mostColumns = 500
    private static let days = ["mo", "tu", "we", "th", "fr", "sa", "su"]

    /// A booking with its day of the week, 0 for Monday, and its minutes of the day.
    public struct Entry: Hashable, Sendable {
        public var weekday: Int
        public var starts: Int
        public var ends: Int
        public var booking: GridBooking
    }

    public private(set) var entries: [Entry] = []

    /// - Parameter rows: the rows as the page has them: a cell that spans rows stands in the first.
    public init(_ rows: [[GridCell]]) throws(Fault) {
        guard rows.count <= Self.mostRows else { throw .tooLarge(Self.mostRows) }
        guard let header = rows.firstIndex(where: { Self.times($0) != nil }),
            let times = Self.times(rows[header])
        else { throw .headerMissing }
        var taken: [Int: Int] = [:]
        var day: Int?
        for row in rows[(header + 1)...] {
            var column = 0
            var next: [Int: Int] = [:]
            for cell in row {
                while let left = taken[column], left > 0 { column += 1 }
                guard column + cell.columnSpan <= Self.mostColumns else {
                    throw .tooLarge(Self.mostColumns)
                }
                if cell.rowSpan > 1 {
                    for covered in column..<column + cell.columnSpan {
                        next[covered] = cell.rowSpan
                    }
                }
                if column == 0 {
                    if !cell.text.isEmpty { day = try Self.weekday(cell.text) }
                } else if let day, let booking = GridBooking(cell) {
                    add(booking, day, times, from: column, to: column + cell.columnSpan)
                }
                column += cell.columnSpan
            }
            taken = taken.compactMapValues { $0 > 1 ? $0 - 1 : nil }
            for (column, span) in next { taken[column] = span - 1 }
        }
    }

    private mutating func add(
        _ booking: GridBooking, _ day: Int, _ times: [Int?], from column: Int, to end: Int
    ) {
        guard column < times.count, let starts = times[column] else { return }
        let known = times.compactMap(\.self)
        let step = known.count > 1 ? known[known.count - 1] - known[known.count - 2] : 30
        let last = (known.last ?? starts) + step
        let ends = end < times.count ? times[end] ?? last : last
        guard ends > starts else { return }
        entries.append(Entry(weekday: day, starts: starts, ends: ends, booking: booking))
    }

    /// The minutes of each column; nil for a row without at least two times.
    private static func times(_ row: [GridCell]) -> [Int?]? {
        var columns: [Int?] = []
        for cell in row {
            columns.append(columns.isEmpty ? nil : LocalTime.minutes(cell.text))
            for _ in 1..<min(cell.columnSpan, mostColumns) where columns.count < mostColumns {
                columns.append(nil)
            }
        }
        let known = columns.compactMap(\.self)
        guard known.count > 1, zip(known, known.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return nil
        }
        return columns
    }

    private static func weekday(_ text: String) throws(Fault) -> Int {
        guard let day = days.firstIndex(of: String(text.lowercased().prefix(2))) else {
            throw .dayUnknown(tidied(text, atMost: 40))
        }
        return day
    }

    /// The bookings of the weeks.
    ///
    /// A grid has no ids. So a booking is known by its title, its kind and its week, and by its
    /// order among those. One that moves within its week keeps its key.
    ///
    /// - Parameters:
    ///   - place: the place of all bookings; nil for that of each cell.
    ///   - moment: a local time as a moment, by the zone of the building.
    ///
    /// - Throws: a fault beyond the limits of `FeedSize`. Each week repeats all bookings.
    public func bookings(
        in weeks: GridWeeks, place: String?, moment: (LocalTime) -> Timestamp
    ) throws(FeedFault) -> [FoundBooking] {
        var found: [FoundBooking] = []
        var size = FeedSize()
        var counts: [String: Int] = [:]
        let sorted = entries.sorted {
            ($0.weekday, $0.starts, $0.ends) < ($1.weekday, $1.starts, $1.ends)
        }
        for week in weeks.weeks {
            let monday = week.begins.advanced(by: -week.begins.weekday)
            for entry in sorted {
                let booking = entry.booking
                if weeks.numbers.count > 1, let number = week.number, let only = booking.weeks,
                    !only.contains(number)
                {
                    continue
                }
                let day = monday.advanced(by: entry.weekday)
                let place = place ?? booking.place
                let name = [booking.title, booking.kind ?? "", place ?? "", "\(monday.number)"]
                    .joined(separator: "\n")
                counts[name, default: 0] += 1
                let one = FoundBooking(
                    key: "\(name)\n\(counts[name] ?? 1)", places: place.map { [$0] } ?? [],
                    starts: moment(LocalTime(day: day, minutes: entry.starts)),
                    ends: moment(LocalTime(day: day, minutes: entry.ends)),
                    title: booking.title, kind: booking.kind, people: booking.people)
                try size.add(one)
                found.append(one)
            }
        }
        return found
    }
}
