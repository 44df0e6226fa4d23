import VectorGraphics

/// Words of a source, in any script, as a picture may show them.
struct ForeignText {
    /// One line, without the characters that change the direction of the text around them.
    let text: String
    /// Whether the first letter belongs to a script that is written from right to left.
    let isRightToLeft: Bool

    init(_ text: String) {
        var clean = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
            case "\u{00}"..."\u{20}", "\u{7F}"..."\u{A0}", "\u{2028}", "\u{2029}":
                if !clean.isEmpty, clean.last != " " { clean += " " }
            default: clean.unicodeScalars.append(scalar)
            }
        }
        if clean.last == " " { clean.removeLast() }
        self.text = clean
        isRightToLeft = Self.beginsRightToLeft(clean)
    }

    /// A sentence of ours, with foreign words that are isolated in it.
    init(sentence: String) {
        text = sentence
        isRightToLeft = false
    }

    /// Bold letters are wider than those that `textWidth` knows.
    static let bold = 1.16

    /// The width of its longest word in pixels.
    func longestWord(size: Double) -> Double {
        text.split(separator: " ").map { textWidth(String($0), size: size) }.max() ?? 0
    }

    /// For a sentence around it: an isolate (UAX 9, rule X5c), so that the direction of these words
    /// does not reorder those beside them.
    var isolated: String { "\u{2068}\(text)\u{2069}" }

    /// The text in at most `mostLines` lines, broken between words or, where a word is too long,
    /// within it. The last line ends in … if something is left out.
    ///
    /// - Returns: also whether something is left out, and whether a line ends in a hyphen of ours.
    func lines(width: Double, size: Double, mostLines: Int)
        -> (lines: [String], isCut: Bool, hasHyphen: Bool)
    {
        guard mostLines > 0, width > 0 else { return ([], !text.isEmpty, false) }
        var lines: [String] = []
        var (line, hyphen) = ("", "")
        var hasHyphen = false
        var words = text.split(separator: " ").map(String.init)[...]
        while let word = words.first {
            let longer = line.isEmpty ? word : "\(line) \(word)"
            if textWidth(longer, size: size) <= width {
                line = longer
                words.removeFirst()
            } else if line.isEmpty {
                let broken = Self.broken(word, width: width, size: size)
                (line, hyphen) = (broken.part, broken.hyphen)
                if broken.rest.isEmpty {
                    words.removeFirst()
                } else {
                    words[words.startIndex] = broken.rest
                }
            }
            guard let next = words.first, !line.isEmpty,
                textWidth("\(line) \(next)", size: size) > width
            else { continue }
            if lines.count + 1 == mostLines {
                let last = Self.shortened(line + "…", width: width, size: size)
                return (lines + [last], true, hasHyphen)
            }
            if !hyphen.isEmpty { hasHyphen = true }
            lines.append(line + hyphen + endMark(of: line, before: next))
            (line, hyphen) = ("", "")
        }
        return (line.isEmpty ? lines : lines + [line], false, hasHyphen)
    }

    /// A word that is too long, with the hyphen between both parts; empty where none is written.
    private static func broken(
        _ word: String, width: Double, size: Double
    ) -> (part: String, hyphen: String, rest: String) {
        let part = beginning(of: word, width: width, size: size)
        if isHyphenated(word, after: part.count) {
            let shorter = beginning(of: word, width: width - textWidth("-", size: size), size: size)
            if isHyphenated(word, after: shorter.count),
                textWidth(shorter + "-", size: size) <= width
            {
                return (shorter, "-", String(word.dropFirst(shorter.count)))
            }
        }
        let rest = String(word.dropFirst(part.count))
        // Joined letters keep their forms where the word is broken.
        let joiner = isJoined(part.last) && isJoined(rest.first) ? "\u{200D}" : ""
        return (part + joiner, "", joiner + rest)
    }

    /// Whether both letters there are of a script that breaks words with a hyphen: Latin, Greek,
    /// Cyrillic or Armenian.
    private static func isHyphenated(_ word: String, after count: Int) -> Bool {
        let letters = word.dropFirst(count - 1).prefix(2)
        return letters.count == 2
            && letters.allSatisfy { letter in
                letter.isLetter && letter.unicodeScalars.allSatisfy { $0 < "\u{590}" }
            }
    }

    /// A mark that leaves the full stop of `Dr.` at its word, where the name follows on the next
    /// line. Otherwise the stop would have the direction of the text (UAX 9, rules N1 and N2).
    private func endMark(of line: String, before next: String) -> String {
        guard isRightToLeft, let end = line.last, !end.isLetter, !end.isNumber,
            let before = line.unicodeScalars.last(where: { $0.properties.isAlphabetic }),
            let after = next.unicodeScalars.first(where: { $0.properties.isAlphabetic }),
            !Self.isOfRightToLeftScript(before), !Self.isOfRightToLeftScript(after)
        else { return "" }
        return "\u{200E}"
    }

    /// Whether a letter is of a script whose letters are joined: Arabic, Syriac and the like.
    private static func isJoined(_ letter: Character?) -> Bool {
        letter?.unicodeScalars.first.map { ("\u{600}"..."\u{8FF}").contains($0) } ?? false
    }

    private static func beginning(of word: String, width: Double, size: Double) -> String {
        var part = ""
        for letter in word {
            guard part.isEmpty || textWidth(part + String(letter), size: size) <= width
            else { break }
            part.append(letter)
        }
        return part
    }

    /// The line with its … , shortened until it fits.
    private static func shortened(_ line: String, width: Double, size: Double) -> String {
        var text = line
        while text.count > 2, textWidth(text, size: size) > width {
            text = String(text.dropLast(2)) + "…"
        }
        return text
    }

    /// By the first strong letter (UAX 9, rule P2).
    private static func beginsRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.first { $0.properties.isAlphabetic }.map(isOfRightToLeftScript) ?? false
    }

    /// For the scripts that people write in today.
    private static func isOfRightToLeftScript(_ letter: Unicode.Scalar) -> Bool {
        switch letter {
        case "\u{590}"..."\u{8FF}", "\u{FB1D}"..."\u{FDFF}", "\u{FE70}"..."\u{FEFF}",
            "\u{10800}"..."\u{10FFF}", "\u{1E800}"..."\u{1EFFF}":
            true
        default: false
        }
    }
}
