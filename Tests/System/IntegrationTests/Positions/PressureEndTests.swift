import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Air pressure from scan to log") struct PressureEndTests {
        @Test("A scan's air pressure is on the log as it was sent, and a question may have one too")
        func scan() async throws {
            let site = try await SmallSite.shared.value
            let id = "0193b2a4-7c3e-7a10-8000-0000000a1e55"
            let scan = jsonText(
                SmallSite.scan(["id": id, "pressureHectopascals": 1_012.347]))
            let sent = try await site.campus.send(
                "POST", "/v1/scans", token: site.administrator, body: scan)
            #expect(sent.status == 202, "\(sent.text)")
            try await eventually("the log has the scan") {
                try await site.campus.values(of: "whereabouts.scans").contains {
                    let event = jsonObject(Array($0.utf8))
                    return event["id"] as? String == id
                        && event["pressureHectopascals"] as? Double == 1_012.347
                }
            }
            let asked = try await site.campus.send(
                "POST", "/v1/locate", token: site.administrator, body: scan)
            #expect(asked.status == 200, "\(asked.text)")
            // Android's sensor gives hPa; a value in pascals is refused.
            let pascals = jsonText(SmallSite.scan(["pressureHectopascals": 101_234.7]))
            for path in ["/v1/scans", "/v1/locate"] {
                let refused = try await site.campus.send(
                    "POST", path, token: site.administrator, body: pascals)
                #expect(refused.status == 400 && refused.code == "field-out-of-range", "\(path)")
            }
        }
    }
}
