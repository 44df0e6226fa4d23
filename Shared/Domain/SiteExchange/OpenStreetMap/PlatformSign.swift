import Events
import Site

/// What a platform is called: by the numbers of its tracks, which stand in `ref` beside a name that
/// all platforms of a station share.
struct PlatformSign {
    let name: String
    let names: Translations

    /// Marks of a stop that are longer are codes of an operator, which stand on no sign.
    private static let longestMark = 3
    /// Tracks of one platform.
    private static let mostMarks = 24

    /// Nil for a platform without numbers, and for one whose name has them all.
    init?(_ facts: TagFacts) {
        let marks = Self.marks(facts)
        guard !marks.isEmpty else { return nil }
        let given = facts.text("name")
        let words = Set((given ?? "").split { !$0.isLetter && !$0.isNumber }.map(String.init))
        if marks.allSatisfy(words.contains) { return nil }
        // Each number by itself, so that each is found.
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

    /// The list with semicolons that OpenStreetMap writes, each once, in order.
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

    /// `6 and 7`, `1, 2 and 4`, or `2 to 6` for three and more in a row.
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
