import Cryptography
import Events
import Testing
import Wire

@Suite struct SessionValueTests {
    private let pair = Ed25519.KeyPair()
    private let session = SessionValue(
        id: EventID(high: 1, low: 2), account: AccountID(EventID(high: 3, low: 4)),
        sessionsEnded: 5, beganAt: Timestamp(milliseconds: 1_795_248_000_000),
        endsAt: Timestamp(milliseconds: 1_795_291_200_000), changeToken: "change")

    private var text: String { session.text(key: "k1") { pair.signature(of: $0) } }

    private func read(_ text: String) -> SessionValue? {
        SessionValue(text) { $0 == "k1" ? pair.publicKey : nil }
    }

    @Test("A session that was signed comes back as it was")
    func roundTrip() {
        #expect(read(text) == session)
        var visitor = session
        visitor.account = nil
        #expect(read(visitor.text(key: "k1") { pair.signature(of: $0) }) == visitor)
        visitor.link = SiteLink(to: SiteID("museum"), secret: "a-secret")
        let text = visitor.text(key: "k1") { pair.signature(of: $0) }
        #expect(read(text) == visitor)
        #expect(visitor.link != SiteLink(to: SiteID("museum"), secret: "another"))
        #expect(visitor.link?.proof != SiteLink(to: SiteID("other"), secret: "a-secret").proof)
    }

    @Test("A changed character, another key, or another key's name makes it no session")
    func changed() {
        let text = text
        for index in text.indices {
            var changed = text
            let letter = text[index] == "A" ? "B" : "A"
            changed.replaceSubrange(index...index, with: letter)
            #expect(read(changed) == nil, "\(changed)")
        }
        let other = Ed25519.KeyPair()
        #expect(SessionValue(text) { _ in other.publicKey } == nil)
        #expect(SessionValue(text) { _ in nil } == nil)
    }

    @Test(
        "Any other text is not a session",
        arguments: [
            "", ".", "...", "was1.k1..", "was1.k1.e30.", "was0.k1.e30.e30", "was1.k1.e30.e30.e30",
            String(repeating: "a", count: 2_000),
        ])
    func malformed(text: String) { #expect(read(text) == nil) }

    @Test("A signed payload that lacks a field is not a session")
    func missing() {
        for payload in ["{}", "[]", "1", "{\"id\":1}"] {
            let signed = "was1.k1.\(base64URL(Array(payload.utf8)))"
            #expect(read("\(signed).\(base64URL(pair.signature(of: Array(signed.utf8))))") == nil)
        }
    }
}
