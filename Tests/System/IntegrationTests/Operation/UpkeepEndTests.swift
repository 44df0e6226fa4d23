import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("The doctor, the services and dead letters over HTTP", .timeLimit(.minutes(5)))
    struct UpkeepEndTests {
        @Test("An administrator of all sites sees the doctor's findings, and one of a site the lag")
        func findings() async throws {
            let site = try await SmallSite.shared.value
            let own = try await site.newAdministrator()
            let refused = try await site.campus.send("GET", "/v1/doctor", token: own)
            #expect(refused.code == "role-not-allowed", "\(refused.text)")
            var answer = try await site.campus.send(
                "GET", "/v1/doctor", token: site.administrator)
            // Nobody waits for the checks, which take half a minute.
            try await eventually("the checks are made", seconds: 90) {
                answer = try await site.campus.send(
                    "GET", "/v1/doctor", token: site.administrator)
                return answer.json["isRunning"] as? Bool == false
            }
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

        @Test("An administrator looks inside a record of their site, and puts it back once")
        func letters() async throws {
            let site = try await SmallSite.shared.value
            let own = try await site.newAdministrator()
            let mark = UUID().uuidString
            let record = RawRecord(
                key: Array("\(SmallSite.name)/pi-upkeep".utf8), value: Array("<b>\(mark)".utf8))
            try await site.campus.append([record], to: "whereabouts.scans")
            let list = "/v1/dead-letters?site=\(SmallSite.name)"
            var path = ""
            try await eventually("the record is in the list of its site", seconds: 60) {
                let answer = try await site.campus.send("GET", list, token: own)
                for letter in answer.json["letters"] as? [[String: Any]] ?? [] {
                    let one = "/v1/dead-letters/\(letter["id"] as? String ?? "")"
                    let shown = try await site.campus.send("GET", one, token: own)
                    if shown.text.contains(mark) { path = one }
                }
                return !path.isEmpty
            }
            let surveyor = try await site.campus.send(
                "POST", "\(path)/apply", token: site.surveyor)
            #expect(surveyor.code == "role-not-allowed")
            let done = try await site.campus.send("POST", "\(path)/apply", token: own)
            #expect(done.text.contains(#""outcome":"put-back""#), "\(done.text)")
            let again = try await site.campus.send("POST", "\(path)/apply", token: own)
            #expect(again.text.contains(#""outcome":"not-missing""#), "\(again.text)")
            // It can't be read now, either: so it comes back under a letter of its own.
            try await eventually("it is set aside again", seconds: 60) {
                let answer = try await site.campus.send("GET", list, token: own)
                return answer.text.contains(#""wasPutBack":true"#)
            }
        }
    }
}
