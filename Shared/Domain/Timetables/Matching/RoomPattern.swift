/// The form in which a feed writes its rooms: a text with `{room}` once, `*` for any text and `?`
/// for one character, such as `Bush House (S){room}*`. Letter case and the number of spaces do not
/// matter.
public struct RoomPattern: Hashable, Sendable {
    public static let characters = 200
    /// The whole text is the room.
    public static let plain = RoomPattern("{room}")!

    private enum Part: Hashable, Sendable {
        case character(Character)
        case one
        case any
    }

    public let text: String
    private let before: [Part]
    private let after: [Part]

    /// Nil unless `{room}` stands in the text exactly once, or where the text is too long.
    public init?(_ text: String) {
        guard text.count <= Self.characters else { return nil }
        let halves = Self.halves(of: text)
        guard let halves else { return nil }
        self.text = text
        before = Self.parts(halves.before)
        after = Self.parts(halves.after)
    }

    private static func halves(of text: String) -> (before: String, after: String)? {
        let mark = Array("{room}")
        let characters = Array(text)
        let starts = characters.indices.filter { characters[$0...].starts(with: mark) }
        guard starts.count == 1, let start = starts.first else { return nil }
        return (String(characters[..<start]), String(characters[(start + mark.count)...]))
    }

    private static func parts(_ text: String) -> [Part] {
        folded(text, trims: false).map { character in
            switch character {
            case "*": .any
            case "?": .one
            default: .character(character)
            }
        }
    }

    /// The captures of one text: half of them are the longest, and half the shortest. The name of a
    /// room is short, and rooms that are used as one have a long text.
    static let mostCaptures = 200

    /// The parts of a text that can be the room, the longest first. The text is folded. Where there
    /// are too many, those of middle length are left out.
    ///
    /// - Parameter builtBytes: grows by the bytes of all texts that are made. Where letters repeat,
    ///   most of them are the same, and few are captures.
    func captures(in text: [Character], builtBytes: inout Int) -> [String] {
        let starts = Self.lengths(before, text)
        let tails = Self.lengths(after.reversed(), text.reversed())
        let begins = starts.indices.filter { index in
            starts[index] && !(before.last == .any && Self.isWithinWord(text, index))
        }
        let isEnd = tails.indices.map { index in
            tails[text.count - index] && !(after.first == .any && Self.isWithinWord(text, index))
        }
        let most = Self.mostCaptures / 2
        var seen: Set<String> = []
        func first(of lengths: some Sequence<Int>) -> [String] {
            var found: [String] = []
            for length in lengths {
                for start in begins where start + length <= text.count && isEnd[start + length] {
                    let built = String(text[start..<start + length])
                    builtBytes += built.utf8.count
                    let capture = trimmed(built)
                    guard !capture.isEmpty, seen.insert(capture).inserted else { continue }
                    found.append(capture)
                    if found.count == most { return found }
                }
            }
            return found
        }
        let longest = first(of: stride(from: text.count, through: 1, by: -1))
        guard longest.count == most else { return longest }
        return longest + first(of: 1...text.count).reversed()
    }

    /// Any text beside the room begins at a word's edge: `{room}*` does not find 7.01 in 7.012, nor
    /// in 7.01/2.
    private static func isWithinWord(_ text: [Character], _ index: Int) -> Bool {
        guard index > 0, index < text.count else { return false }
        let isPart = { (character: Character) in
            character.isLetter || character.isNumber || "./&+-_".contains(character)
        }
        return isPart(text[index - 1]) && isPart(text[index])
    }

    /// For each length whether the parts match that much of the text's beginning. Spaces at the
    /// pattern's edges may be missing in the text.
    private static func lengths(_ parts: [Part], _ text: [Character]) -> [Bool] {
        var reached = [Bool](repeating: false, count: text.count + 1)
        reached[0] = true
        for part in parts {
            var next = [Bool](repeating: false, count: text.count + 1)
            for length in reached.indices where reached[length] {
                switch part {
                case .any: for further in length..<next.count { next[further] = true }
                case .one: if length < text.count { next[length + 1] = true }
                case .character(" "):
                    next[length] = true
                    if length < text.count, text[length] == " " { next[length + 1] = true }
                case .character(let character):
                    if length < text.count, text[length] == character { next[length + 1] = true }
                }
            }
            reached = next
        }
        return reached
    }
}

/// The text in lower case with single spaces, as texts are compared.
func folded(_ text: String, trims: Bool = true) -> [Character] {
    var result: [Character] = []
    for character in text.lowercased() {
        if character.isWhitespace {
            if result.last != " " { result.append(" ") }
        } else {
            result.append(character)
        }
    }
    return trims ? Array(trimmed(String(result))) : result
}

func trimmed(_ text: String) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
        let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
}
