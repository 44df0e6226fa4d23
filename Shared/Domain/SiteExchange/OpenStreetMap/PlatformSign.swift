import Events
import Site

/// The name of a platform, from the numbers of its tracks in `ref`. In OpenStreetMap all platforms
/// of a station may share one `name`.
struct PlatformSign {
    let name: String
    let names: Translations

    /// The longest mark of a stop that is on signs. A longer one is an operator's code.
    private static let longestMark = 3
    /// The most tracks of one platform.
    private static let mostMarks = 24

    /// Nil for a platform without numbers, and for one whose name already has all of them.
    init?(_ facts: TagFacts) {
        let marks = Self.marks(facts)
        guard !marks.isEmpty else { return nil }
        let given = facts.text("name")
        let words = Set((given ?? "").split { !$0.isLetter && !$0.isNumber }.map(String.init))
        if marks.allSatisfy(words.contains) { return nil }
        // The numbers are listed separately, so that a search finds each.
        let list = marks.joined(separator: ", ")
        let name = given.map { "\($0) \(list)" } ?? "Platform \(list)"
        guard name.utf8.count <= SiteLimits.textBytes else { return nil }
        self.name = name
        var names = facts.names.byLanguage
        let isOne = marks.count == 1
        names["en"] = (isOne ? "Platform " : "Platforms ") + Self.spoken(marks, " to ", " and ")
        names["de"] = (isOne ? "Gleis " : "Gleise ") + Self.spoken(marks, " bis ", " und ")
        names["cy"] = (isOne ? "Platfform " : "Platfformau ") + Self.spoken(marks, " i ", " a ")
        self.names = Translations(names)
    }

    /// The values of the semicolon-separated list, each once, in order.
    private static func marks(_ facts: TagFacts) -> [String] {
        for key in ["ref", "local_ref"] {
            guard let text = facts.text(key) else { continue }
            var marks: [String] = []
            for part in text.split(whereSeparator: { ";,/".contains($0) }) {
                let mark = String(part.filter { $0 != " " })
                if !mark.isEmpty, !marks.contains(mark) { marks.append(mark) }
            }
            guard marks.count <= mostMarks, marks.allSatisfy({ $0.count <= longestMark }) else {
                continue
            }
            return marks
        }
        return []
    }

    /// `6 and 7`, `1, 2 and 4`, or `2 to 6` for three or more in a row.
    private static func spoken(_ marks: [String], _ to: String, _ and: String) -> String {
        let numbers = marks.compactMap { Int($0) }
        if numbers.count == marks.count, let first = numbers.min(), let last = numbers.max(),
            marks.count > 2, Set(numbers) == Set(first...last)
        {
            return "\(first)\(to)\(last)"
        }
        guard let last = marks.last, marks.count > 1 else { return marks.first ?? "" }
        return marks.dropLast().joined(separator: ", ") + and + last
    }
}
