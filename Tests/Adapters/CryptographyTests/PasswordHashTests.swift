import Cryptography
import Testing

@Suite struct PasswordHashTests {
    @Test("A password matches its hash, another one does not, and no two hashes are the same")
    func hashing() throws {
        let hash = try #require(PasswordHash.make(of: "correct horse battery"))
        #expect(hash.hasPrefix("$argon2id$v=19$m=65536,t=3,p=1$"))
        #expect(PasswordHash.matches("correct horse battery", hash))
        #expect(!PasswordHash.matches("correct horse batter", hash))
        #expect(!PasswordHash.matches("", hash))
        #expect(PasswordHash.make(of: "correct horse battery") != hash)
        #expect(!PasswordHash.isOutdated(hash))
    }

    @Test(
        "A text that is not a hash matches no password",
        arguments: ["", "x", "$argon2id$", String(repeating: "a", count: 500)])
    func malformed(hash: String) {
        #expect(!PasswordHash.matches("correct horse battery", hash))
        #expect(PasswordHash.isOutdated(hash))
    }
}
