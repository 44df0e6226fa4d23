import Events

/// The index of each column of a table.
struct Columns {
    private let places: [String: Int]
    /// The languages of columns such as `name:cy`, with the columns' indices.
    let languages: [(language: String, place: Int)]
    /// The faults of the header in one line; nil if there are none.
    let fault: String?
    /// Whether the header has all columns that a row needs.
    let areComplete: Bool

    init(_ header: [String], known: Set<String>, needed: Set<String>) {
        var places: [String: Int] = [:]
        var languages: [(String, Int)] = []
        var unknown: [String] = []
        for (place, name) in header.enumerated() {
            if name.hasPrefix("name:"), known.contains("name") {
                languages.append((String(name.dropFirst(5)), place))
            } else if known.contains(name) {
                places[name] = place
            } else {
                unknown.append(shown(name))
            }
        }
        let missing = needed.sorted().filter { places[$0] == nil }
        let faults =
            unknown.prefix(TableFault.mostTold).map { "the column \($0) is unknown; remove it" }
            + missing.map { "the column \($0) is missing" }
        fault = faults.isEmpty ? nil : faults.joined(separator: "; ")
        areComplete = missing.isEmpty
        self.places = places
        self.languages = languages
    }

    subscript(name: String) -> Int? { places[name] }
}

/// One row, read by the names of its columns.
struct Cells {
    private let columns: Columns
    private let row: DelimitedTable.Row

    init(_ columns: Columns, _ row: DelimitedTable.Row) {
        self.columns = columns
        self.row = row
    }

    /// Nil if the table has no such column.
    subscript(name: String) -> String? { columns[name].map { row.fields[$0] } }

    /// Names by language; empty cells are included.
    var names: [(language: String, name: String)] {
        columns.languages.map { ($0.language, row.fields[$0.place]) }
    }

    func fault(_ detail: String) -> TableFault { TableFault(line: row.line, detail) }

    func identifier(_ name: String) throws(TableFault) -> String {
        let text = self[name] ?? ""
        guard isWellFormedIdentifier(text) else {
            throw fault("\(name) must be 1 to 64 of A-Z a-z 0-9 . _ -, not \(shown(text))")
        }
        return text
    }

    /// Nil for an empty cell, or if the table has no such column.
    func number(_ name: String) throws(TableFault) -> Double? {
        guard let text = self[name], !text.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw fault("\(name) must be a number, not \(shown(text))")
        }
        return number
    }

    func flag(_ name: String) throws(TableFault) -> Bool? {
        switch self[name] {
        case nil, "": return nil
        case "yes", "true": return true
        case "no", "false": return false
        case .some(let word): throw fault("\(name) must be yes or no, not \(shown(word))")
        }
    }
}
