/// The errors in a table, each with its line.
public struct TableFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The most rows that a fault names. It counts the others.
    public static let mostTold = 20

    public struct Row: Hashable, Sendable {
        /// The number of the wrong line, from 1; nil for a record that the table does not have.
        public var line: Int?
        public var detail: String

        fileprivate var text: String { (line.map { "line \($0): " } ?? "") + detail }
    }

    /// The first wrong line; nil if all that is wrong is not in the table.
    public var line: Int?
    public var detail: String
    /// Further wrong lines in their order, each once, then records that the table does not have.
    /// At most `mostTold` with the first.
    public fileprivate(set) var others: [Row] = []
    /// The number of wrong lines that are not told.
    public fileprivate(set) var untoldCount = 0
    /// The number of wrong records that are neither told nor in the table.
    public fileprivate(set) var untoldElsewhereCount = 0

    public init(line: Int?, _ detail: String) {
        self.line = line
        self.detail = detail
    }

    /// A line for each row, and one for the count of the rest.
    public var description: String {
        var lines = ([Row(line: line, detail: detail)] + others).map(\.text)
        if untoldCount > 0 { lines.append("and \(untoldCount) more row\(plural(untoldCount))") }
        if untoldElsewhereCount > 0 {
            let count = untoldElsewhereCount
            lines.append("and \(count) more record\(plural(count)) that the table does not have")
        }
        return lines.joined(separator: "\n")
    }

    private func plural(_ count: Int) -> String { count == 1 ? "" : "s" }
}

/// Collects the errors in a table, one for each wrong line. It keeps the words of the first few,
/// and counts the rest.
struct TableFaults: Hashable, Sendable {
    private var lines: Set<Int> = []
    /// In the order of their lines.
    private var told: [TableFault.Row] = []
    private var elsewhere: [TableFault.Row] = []
    private var elsewhereCount = 0

    var isEmpty: Bool { lines.isEmpty && elsewhereCount == 0 }

    /// Notes a wrong line, unless a fault of this line is known.
    mutating func note(line: Int, _ detail: String) {
        guard lines.insert(line).inserted else { return }
        let place = told.lastIndex { $0.line ?? 0 < line }.map { $0 + 1 } ?? 0
        guard place < TableFault.mostTold else { return }
        told.insert(TableFault.Row(line: line, detail: detail), at: place)
        if told.count > TableFault.mostTold { told.removeLast() }
    }

    /// Notes a wrong record that the table does not have.
    mutating func noteElsewhere(_ detail: String) {
        elsewhereCount += 1
        guard elsewhere.count < TableFault.mostTold else { return }
        elsewhere.append(TableFault.Row(line: nil, detail: detail))
    }

    mutating func note(_ fault: TableFault) {
        if let line = fault.line {
            note(line: line, fault.detail)
        } else {
            noteElsewhere(fault.detail)
        }
    }

    func check() throws(TableFault) {
        let rest = elsewhere.prefix(TableFault.mostTold - told.count)
        let rows = told + rest
        guard let first = rows.first else { return }
        var fault = TableFault(line: first.line, first.detail)
        fault.others = Array(rows.dropFirst())
        fault.untoldCount = lines.count - told.count
        fault.untoldElsewhereCount = elsewhereCount - rest.count
        throw fault
    }
}
