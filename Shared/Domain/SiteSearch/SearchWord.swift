/// A word as it is compared: small letters without diacritics, and digits.
struct SearchWord: Hashable, Sendable, Comparable {
    /// Numbers of Unicode scalars, at most `longest`.
    let letters: [UInt32]

    /// Letters beyond these are left out.
    static let longest = 40

    init(_ letters: some Sequence<UInt32>) { self.letters = Array(letters.prefix(Self.longest)) }

    /// Takes the text as it is.
    init(_ text: String) { self.init(text.unicodeScalars.map(\.value)) }

    static func < (left: Self, right: Self) -> Bool {
        left.letters.lexicographicallyPrecedes(right.letters)
    }

    /// How many slips of the keyboard are forgiven: what most search engines allow. None in
    /// numbers, since 602 is another room than 601.
    var forgivenEdits: Int {
        if hasDigit { return 0 }
        return switch letters.count {
        case ...2: 0
        case 3...5: 1
        default: 2
        }
    }

    /// The same for the beginning of a longer word, which says less.
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
