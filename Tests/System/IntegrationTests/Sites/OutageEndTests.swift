import Foundation
import Testing

@Suite("Outages over HTTP") struct OutageEndTests {
    private static func outage(_ changes: [String: Any] = [:]) -> [UInt8] {
        let outage: [String: Any] = [
            "connection": "door-ab", "reason": "The lock is stuck", "reportedBy": "porter",
        ]
        return jsonText(outage.merging(changes) { $1 })
    }

    @Test("An outage is reported, listed and ended, and each is an event without people's names")
    func life() async throws {
        let site = try await SmallSite.shared.value
        func send(_ method: String, _ path: String, _ body: [UInt8] = []) async throws -> Answer {
            try await site.campus.send(method, path, token: site.surveyor, body: body)
        }
        let id = UUID().uuidString.lowercased()
        let report = Self.outage(["id": id])
        let made = try await send("POST", "/v1/outages", report)
        #expect(made.status == 201 && made.json["active"] as? Bool == true, "\(made.text)")
        let again = try await send("POST", "/v1/outages", report)
        #expect(again.status == 200 && again.text == made.text)
        let other = try await send(
            "POST", "/v1/outages", Self.outage(["id": id, "reason": "Fire"]))
        #expect(other.status == 409 && other.code == "outage-id-conflict")
        let planned = try await send(
            "POST", "/v1/outages", Self.outage(["from": "2126-11-22T08:00:00Z"]))
        #expect(planned.json["active"] as? Bool == false, "\(planned.text)")

        func listed(_ query: String) async throws -> [String: Bool] {
            let answer = try await site.campus.send(
                "GET", "/v1/outages?\(query)", token: site.visitor)
            let outages = try #require(answer.json["outages"] as? [[String: Any]], "\(answer.text)")
            return outages.reduce(into: [:]) { all, outage in
                all[outage["id"] as? String ?? ""] = outage["active"] as? Bool
            }
        }
        let later = try #require(planned.json["id"] as? String)
        #expect(try await listed("connection=door-ab&active=true")[id] == true)
        #expect(try await listed("active=false")[later] == false)
        let misspelt = try await send("GET", "/v1/outages?connection=door-xy")
        #expect(misspelt.status == 404 && misspelt.code == "connection-unknown")
        #expect(try await send("DELETE", "/v1/outages/\(id)?endedBy=locksmith").status == 204)
        #expect(try await send("DELETE", "/v1/outages/\(id)").code == "outage-unknown")
        #expect(try await send("DELETE", "/v1/outages/\(later)").status == 204)
        #expect(try await listed("")[id] == false)

        let listing = try await site.campus.send("GET", "/v1/outages", token: site.visitor).text
        try await eventually("the log has what was reported and what ended it") {
            let events = try await site.campus.values(of: "whereabouts.outages").map {
                jsonObject(Array($0.utf8))
            }.filter { $0["id"] as? String == id }
            // The names that the caller gives are listed; the log has the caller's id alone.
            let callers = events.map { ($0["reporter"] as? String, $0["ender"] as? String) }
            guard let caller = callers.first?.0, callers.last?.1 == caller else { return false }
            return events.map { $0["endedBy"] as? String } == [nil, caller]
                && events.allSatisfy { $0["reportedBy"] as? String == caller }
                && listing.contains("locksmith") && !listing.contains("\"reporter\"")
                && UUID(uuidString: caller) != nil
                && events.allSatisfy { $0["reason"] as? String == "The lock is stuck" }
        }
    }

    @Test("What can't be used is refused with its code, and only who keeps the building may report")
    func refusals() async throws {
        let site = try await SmallSite.shared.value
        func code(_ body: [UInt8], _ token: String? = nil) async throws -> String? {
            try await site.campus.send(
                "POST", "/v1/outages", token: token ?? site.surveyor, body: body
            ).code
        }
        #expect(try await code(Self.outage(), site.visitor) == "role-not-allowed")
        #expect(try await code(Self.outage(), site.device) == "role-not-allowed")
        #expect(try await code(Self.outage(["site": "other"])) == "site-not-yours")
        #expect(try await code(Self.outage(["connection": "lift"])) == "connection-unknown")
        #expect(try await code(Self.outage(["connection": "a lift"])) == "identifier-malformed")
        #expect(try await code(Self.outage(["from": "tomorrow"])) == "time-malformed")
        #expect(try await code(Self.outage(["reason": NSNull()])) == "field-missing")
        #expect(try await code(Self.outage(["reason": "a\nb"])) == "outage-text-unusable")
        #expect(
            try await code(Self.outage(["until": "2020-01-01T00:00:00Z"])) == "outage-times-swapped"
        )
        #expect(try await code(Array("[]".utf8)) == "not-an-object")
        #expect(try await code([UInt8](repeating: 32, count: 8_193)) == "body-too-large")
        func answer(_ method: String, _ path: String) async throws -> String? {
            try await site.campus.send(method, path, token: site.surveyor).code
        }
        #expect(try await answer("GET", "/v1/outages?active=maybe") == "active-malformed")
        #expect(try await answer("GET", "/v1/outages?after=x") == "cursor-malformed")
        #expect(try await answer("DELETE", "/v1/outages/x") == "id-malformed")
    }
}
