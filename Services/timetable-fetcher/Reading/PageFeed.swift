import Events
import HTMLPages
import Timetables
import Wire

/// Reads bookings and free computers from a web page, by XPaths.
///
/// Bookings stand in a grid (`table`, `weeks`, and `place` where the cells have none), or each in a
/// row. Paths of rows are `rows`, and from each row `title`, `date`, `start`, `end`, `room`, `kind`
/// and `id`. Free computers are in blocks (`rooms`, then from each `name`, `free` and `total`).
struct PageFeed {
    private static let mostRows = 20_000

    private let page: HTMLPage
    private let paths: [String: String]

    init(_ answer: FeedAnswer, _ paths: [String: String]) throws(FeedFault) {
        self.paths = paths
        do throws(HTMLPageError) {
            page = try HTMLPage(bytes: answer.body, contentType: answer.contentType)
        } catch {
            throw FeedFault("the page can't be read: \(error)")
        }
    }

    func bookings(zone: LocalZone) throws(FeedFault) -> FeedParts {
        try paths["rows"] == nil ? grid(zone) : rows(zone)
    }

    // MARK: Grids

    private func grid(_ zone: LocalZone) throws(FeedFault) -> FeedParts {
        let path = paths["table"] ?? "//table[.//td]"
        let compiled = try Self.path(path)
        let table: HTMLTable
        do throws(HTMLPageError) {
            table = try page.table(compiled)
        } catch {
            throw FeedFault("no table is there", path: path)
        }
        var cells = [[GridCell]](repeating: [], count: table.rowCount)
        for cell in table.cells {
            var lines: [String] = []
            for node in try nodes(".//text()", from: cell.node) {
                lines.append(try Self.words(node))
            }
            cells[cell.row].append(
                GridCell(lines, columnSpan: cell.columnSpan, rowSpan: cell.rowSpan))
        }
        let grid: TimetableGrid
        do throws(TimetableGrid.Fault) {
            grid = try TimetableGrid(cells)
        } catch {
            throw FeedFault("the table is no grid of times: \(error)", path: path)
        }
        let label = paths["weeks"] ?? "//*[contains(text(), 'Weeks:')]"
        guard let weeks = GridWeeks(label: try text(label) ?? "") else {
            throw FeedFault("the weeks of the grid are not there", path: label)
        }
        let place = try paths["place"].flatMap(text)
        var parts = FeedParts()
        parts.bookings = try grid.bookings(in: weeks, place: place) { zone.moment($0) }
        func midnight(_ day: LocalDay) -> Timestamp {
            zone.moment(LocalTime(day: day, minutes: 0))
        }
        parts.covers = weeks.runs.map { midnight($0.lowerBound)..<midnight($0.upperBound) }
        return parts
    }

    // MARK: Rows

    private func rows(_ zone: LocalZone) throws(FeedFault) -> FeedParts {
        let path = paths["rows"] ?? ""
        let rows = try nodes(path)
        guard !rows.isEmpty else { throw FeedFault("the path finds nothing", path: path) }
        guard rows.count <= Self.mostRows else {
            throw FeedFault("the page has more than \(Self.mostRows) rows", path: path)
        }
        var parts = FeedParts()
        var size = FeedSize()
        var counts: [String: Int] = [:]
        for row in rows {
            guard let times = try times(of: row, zone) else {
                if try losesTimes(row) { parts.isIncomplete = true }
                let words = try Self.words(row)
                parts.leftOut.append(tidied("no times: \(words)", atMost: 120))
                continue
            }
            guard let ends = times.ends else {
                if times.isBackwards { parts.isIncomplete = true }
                let words = try Self.words(row)
                parts.leftOut.append(tidied("no end after its start: \(words)", atMost: 120))
                continue
            }
            let starts = times.starts
            let (title, place) = (try text("title", row) ?? "", try text("room", row))
            let name =
                try text("id", row)
                ?? "\(title)\n\(place ?? "")\n\(starts.microseconds / 86_400_000_000)"
            counts[name, default: 0] += 1
            let booking = FoundBooking(
                key: "\(name)\n\(counts[name] ?? 1)", places: place.map { [$0] } ?? [],
                starts: starts, ends: ends, title: title, kind: try text("kind", row))
            try size.add(booking)
            parts.bookings.append(booking)
        }
        guard !parts.bookings.isEmpty else {
            throw FeedFault("no row has times", path: paths["start"] ?? "start")
        }
        return parts
    }

    private enum RowTime {
        case moment(Timestamp)
        case local(LocalTime)

        func moment(_ zone: LocalZone) -> Timestamp {
            switch self {
            case .moment(let moment): moment
            case .local(let time): zone.moment(time)
            }
        }
    }

