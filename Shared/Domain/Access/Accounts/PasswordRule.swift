/// Which passwords are taken (after NIST SP 800-63B, section 5.1.1: long, and nothing about digits
/// and signs; no forced changes).
public enum PasswordRule {
    static let minimumCharacters = 12
    public static let maximumBytes = 1024

    /// Why a password is not taken, as a sentence; nil for a good one.
    public static func objection(to password: String, signIn: String, name: String) -> String? {
        guard password.count >= minimumCharacters else {
            return "A password has at least \(minimumCharacters) characters."
        }
        guard password.utf8.count <= maximumBytes else {
            return "A password has at most \(maximumBytes) bytes."
        }
        guard !password.utf8.contains(0) else { return "A password has no NUL." }
        let plain = password.lowercased()
        for own in [signIn.lowercased(), name.lowercased()] where own.utf8.count > 3 {
            if plain == own || plain == own + own {
                return "A password is not one's own name."
            }
        }
        guard Set(plain).count >= 5 else {
            return "A password has at least 5 different characters."
        }
        return nil
    }
}
