/// The changes that reconciling has made, and the losses that it can't undo.
public struct ReconcileReport: Sendable {
    /// Numbers of what was changed, by their names in the command's answer.
    public private(set) var changes: [(name: String, count: Int)] = []
    /// Sentences about what is lost.
    public private(set) var lost: [String] = []

    public init() {}

    public mutating func count(_ name: String, _ count: Int) {
        guard count > 0 else { return }
        if let index = changes.firstIndex(where: { $0.name == name }) {
            changes[index].count += count
        } else {
            changes.append((name, count))
        }
    }

    public mutating func note(_ sentence: String) { lost.append(sentence) }

    public mutating func add(_ other: ReconcileReport) {
        for change in other.changes { count(change.name, change.count) }
        lost += other.lost
    }
}

/// Undoes the transaction of a check, and carries its result.
public struct CheckedOnly: Error {
    public let report: ReconcileReport

    public init(_ report: ReconcileReport) { self.report = report }
}
