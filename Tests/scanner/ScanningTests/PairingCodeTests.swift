import Testing
import Wire

@testable import Scanning

@Suite struct PairingCodeTests {
    private static let answer = """
        {"code":"493027","site":"museum","scanner":"pi-1","expiresAt":"2026-11-22T00:10:00.000Z"}
        """

    @Test("The scanner asks for its own code, and gets the digits")
    func code() async throws {
        let server = FakeServer { _, _ in
            .answered(status: 201, body: Array(Self.answer.utf8))
        }
        #expect(try await ScannerCommand.pairingCode(of: enrolment, from: server) == "493027")
        #expect(
            server.received.map { "\($0.method) \($0.path)" }
                == ["POST /v1/scanners/pi-1/pairing-code"])
    }

    @Test("Without a code the reason is given")
    func none() async throws {
        let refusal = Array(#"{"code":"scanner-not-yours"}"#.utf8)
        let sentence = Array(
            #"{"code":"scanner-not-yours","detail":"it is another's"}"#.utf8)
        let replies: [(ServerReply, String)] = [
            (.answered(status: 403, body: refusal), "scanner-not-yours"),
            (.answered(status: 403, body: sentence), "scanner-not-yours: it is another's"),
            (.answered(status: 201), "can't be read"), (.lost("time-out"), "time-out"),
        ]
        for (reply, reason) in replies {
            do {
                let server = FakeServer { _, _ in reply }
                _ = try await ScannerCommand.pairingCode(of: enrolment, from: server)
                Issue.record("there is no code: \(reason)")
            } catch {
                #expect(error.description.contains(reason))
            }
        }
    }
}
