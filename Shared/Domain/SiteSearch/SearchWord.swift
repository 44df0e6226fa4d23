/// A word in the form for comparing: small letters without diacritics, and digits.
struct SearchWord: Hashable, Sendable, Comparable {
    /// Unicode scalars as numbers, at most `longest`.
    let letters: [UInt32]

    /// The most letters of a word; further ones are left out.
    static let longest = 40

    init(_ letters: some Sequence<UInt32>) { self.letters = Array(letters.prefix(Self.longest)) }

    init(_ text: String) { self.init(text.unicodeScalars.map(\.value)) }

    static func < (left: Self, right: Self) -> Bool {
        left.letters.lexicographicallyPrecedes(right.letters)
    }

    /// The number of typing errors that are allowed, as in most search engines. Numbers allow none,
    /// since 602 is another room than 601.
    var forgivenEdits: Int {
        if hasDigit { return 0 }
        return switch letters.count {
        case ...2: 0
        case 3...5: 1
        default: 2
        }
    }

    /// The number of typing errors allowed if this is the beginning of a longer word. It is
    /// smaller, since a beginning is less certain.
    var forgivenPrefixEdits: Int {
        if hasDigit { return 0 }
        return switch letters.count {
        case ...3: 0
        case 4...7: 1
        default: 2
        }
    }

    var hasDigit: Bool { letters.contains(where: isDigit) }
}

func isDigit(_ letter: UInt32) -> Bool {
    (UInt32(UInt8(ascii: "0"))...UInt32(UInt8(ascii: "9"))).contains(letter)
}
