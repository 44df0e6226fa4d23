import Foundation
import HTTPClient
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Quotas over HTTP") struct QuotaEndTests {
        private func deviceToken(_ site: SmallSite, _ device: String) async throws -> String {
            let made = try await site.campus.whereabouts(
                "token", "create", "--role", "device", "--site", SmallSite.name, "--device", device)
            return made.summary["token"] as? String ?? ""
        }

        private func lines(_ count: Int) -> [UInt8] {
            let scans = (0..<count).map { _ in
                // Short ones: it is the records that run out, and not the bytes.
                let scan: [String: Any] = [
                    "id": UUID().uuidString.lowercased(), "device": "quota-1",
                    "scanner": "quota-1", "site": SmallSite.name, "steps": 1,
                ]
                return String(decoding: jsonText(scan), as: UTF8.self)
            }
            return Array(scans.joined(separator: "\n").utf8)
        }

        @Test("A device may send 50 scans at once and then 5 a second, and is told when")
        func device() async throws {
            let site = try await SmallSite.shared.value
            let token = try await deviceToken(site, "quota-1")
            func send(_ body: [UInt8]) async throws -> Answer {
                try await site.campus.send("POST", "/v1/scans", token: token, body: body)
            }
            try await eventually("the token is known") {
                try await site.campus.send("GET", "/v1/limits", token: token).status == 200
            }
            // A batch that can come at once is taken whole or not at all.
            let forty = lines(40)
            let began = Date()
            let first = try await send(forty)
            #expect(first.status == 202)
            let second = try await send(forty)
            #expect(second.status == 429)
            #expect(second.json["accepted"] as? Int == 0)
            #expect(second.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
            #expect(second.headers["ratelimit-policy"]?.contains("q=50;w=10") == true)
            #expect(second.headers["ratelimit"]?.contains("r=") == true)
            // Of one that never can as many as there is room for.
            let many = try await send(lines(1_000))
            let allowed = 50 + 5 * Date().timeIntervalSince(began)
            #expect(many.status == 202)
            #expect(Double(many.json["accepted"] as? Int ?? 0) <= allowed - 40)
            let rejected = many.json["rejected"] as? [[String: Any]] ?? []
            #expect(rejected.allSatisfy { $0["code"] as? String == "quota-exceeded" })
            let limits = try await site.campus.send("GET", "/v1/limits", token: token)
            let records = limits.json["records"] as? [String: Any]
            #expect(records?["perSecond"] as? Double == 5)
            #expect(records?["burst"] as? Int == 50)
            // Others are not slowed down by it.
            let other = try await site.campus.send(
                "POST", "/v1/scans", token: site.administrator, body: jsonText(SmallSite.scan()))
            #expect(other.status == 202)
        }

        @Test("A scan that says nothing is refused")
        func nothingHeard() async throws {
            let site = try await SmallSite.shared.value
            for path in ["/v1/scans", "/v1/locate"] {
                let answer = try await site.campus.send(
                    "POST", path, token: site.device,
                    body: Array(#"{"device":"pi-1","site":"small","wifi":[]}"#.utf8))
                #expect(answer.status == 400)
                #expect(answer.code == "nothing-heard")
            }
        }
    }
}
