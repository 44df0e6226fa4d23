import Foundation

/// Faults of a text that a rule finds, in the languages that the kept files have.
struct WordFaults {
    /// The most words of a sentence.
    private static let mostWords = 25

    /// The code of the text's language.
    var language: String

    /// Things that nobody would say, by language: a name for the fault, and its pattern.
    private static let patterns: [String: [(name: String, pattern: String)]] = [
        "": [
            ("a word twice in a row", #"(?i)\b(\p{L}{2,}) \1\b"#),
            ("two spaces, or one before a mark", #"  | [.,;:)]|\( "#),
            ("two marks in a row", #"[.,;:]{2}|\(\)|„“|«»"#),
            ("brackets within brackets", #"\([^)]*\("#),
            ("an id", #"[0-9a-f]{8}-[0-9a-f]{4}-|\b[nwr][0-9]{5,}"#),
        ],
        "en": [
            ("one of many", #"\b1 (metres|floors|steps|openings|junctions)\b"#),
            ("many of one", #"\b([02-9]|[0-9]{2,}) (metre|floor|step|opening|junction)\b"#),
            ("a preposition after another", #"\b(by|in|of|to) (into|in|on)\b"#),
            ("the ordinal as figures", #"\b[0-9]+(st|nd|rd|th)\b"#),
        ],
        "cy": [
            ("2 without the soft mutation", #"\b2 (metr|llawr|cyffordd)\b"#),
            ("1 or 6 without a mutation", #"\b[16] cyffordd\b"#),
            ("the soft mutation after another number", #"\b[03-9] (fetr|lawr|gyffordd)\b"#),
            ("a name where a mutation is due", #"\b([Gg]yda|drws i|agoriad i|dilynwch) \p{Lu}"#),
            ("a before a vowel", #"\ba (ewch|i |yn )"#),
            ("a without the aspirate mutation", #"\ba c[^h]"#),
            ("the article before a vowel", #"\by [aeioyâêîôûŷ]\p{L}"#),
            ("yr before a consonant", #"\byr [bcdfglmnprst]"#),
        ],
        "de": [
            ("an article before a figure", #"\b([Dd](er|ie|as|en|em)|[Ee]ine?[mnr]?) [0-9]"#),
            ("one as a figure", #"(?<![0-9.,] |[0-9.,-])\b1 (Meter|Stockwerk|Öffnung|Kreuzung)"#),
            ("an ordinal as a figure", #"\b[0-9]+\. \p{Lu}\p{Ll}+ von\b"#),
            ("a clause without its last comma", #", durch die [^,.]*sind und"#),
            ("the wrong case", #"\b(in|durch) (der|dem) |\b(zu|an|mit|aus) (das|den|die) "#),
            ("an article and its preposition apart", #"\bzu de[mr] |\bin das "#),
        ],
    ]

    /// The faults of one text, which may have several sentences.
    func faults(_ text: String) -> [String] {
        var faults = ((Self.patterns[""] ?? []) + (Self.patterns[language] ?? []))
            .filter { text.range(of: $0.pattern, options: .regularExpression) != nil }
            .map(\.name)
        let long = text.replacing(": ", with: ". ").components(separatedBy: ". ").filter {
            $0.split(separator: " ").count > Self.mostWords
        }
        if !long.isEmpty { faults.append("a long sentence") }
        if !text.hasSuffix(".") { faults.append("no full stop") }
        let sentences = text.components(separatedBy: ". ").map {
            $0.hasSuffix(".") ? String($0.dropLast()) : $0
        }
        if Set(sentences).count < sentences.count { faults.append("a sentence twice") }
        return faults
    }

    /// The words for things that a cane finds, and for the end.
    private static let ends: [String: String] = [
        "en": "door|opening|stairs|lift|escalator|ramp|arrived",
        "cy": "drws|agoriad|grisiau|lifft|ramp|cyrraedd",
        "de": "[Tt]ür|Öffnung|reppe|Aufzug|Rampe|Ziel",
    ]

    private static let warnings = ["en": "Careful", "cy": "Gofal", "de": "Vorsicht"]
    private static let climbs = [
        "en": "Take the( next)? stairs", "cy": "grisiau( nesaf)? [0-9]+ l|Defnyddiwch y grisiau",
        "de": "Nehmen Sie die( nächste)? Treppe",
    ]

    /// Doors of which a walk has to warn, in a step that leads through one.
    private static let dangerousDoors = [
        "en": "^Go through the [a-z ]*(glass|revolving)",
        "cy": "^Ewch drwy'r drws[a-z ]* (gwydr|tro)\\b",
        "de": "^Gehen Sie durch die [a-zä ]*(Glast|Dreht|gläsern)",
    ]
    /// Texts of steps with a walk.
    private static let walks = [
        "en": "([Ff]ollow|[Ww]alk) ", "cy": "([Cc]erddwch|[Dd]ilyn)",
        "de": "(Folgen|folgen|Gehen Sie [0-9g])",
    ]

    /// The faults of a walk for somebody who can't see.
    ///
    /// A reader without a dot hears no announcements: the text itself has to warn. One with a dot
    /// hears it only there.
    ///
    /// - Parameter steps: each step's text, the text with announcements, and these.
    func faults(
        walk steps: [(text: String, announced: String?, announcements: [String])]
    ) -> [String] {
        guard let ends = Self.ends[language], let warning = Self.warnings[language],
            let climbs = Self.climbs[language]
        else { return [] }
        func has(_ text: String, _ pattern: String) -> Bool {
            text.range(of: pattern, options: .regularExpression) != nil
        }
        var faults: [String] = []
        for (index, step) in steps.enumerated() {
            if !has(step.text, #"[0-9]"#), !has(step.text, ends) {
                faults.append("no distance and no end: \(step.text)")
            }
            if index > 0, let doors = Self.dangerousDoors[language], has(step.text, doors),
                has(steps[index - 1].text, Self.walks[language] ?? "^$"),
                !steps[index - 1].text.contains(warning)
            {
                faults.append("no warning before: \(step.text)")
            }
            if let announced = step.announced {
                let heard = step.announcements.allSatisfy { $0.contains(warning) }
                if step.announcements.isEmpty || !heard { faults.append("unheard: \(announced)") }
                if announced.contains(warning) { faults.append("warned twice: \(announced)") }
            } else if !step.announcements.isEmpty, step.text.contains(warning) {
                faults.append("warned twice: \(step.text)")
            }
            guard step.text.hasPrefix(warning), index > 0, !has(steps[index - 1].text, climbs)
            else { continue }
            if !steps[index - 1].text.contains(warning) {
                faults.append("no warning before: \(step.text)")
            }
        }
        return faults
    }

    /// Whether English directions pass the room that they end at.
    static func passesItsEnd(_ lines: [String]) -> Bool {
        guard let end = lines.last?.components(separatedBy: "You have arrived: ").dropFirst().first
        else { return false }
        let name = end.components(separatedBy: ", on your")[0].components(separatedBy: ", ahead")[0]
        let room = name.hasSuffix(".") ? String(name.dropLast()) : name
        return lines.contains { $0.contains("passing \(room) on the") }
    }
}
