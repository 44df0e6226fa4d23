import Access
import Testing

@Suite struct PasswordRuleTests {
    @Test(
        "A long password of any kind is accepted",
        arguments: ["correct horse battery", "ÄÖÜäöüßéèêëç", "            spaces too"])
    func good(password: String) {
        #expect(PasswordRule.objection(to: password, signIn: "anna", name: "Anna") == nil)
    }

    @Test(
        "A short password, one's own name, a repeated character and a NUL are refused",
        arguments: [
            "short", "anna.smith@museum", "ANNA.SMITH@MUSEUM", "aaaaaaaaaaaaaaaa",
            "a\0bcdefghijklm",
            String(repeating: "abcdefg", count: 200),
        ])
    func bad(password: String) {
        #expect(
            PasswordRule.objection(
                to: password, signIn: "anna.smith@museum", name: "Anna Smith") != nil)
    }
}
