/// The rule for passwords, after NIST SP 800-63B, section 5.1.1. Length counts; digits and special
/// characters are not required, and nobody has to change a password regularly.
public enum PasswordRule {
    static let minimumCharacters = 12
    public static let maximumBytes = 1024

    /// The reason why a password is refused, as a sentence for people; nil for a good one.
    public static func objection(to password: String, signIn: String, name: String) -> String? {
        guard password.count >= minimumCharacters else {
            return "A password must have at least \(minimumCharacters) characters."
        }
        guard password.utf8.count <= maximumBytes else {
            return "A password must have at most \(maximumBytes) bytes."
        }
        guard !password.utf8.contains(0) else { return "A password must not contain NUL." }
        let plain = password.lowercased()
        for own in [signIn.lowercased(), name.lowercased()] where own.utf8.count > 3 {
            if plain == own || plain == own + own {
                return "A password must not be your own name."
            }
        }
        guard Set(plain).count >= 5 else {
            return "A password must have at least 5 different characters."
        }
        return nil
    }
}
