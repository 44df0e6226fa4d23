import Site

/// The errors in a table, each with its line.
public struct TableFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The most rows that are told; further ones are counted.
    public static let mostTold = 20

    public struct Row: Hashable, Sendable {
        /// The number of the wrong line, from 1.
        public var line: Int
        public var detail: String
    }

    /// The first wrong row.
    public var line: Int
    public var detail: String
    /// Further wrong rows in the order of the table, at most `mostTold` with the first.
    public private(set) var others: [Row] = []
    /// The number of wrong rows that are not told.
    public private(set) var untoldCount = 0

    public init(line: Int, _ detail: String) {
        self.line = line
        self.detail = detail
    }

    /// A line for each row, and one for the count of the rest.
    public var description: String {
        let rows = [Row(line: line, detail: detail)] + others
        let lines = rows.map { "line \($0.line): \($0.detail)" }
        let rest = untoldCount == 1 ? "and 1 more row" : "and \(untoldCount) more rows"
        return (lines + (untoldCount > 0 ? [rest] : [])).joined(separator: "\n")
    }

    /// Adds a wrong row that comes later.
    mutating func add(line: Int, _ detail: String) {
        if others.count + 1 < Self.mostTold {
            others.append(Row(line: line, detail: detail))
        } else {
            untoldCount += 1
        }
    }
}

extension TableFault? {
    /// Notes a wrong row.
    mutating func note(line: Int, _ detail: String) {
        if self?.add(line: line, detail) == nil { self = TableFault(line: line, detail) }
    }
}

extension DelimitedTable {
    /// Reads all rows, also behind wrong ones, so that their people mend all at once.
    ///
    /// - Throws: the faults of all wrong rows.
    func eachRow(_ read: (Row) throws(TableFault) -> Void) throws(TableFault) {
        var faults: TableFault?
        for row in rows {
            do throws(TableFault) {
                try read(row)
            } catch {
                faults.note(line: error.line, error.detail)
            }
        }
        if let faults { throw faults }
    }

    /// The site with the table's records, if it may be published.
    ///
    /// - Parameter subject: the word for a record in faults, such as `room`, and its column.
    /// - Throws: the faults, each with the line of the record that makes the site invalid; line 1
    ///   for a record that is not in the table.
    func checked(
        _ site: SiteDocument, _ subject: (word: String, column: String)
    ) throws(TableFault) -> SiteDocument {
        let found = SiteValidation.faults(in: site)
        guard !found.isEmpty else { return site }
        var lines: [String: Int] = [:]
        if let column = header.firstIndex(of: subject.column) {
            for row in rows { lines["\(subject.word) \(row.fields[column])"] = row.line }
        }
        var faults: TableFault?
        for (line, fault) in found.map({ (lines[$0.subject] ?? 1, $0) }).sorted(by: { $0.0 < $1.0 })
        {
            faults.note(line: line, "\(fault.subject): \(fault.detail)")
        }
        if let faults { throw faults }
        return site
    }
}
