/// Language tags, such as `cy` or `de-CH` (BCP 47).
public enum LanguageTag {
    private static let mostBytes = 35

    /// Whether a text has the form of a tag: letters, digits and hyphens.
    public static func isOne(_ text: String) -> Bool {
        (1...mostBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let character = Character(UnicodeScalar(byte))
                return character == "-"
                    || character.isASCII && (character.isLetter || character.isNumber)
            }
    }
}
