import Access
import Testing

@Suite struct PasswordRuleTests {
    @Test(
        "A long password of any kind is taken",
        arguments: ["correct horse battery", "ÄÖÜäöüßéèêëç", "            spaces too"])
    func good(password: String) {
        #expect(PasswordRule.objection(to: password, signIn: "anna", name: "Anna") == nil)
    }

    @Test(
        "A short one, one's own name, one sign again and again, and a NUL are not",
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
