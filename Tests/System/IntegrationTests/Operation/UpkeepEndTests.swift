import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The doctor and the services over HTTP", .timeLimit(.minutes(5)))
    struct UpkeepEndTests {
        @Test("An administrator of all sites sees the doctor's findings, and one of a site the lag")
        func findings() async throws {
            let site = try await SmallSite.shared.value
            let own = try await site.newAdministrator()
            let refused = try await site.campus.send("GET", "/v1/doctor", token: own)
            #expect(refused.code == "role-not-allowed", "\(refused.text)")
            // The first one waits until all checks are made.
            let answer = try await site.campus.send(
                "GET", "/v1/doctor", token: site.administrator, timeoutSeconds: 90)
            let checks = answer.json["checks"] as? [[String: Any]] ?? []
            let names = Set(checks.compactMap { $0["check"] as? String })
            #expect(
                names.isSuperset(of: ["settings", "whereabouts", "postgresql", "topics", "lag"]),
                "\(answer.text)")
            let again = try await site.campus.send(
                "GET", "/v1/doctor", token: site.administrator)
            #expect(again.json["at"] as? String == answer.json["at"] as? String)
            let figures = try await site.campus.send("GET", "/v1/services", token: own)
            let services = figures.json["services"] as? [[String: Any]] ?? []
            #expect(services.map { $0["service"] as? String } == ["whereabouts"])
            let lag = services.first?["lag"] as? [[String: Any]] ?? []
            #expect(lag.contains { $0["group"] as? String == "locator" }, "\(figures.text)")
        }
    }
}
