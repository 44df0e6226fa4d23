import Events
import Testing
import Wire

@Suite struct StorableTextTests {
    private func ssid(_ json: String) throws -> String? {
        let body = #"{"wifi":[{"bssid":"02:00:00:00:00:01","ssid":"\#(json)","rssi":-50}]}"#
        let submission = try SubmissionDecoder(.scan).decodeOne(
            Array(body.utf8), receivedAt: Timestamp(microseconds: 1_800_000_000_000_000))
        return submission.wifi[0].ssid
    }

    @Test("A hidden network's zero bytes count as no SSID")
    func hidden() throws {
        #expect(try ssid(#"\u0000"#) == nil)
        #expect(try ssid(String(repeating: #"\u0000"#, count: 32)) == nil)
    }

    @Test("Other control characters in a network's name become U+FFFD, and the scan is kept")
    func control() throws {
        #expect(try ssid(#"a\u0000b"#) == "a\u{FFFD}b")
        #expect(try ssid(#"\n\u007f\u009f"#) == "\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(try ssid("Café \u{202E}") == "Café \u{202E}")
        #expect(try ssid("") == "")
    }

    @Test("All other text with U+0000 is refused, since PostgreSQL can't store it")
    func texts() throws {
        let body = #"{"connection":"lift","reason":"a\u0000","reportedBy":"b"}"#
        do throws(WireFault) {
            _ = try OutageSubmission(json: Array(body.utf8))
            Issue.record("it was taken")
        } catch {
            #expect(error.code == .textMalformed)
            #expect(error.path == "reason")
        }
    }
}