    private struct RowTimes {
        var starts: Timestamp
        /// Nil where it is not after the start.
        var ends: Timestamp?
        /// Whether the row itself has its end before its start. Then it was meant otherwise. An end
        /// at the start is no booking, and neither is an hour that clocks leave out.
        var isBackwards: Bool
    }

    /// Nil without both times.
    private func times(of row: HTMLNode, _ zone: LocalZone) throws(FeedFault) -> RowTimes? {
        guard let start = try time("start", row), var end = try time("end", row) else {
            return nil
        }
        var isBackwards = end.moment(zone) < start.moment(zone)
        if case .local(let starts) = start, case .local(let ends) = end {
            let night = ends.end(after: starts)
            isBackwards = night == nil && ends < starts
            end = .local(night ?? ends)
        }
        let (starts, ends) = (start.moment(zone), end.moment(zone))
        return RowTimes(
            starts: starts, ends: ends > starts ? ends : nil, isBackwards: isBackwards)
    }

    /// Whether a row without times was meant to have some. A heading has no text at their paths.
    private func losesTimes(_ row: HTMLNode) throws(FeedFault) -> Bool {
        if try text("start", row) != nil { return true }
        if try text("end", row) != nil { return true }
        guard let date = try text("date", row) else { return false }
        return LocalDay(text: date) == nil
    }

    /// A time in RFC 3339, or a time of day with the row's date.
    private func time(_ name: String, _ row: HTMLNode) throws(FeedFault) -> RowTime? {
        guard let text = try text(name, row) else { return nil }
        if let moment = Timestamp(text: text) { return .moment(moment) }
        guard let minutes = LocalTime.minutes(text),
            let day = try self.text("date", row).flatMap({ LocalDay(text: $0) })
        else { return nil }
        return .local(LocalTime(day: day, minutes: minutes))
    }

    // MARK: Free computers

    func counts() throws(FeedFault) -> FeedParts {
        let path = paths["rooms"] ?? ""
        let rooms = try nodes(path)
        guard !rooms.isEmpty else { throw FeedFault("the path finds nothing", path: path) }
        var parts = FeedParts()
        for room in rooms.prefix(Self.mostRows) {
            guard let place = try text("name", room) else {
                let words = try Self.words(room)
                parts.leftOut.append(tidied("no name: \(words)", atMost: 120))
                continue
            }
            parts.counts.append(
                FoundCount(
                    place: place, available: try number("free", room),
                    total: try number("total", room)))
        }
        guard parts.counts.contains(where: { $0.available != nil }) else {
            throw FeedFault("the path finds no number", path: paths["free"] ?? "free")
        }
        return parts
    }

    /// The first number in a text. A text without one that begins with "no" means none, such as
    /// "No computers are available".
    private func number(_ name: String, _ node: HTMLNode) throws(FeedFault) -> Int? {
        guard let text = try text(name, node) else { return nil }
        let digits = text.drop { !$0.isNumber }.prefix { $0.isNumber }
        if !digits.isEmpty { return Int(digits).flatMap { $0 <= 1_000_000 ? $0 : nil } }
        return text.lowercased().hasPrefix("no ") ? 0 : nil
    }

    // MARK: Paths

    private func text(_ path: String) throws(FeedFault) -> String? {
        guard let node = try nodes(path).first else { return nil }
        return try Self.cut(node)
    }

    /// The text at the path of this name from a node; nil where the feed has no such path.
    private func text(_ name: String, _ node: HTMLNode) throws(FeedFault) -> String? {
        guard let path = paths[name] else { return nil }
        guard let found = try nodes(path, from: node).first else { return nil }
        return try Self.cut(found)
    }

    /// The text inside, cut as in bookings; nil where there is none.
    private static func cut(_ node: HTMLNode) throws(FeedFault) -> String? {
        let text = tidied(try words(node))
        return text.isEmpty ? nil : text
    }

    /// The text inside. Each row may read the same long one, as of a heading.
    private static func words(_ node: HTMLNode) throws(FeedFault) -> String {
        do throws(HTMLPageError) {
            return try node.text()
        } catch {
            throw FeedFault("the texts that its paths find on this page are too long together")
        }
    }

    private func nodes(
        _ path: String, from node: HTMLNode? = nil
    ) throws(FeedFault) -> [HTMLNode] {
        let compiled = try Self.path(path)
        do throws(HTMLPageError) {
            guard let node else { return try page.nodes(compiled) }
            return try node.nodes(compiled)
        } catch {
            if case .tooManySteps = error {
                throw FeedFault("the paths take too many steps on this page", path: path)
            }
            throw FeedFault("the path can't be followed: \(error)", path: path)
        }
    }

    private static func path(_ text: String) throws(FeedFault) -> HTMLPath {
        do throws(HTMLPath.Fault) {
            return try HTMLPath(text)
        } catch {
            throw FeedFault("the path can't be read: \(error.reason)", path: text)
        }
    }
}
