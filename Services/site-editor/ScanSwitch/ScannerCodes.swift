import Cryptography

/// The codes by which people and scanners prove that they are beside each other, and that an
/// administrator wants a scanner. Only hashes of them are stored.
enum ScannerCodes {
    /// Letters and digits that nobody confuses: Crockford's base 32.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    /// The first group of an enrolment code.
    private static let lookupCharacters = 4
    /// 50 bits. Who knows the lookup of a code has still 30 bits to guess, in five tries.
    private static let enrolmentCharacters = 10
    /// 65 bits.
    private static let printedCharacters = 13
    private static let digits = 6

    /// Six digits for a screen.
    static func digitCode() -> String {
        // The remainder favours small numbers by less than 2^-44.
        let number = String(randomWord() % 1_000_000)
        return String(repeating: "0", count: digits - number.count) + number
    }

    static func printedCode() -> String { grouped(letters(printedCharacters)) }

    static func enrolmentCode() -> String { grouped(letters(enrolmentCharacters)) }

    /// The code as it is compared: without spaces and hyphens, in capitals, with letters that look
    /// like digits as digits.
    static func plain(_ text: String) -> String {
        String(
            text.uppercased().compactMap { character -> Character? in
                switch character {
                case " ", "-": nil
                case "O": "0"
                case "I", "L": "1"
                default: character
                }
            })
    }

    /// The part of an enrolment code by which it is found, and which no other open code has. The
    /// rest is compared in constant time.
    static func lookup(_ plain: String) -> String { String(plain.prefix(lookupCharacters)) }

    /// The part of a code on a screen by which wrong tries count for scanners.
    static func firstDigit(_ plain: String) -> String { String(plain.prefix(1)) }

    /// - Parameter scope: the purpose of the code, so that equal codes have different hashes.
    static func hash(_ plain: String, for scope: String) -> [UInt8] {
        sha256("\(scope)\n\(plain)".utf8)
    }

    private static func letters(_ count: Int) -> String {
        String(randomBytes(count).map { alphabet[Int($0 & 31)] })
    }

    private static func grouped(_ text: String) -> String {
        var groups: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        return groups.joined(separator: "-")
    }
}
