import Foundation
import Testing

@testable import HTTPClient

@Suite struct MailMessageTests {
    private func lines(_ message: MailMessage) -> [String] {
        String(decoding: message.text(from: "alarms@museum.example"), as: UTF8.self)
            .components(separatedBy: "\r\n")
    }

    private func message(subject: String = "A disk", body: String = "Hello\n") -> MailMessage {
        MailMessage(
            recipients: ["it@museum.example", "boss@museum.example"], subject: subject,
            body: body, sentAt: 1_795_487_451, id: "one")
    }

    @Test("A message has the headers that a mail server wants, and ends every line with CRLF")
    func headers() {
        let lines = lines(message())
        #expect(lines.contains("From: Whereabouts <alarms@museum.example>"))
        #expect(lines.contains("To: it@museum.example, boss@museum.example"))
        #expect(lines.contains("Subject: A disk"))
        #expect(lines.contains("Date: Tue, 24 Nov 2026 02:30:51 +0000"))
        #expect(lines.contains("Message-ID: <one@museum.example>"))
        #expect(lines.allSatisfy { !$0.contains("\n") && $0.utf8.count <= 998 })
    }

    @Test("The body arrives as it is, with umlauts and long lines")
    func body() throws {
        let body = "Größe: \(String(repeating: "x", count: 2_000))\n.\nEnde\n"
        let lines = lines(message(body: body))
        let empty = try #require(lines.firstIndex(of: ""))
        let encoded = lines[(empty + 1)...].joined()
        let data = try #require(Data(base64Encoded: encoded))
        #expect(
            String(decoding: data, as: UTF8.self)
                == body.replacingOccurrences(of: "\n", with: "\r\n"))
        #expect(lines[(empty + 1)...].allSatisfy { $0.utf8.count <= 76 })
    }

    @Test("A subject can't add a header, and other letters than ASCII are encoded")
    func subject() {
        let forged = lines(message(subject: "A\r\nBcc: x@y.example"))
        #expect(!forged.contains { $0.hasPrefix("Bcc") })
        let encoded = lines(message(subject: String(repeating: "ü", count: 60)))
        let first = encoded.firstIndex { $0.hasPrefix("Subject: =?utf-8?B?") } ?? 0
        #expect(first > 0)
        #expect(encoded[first...].prefix { $0 != "" }.allSatisfy { $0.utf8.count <= 84 })
    }

    @Test(
        "An address has a name and a host, and nothing that ends it",
        arguments: [
            ("it@museum.example", true), ("a.b+c@x", true), ("it", false), ("@x", false),
            ("a@", false), ("a@b@c", false), ("a b@c", false), ("a@b>\r\nRCPT", false),
            ("\"a\"@b", false), ("ä@b", false),
        ])
    func addresses(text: String, isAddress: Bool) {
        #expect(MailMessage.isAddress(text) == isAddress)
    }

    @Test("A password is only sent over an encrypted connection")
    func encryption() {
        let open = MailServer(url: "smtp://x", sender: "a@b")
        #expect(open.encryption == .ifOffered)
        let account = MailServer(url: "smtp://x", sender: "a@b", account: ("a", "b"))
        #expect(account.encryption == .always)
    }

    @Test("A server that is away is an error with a reason")
    func away() async {
        let server = MailServer(url: "smtp://127.0.0.1:1", sender: "a@b.example")
        await #expect(throws: MailError.self) { try await server.send(message()) }
    }
}
