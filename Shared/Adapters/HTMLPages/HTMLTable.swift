/// The cells of a table in their grid, as browsers lay them out (HTML Standard, section 4.9.12.1,
/// "Forming a table").
public struct HTMLTable {
    public struct Cell {
        public var node: HTMLNode
        /// The first row and column of the cell, from 0.
        public var row: Int
        public var column: Int
        public var rowSpan: Int
        public var columnSpan: Int
        /// Whether it is a `<th>`.
        public var isHeader: Bool
    }

    /// By row, then by column.
    public private(set) var cells: [Cell] = []
    public private(set) var rowCount = 0
    public private(set) var columnCount = 0
    private var places = 0

    init(_ table: HTMLNode) throws(HTMLPageError) {
        // Rows directly inside the table are a group of their own. A foot is shown last.
        var groups: [[HTMLNode]] = []
        var feet: [[HTMLNode]] = []
        var loose: [HTMLNode] = []
        for part in table.elements {
            switch part.name {
            case "tr": loose.append(part)
            case "thead", "tbody", "tfoot":
                if !loose.isEmpty { groups.append(loose) }
                loose = []
                let rows = part.elements.filter { $0.name == "tr" }
                if part.name == "tfoot" { feet.append(rows) } else { groups.append(rows) }
            default: break
            }
        }
        if !loose.isEmpty { groups.append(loose) }
        for group in groups + feet { try add(group) }
    }

    /// A cell does not reach out of its group of rows.
    private mutating func add(_ rows: [HTMLNode]) throws(HTMLPageError) {
        guard rowCount + rows.count <= HTMLLimits.mostRows else {
            throw .tableTooLarge(places: HTMLLimits.mostPlaces)
        }
        /// For each column, the first row of the group that is free.
        var free: [Int] = []
        for (index, row) in rows.enumerated() {
            var column = 0
            for node in row.elements where node.name == "td" || node.name == "th" {
                while column < free.count, free[column] > index { column += 1 }
                let columnSpan = Self.span(node.attribute("colspan"), most: 1_000) ?? 1
                let wanted = Self.span(node.attribute("rowspan"), most: 65_534, zero: true) ?? 1
                let rowSpan = min(wanted == 0 ? rows.count : wanted, rows.count - index)
                let end = column + max(1, columnSpan)
                places += rowSpan * max(1, columnSpan)
                guard end <= HTMLLimits.mostColumns, places <= HTMLLimits.mostPlaces else {
                    throw .tableTooLarge(places: HTMLLimits.mostPlaces)
                }
                if free.count < end { free += Array(repeating: 0, count: end - free.count) }
                for place in column..<end { free[place] = max(free[place], index + rowSpan) }
                cells.append(
                    Cell(
                        node: node, row: rowCount + index, column: column, rowSpan: rowSpan,
                        columnSpan: end - column, isHeader: node.name == "th"))
                columnCount = max(columnCount, end)
                column = end
            }
        }
        rowCount += rows.count
    }

    /// The leading digits; nil if there are none. Zero is one, except for rows.
    private static func span(_ text: String?, most: Int, zero: Bool = false) -> Int? {
        guard let text else { return nil }
        let digits = text.drop { $0.isWhitespace }.prefix { "0123456789".contains($0) }
        guard !digits.isEmpty else { return nil }
        let number = min(Int(digits) ?? most, most)
        return number == 0 && !zero ? 1 : number
    }
}
