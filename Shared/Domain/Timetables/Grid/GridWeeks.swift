/// The weeks that a grid shows, read from its label, such as `31 (26 Mar 2018-1 Apr 2018)`.
public struct GridWeeks: Hashable, Sendable {
    /// The source's own numbers of the weeks; empty where the label has none.
    public var numbers: [Int]
    /// The first day of the first week.
    public var begins: LocalDay

    public init(numbers: [Int], begins: LocalDay) {
        self.numbers = numbers
        self.begins = begins
    }

    /// The most weeks of a grid.
    private static let most = 60

    /// Nil where the label has no day.
    public init?(label: String) {
        let inside = label.split(separator: "(", maxSplits: 1).dropFirst().first ?? label[...]
        let text = String(inside.prefix { $0 != ")" })
        guard let begins = Self.firstDay(in: text) else { return nil }
        let before = label.contains("(") ? String(label.prefix { $0 != "(" }) : ""
        let list = before.split(separator: ":").last.map(String.init) ?? ""
        self.init(numbers: Self.numbers(list) ?? [], begins: begins)
    }

    /// The days of the grid's weeks, by the first day of each.
    public var weeks: [(number: Int?, begins: LocalDay)] {
        guard let first = numbers.first else { return [(nil, begins)] }
        return numbers.prefix(Self.most).map { ($0, begins.advanced(by: ($0 - first) * 7)) }
    }

    /// The days of weeks that follow each other, each time from a Monday up to one.
    public var runs: [Range<LocalDay>] {
        var runs: [Range<LocalDay>] = []
        for week in weeks {
            let monday = week.begins.advanced(by: -week.begins.weekday)
            let end = monday.advanced(by: 7)
            if let last = runs.last, last.upperBound == monday {
                runs[runs.count - 1] = last.lowerBound..<end
            } else {
                runs.append(monday..<end)
            }
        }
        return runs
    }

    /// Reads `22-31`, `23, 25, 27` and both together; nil for any other text.
    public static func numbers(_ text: String) -> [Int]? {
        var result: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
                .map { Int(trimmed(String($0))) }
            guard (1...2).contains(ends.count), let first = ends[0],
                let last = ends[ends.count - 1],
                (0...99).contains(first), (first...max(first, 99)).contains(last)
            else { return nil }
            result += first...last
        }
        return result.isEmpty ? nil : Array(Set(result)).sorted()
    }

    private static func firstDay(in text: String) -> LocalDay? {
        let words = text.split(whereSeparator: { " -–".contains($0) }).map(String.init)
        for index in words.indices.dropLast(2) {
            if let day = LocalDay(text: words[index..<index + 3].joined(separator: " ")) {
                return day
            }
        }
        return words.lazy.compactMap { LocalDay(text: $0) }.first
    }
}
