/// A cell of a table with the texts in it.
public struct GridCell: Hashable, Sendable {
    /// The texts in their order, each of one line; empty for an empty cell.
    public var lines: [String]
    public var columnSpan: Int
    public var rowSpan: Int

    public init(_ lines: [String], columnSpan: Int = 1, rowSpan: Int = 1) {
        self.lines = lines.map { tidied($0) }.filter { !$0.isEmpty }
        self.columnSpan = max(1, columnSpan)
        self.rowSpan = max(1, rowSpan)
    }

    public var text: String { lines.joined(separator: " ") }
}

/// A booking as a grid's cell shows it.
///
/// The weeks' line is the anchor. Before it stand the module, its title and the activity, then
/// people; after it the place and the kind, or the kind alone.
public struct GridBooking: Hashable, Sendable {
    public var title: String
    public var people: [String] = []
    public var weeks: [Int]?
    public var place: String?
    public var kind: String?

    /// The lines of the title.
    private static let titleLines = 3

    public init?(_ cell: GridCell) {
        guard !cell.lines.isEmpty else { return nil }
        let anchor = cell.lines.indices.last { index in
            index > 0 && GridWeeks.numbers(cell.lines[index]) != nil
        }
        let before = cell.lines[..<(anchor ?? cell.lines.count)]
        title = tidied(before.prefix(Self.titleLines).joined(separator: " "))
        people = Array(before.dropFirst(Self.titleLines).prefix(BookingLimits.people))
        guard let anchor else { return }
        weeks = GridWeeks.numbers(cell.lines[anchor])
        let after = Array(cell.lines[(anchor + 1)...])
        kind = after.last
        if after.count > 1 { place = after[0] }
    }
}
