import Events
import Site

/// A facility system's list of rooms: a table with a column of numbers, and others that say more.
public struct RoomList: Hashable, Sendable {
    /// The columns that the merge reads; others are ignored.
    public enum Column: String, Hashable, Sendable, CaseIterable {
        case number, name, floor, building, kind

        /// The words of headers, in lower case and without other characters than letters.
        fileprivate var words: Set<String> {
            switch self {
            case .number:
                [
                    "number", "roomnumber", "roomno", "room", "no", "nr", "raumnr", "raumnummer",
                    "raum",
                    "spacenumber", "spaceid", "rhif", "rhifystafell", "roomcode",
                ]
            case .name:
                ["name", "roomname", "description", "bezeichnung", "raumname", "enw", "spacename"]
            case .floor:
                ["floor", "level", "storey", "etage", "geschoss", "stockwerk", "ebene", "llawr"]
            case .building: ["building", "gebäude", "adeilad", "site", "block", "bau"]
            case .kind:
                [
                    "kind", "type", "use", "usage", "category", "nutzung", "nutzungsart", "math",
                    "raumart",
                ]
            }
        }
    }

    /// A row, with its line in the file.
    struct Row: Hashable, Sendable {
        let line: Int
        let number: String
        let name: String
        let floor: String
        let building: String
        let kind: String
    }

    public let header: [String]
    /// The header of each column that is used.
    public let columns: [Column: String]
    let rows: [Row]
    /// Lines without a number: sums, headings and the like.
    let linesWithoutNumber: Int

    /// The column of each kind, by the words of the header, or as somebody chose.
    public static func columns(
        of header: [String], chosen: [Column: String]
    ) -> [Column: String] {
        var columns = chosen.filter { header.contains($0.value) }
        for column in Column.allCases where columns[column] == nil {
            columns[column] = header.first { name in
                let word = name.lowercased().filter(\.isLetter)
                return column.words.contains(word) && !columns.values.contains(name)
            }
        }
        return columns
    }

    /// - Throws: the faults of all wrong lines.
    public init(_ table: DelimitedTable, chosen: [Column: String] = [:]) throws(TableFault) {
        for (column, name) in chosen.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where !table.header.contains(name) {
            throw TableFault(
                line: 1, "there is no column \(shown(name)) for the \(column.rawValue)")
        }
        header = table.header
        columns = Self.columns(of: header, chosen: chosen)
        guard columns[.number] != nil else {
            let names = header.prefix(20).map(shown).joined(separator: ", ")
            throw TableFault(line: 1, "choose the column of room numbers; there are \(names)")
        }
        var places: [Column: Int] = [:]
        for (column, name) in columns { places[column] = header.firstIndex(of: name) }
        var rows: [Row] = []
        var without = 0
        var faults = table.unread
        var seen: [String: Int] = [:]
        for row in table.rows {
            func cell(_ column: Column) -> String {
                places[column].map { row.fields[$0].trimmed } ?? ""
            }
            let number = cell(.number)
            guard !number.isEmpty else {
                without += 1
                continue
            }
            for column in Column.allCases {
                let text = cell(column)
                if text.utf8.count > SiteLimits.textBytes || hasControlCharacter(text) {
                    let name = shown(columns[column] ?? column.rawValue)
                    faults.note(
                        line: row.line,
                        "column \(name): the text is over \(SiteLimits.textBytes) bytes long, or "
                            + "has control characters")
                }
            }
            let key = [cell(.building).lowercased(), RoomNumber.key(number)].joined(separator: "\n")
            if let line = seen.updateValue(row.line, forKey: key) {
                let name = shown(columns[.number] ?? "number")
                faults.note(
                    line: row.line,
                    "column \(name): room \(shown(number)) stands in line \(line), too")
            }
            rows.append(
                Row(
                    line: row.line, number: number, name: cell(.name), floor: cell(.floor),
                    building: cell(.building), kind: cell(.kind)))
        }
        try faults.check()
        self.rows = rows
        linesWithoutNumber = without
    }
}

/// The number of a room as people write it.
enum RoomNumber {
    /// The same for two ways to write one number, such as `6.01 a` and `6.01A`.
    static func key(_ number: String) -> String {
        number.lowercased().filter { !$0.isWhitespace }
    }

    /// The beginnings of a name at which its number may end: all, or up to a space or a colon.
    static func keys(of name: String) -> [String] {
        var keys = [key(name)]
        for (index, character) in zip(name.indices, name)
        where character == " " || character == ":" || character == "," {
            let beginning = key(String(name[..<index]))
            if beginning.contains(where: \.isNumber) { keys.append(beginning) }
            if keys.count > 4 { break }
        }
        return keys
    }
}
