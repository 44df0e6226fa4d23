/// Removes case and diacritics from letters, so that a name is found however it is typed.
///
/// The base of a letter with a mark is in its Unicode name, which never changes: LATIN SMALL LETTER
/// W WITH CIRCUMFLEX is a w. This covers Latin, Greek, Cyrillic and Arabic letters, even those that
/// Unicode does not decompose, such as ø and ł.
enum LetterFolding {
    /// Letters as numbers of Unicode scalars.
    typealias Letters = [UInt32]

    /// The letters and digits of one character; empty for marks, nil for a character that separates
    /// words.
    static func plain(_ scalar: Unicode.Scalar) -> Letters? {
        let value = scalar.value
        if value < 0x80 { return plainASCII(UInt8(value)) }
        let properties = scalar.properties
        if properties.generalCategory == .decimalNumber, let digit = properties.numericValue {
            return [UInt32(UInt8(ascii: "0")) + UInt32(digit)]
        }
        if isMark(properties.generalCategory) {
            // Accents and vowel points are left out. The vowel signs of Indic scripts are kept,
            // since words differ by them.
            return properties.canonicalCombiningClass.rawValue >= 10 ? [] : [value]
        }
        guard properties.isAlphabetic else { return nil }
        return properties.lowercaseMapping.unicodeScalars.flatMap { folded($0) }
    }

    /// The spelling of the letter where the keyboard lacks it, as in German and Danish: `ue` for ü.
    /// Nil if the letter has none.
    static func writtenOut(_ scalar: Unicode.Scalar) -> Letters? {
        switch scalar {
        case "ä", "Ä": letters("ae")
        case "ö", "Ö", "ø", "Ø": letters("oe")
        case "ü", "Ü": letters("ue")
        case "å", "Å": letters("aa")
        default: nil
        }
    }

    /// The spelling of a separate mark that follows the letter: the e of `ue`.
    static func writtenOut(mark: Unicode.Scalar, after letter: UInt32?) -> Letters? {
        guard let letter = letter.flatMap(Unicode.Scalar.init) else { return nil }
        switch (mark.value, letter) {
        case (0x308, "a"), (0x308, "o"), (0x308, "u"): return letters("e")
        case (0x30A, "a"): return letters("a")
        default: return nil
        }
    }

    private static func plainASCII(_ byte: UInt8) -> Letters? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            [UInt32(byte)]
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): [UInt32(byte) + 32]
        default: nil
        }
    }

    private static func isMark(_ category: Unicode.GeneralCategory) -> Bool {
        category == .nonspacingMark || category == .spacingMark || category == .enclosingMark
    }

    private static func folded(_ scalar: Unicode.Scalar) -> Letters {
        if let special = specialLetters[scalar] { return special }
        if isMark(scalar.properties.generalCategory) { return [] }
        return [baseLetters[scalar.value] ?? scalar.value]
    }

    private static func letters(_ text: String) -> Letters { text.unicodeScalars.map(\.value) }

    /// Letters that are not a form of one other letter, or whose Unicode names do not show it.
    private static let specialLetters: [Unicode.Scalar: Letters] = [
        "ß": "ss", "æ": "ae", "ǽ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ŋ": "ng", "ı": "i",
        "ĳ": "ij", "ς": "σ", "ё": "е", "й": "и", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к",
    ].mapValues(letters)

    /// For each small letter with a mark, the letter that it is a form of.
    private static let baseLetters: [UInt32: UInt32] = {
        let blocks: [ClosedRange<UInt32>] = [
            0x61...0x7A, 0xC0...0x24F, 0x370...0x3FF, 0x400...0x52F, 0x620...0x6D3,
            0x1E00...0x1FFF,
        ]
        var named: [String: UInt32] = [:]
        var marked: [(value: UInt32, base: String)] = []
        for value in blocks.joined() {
            guard let name = Unicode.Scalar(value)?.properties.name else { continue }
            if let base = textBeforeWith(name) {
                marked.append((value, base))
            } else {
                named[name] = value
            }
        }
        return Dictionary(
            uniqueKeysWithValues: marked.compactMap { letter in
                named[letter.base].map { (letter.value, $0) }
            })
    }()

    /// LATIN SMALL LETTER W from LATIN SMALL LETTER W WITH CIRCUMFLEX.
    private static func textBeforeWith(_ name: String) -> String? {
        let words = name.split(separator: " ")
        guard let with = words.firstIndex(of: "WITH") else { return nil }
        return words[..<with].joined(separator: " ")
    }
}
