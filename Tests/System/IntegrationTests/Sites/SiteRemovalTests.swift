import Foundation
import Testing

extension IntegrationTests {
    /// A site that goes, and what is left of it.
    @Suite("Removing a site") struct SiteRemovalTests {
        private static let path = "/v1/sites/doomed"

        @Test("A site goes with all that is its own, and counts on when it comes back")
        func removal() async throws {
            let small = try await SmallSite.shared.value
            func send(
                _ method: String, _ path: String, _ body: [UInt8] = [], token: String? = nil
            ) async throws -> Answer {
                try await small.campus.send(
                    method, path, token: token ?? small.administrator, body: body)
            }
            let document = jsonText(SmallSite.document)
            let made = try await send("PUT", Self.path, document)
            #expect(made.status == 201, "\(made.text)")
            let renamed = String(decoding: document, as: UTF8.self).replacing(
                "\"Small\"", with: "\"Doomed\"")
            _ = try await send("PUT", Self.path, Array(renamed.utf8))
            let visitor =
                try await ProgramRun.of(
                    small.campus.program + ["token", "create", "--plain", "--role", "visitor"]
                        + ["--site", "doomed"], environment: small.campus.environment
                ).successful().lines.last ?? ""
            let question = jsonText([
                "site": "doomed", "from": ["room": "a"], "to": [["room": "b"]],
            ])
            try await eventually("routes are known") {
                try await send("POST", "/v1/routes", question).status == 200
            }
            let outage = try await send(
                "POST", "/v1/outages",
                jsonText([
                    "site": "doomed", "connection": "door-ab", "reason": "paint",
                    "reportedBy": "test",
                ]))
            #expect(outage.status == 201, "\(outage.text)")
            let versions = try await send("GET", "\(Self.path)/versions")
            #expect(versions.text.contains("publishedBy"), "\(versions.text)")

            for wrong in [Self.path, "\(Self.path)?confirm=small"] {
                let refused = try await send("DELETE", wrong)
                #expect(refused.status == 422 && refused.code == "confirmation-missing")
            }
            let other = try await send(
                "DELETE", "\(Self.path)?confirm=doomed", token: small.surveyor)
            #expect(other.status == 403)
            let gone = try await send("DELETE", "\(Self.path)?confirm=doomed")
            #expect(gone.status == 204, "\(gone.text)")

            for path in ["", "/versions", "?version=draft"] {
                #expect(try await send("GET", Self.path + path).status == 404, "\(path)")
            }
            try await eventually("every service has forgotten it") {
                let route = try await send("POST", "/v1/routes", question)
                let search = try await send("GET", "\(Self.path)/search?q=a")
                return route.status == 404 && search.status == 404
            }
            try await eventually("its tokens are gone") {
                try await send("GET", "/v1/sites", token: visitor).status == 401
            }
            #expect(try await send("DELETE", "\(Self.path)?confirm=doomed").status == 404)

            let back = try await send("PUT", Self.path, document)
            #expect(back.status < 300, "\(back.text)")
            #expect(back.json["version"] as? Int == 3)
            try await eventually("it is known again, without its outage") {
                let route = try await send("POST", "/v1/routes", question)
                return route.json["found"] as? Bool == true
            }
        }

        @Test("Visits come as lines, as an array and as a table, and as nothing else")
        func visits() async throws {
            let small = try await SmallSite.shared.value
            func get(
                _ path: String, _ accept: String?, query: String = "?site=\(SmallSite.name)"
            ) async throws -> Answer {
                try await small.campus.send(
                    "GET", path + query, token: small.administrator,
                    headers: accept.map { [("accept", $0)] } ?? [])
            }
            for path in ["/v1/visits", "/v1/positions"] {
                let array = try await get(path, "application/json")
                #expect(array.status == 200 && array.text.hasPrefix("["), "\(array.text)")
                #expect(array.headers["content-type"] == "application/json")
                let table = try await get(path, "text/csv")
                #expect(table.status == 200 && table.text.hasPrefix("id,"), "\(table.text)")
                let lines = try await get(path, nil)
                #expect(lines.headers["content-type"] == "application/x-ndjson")
                #expect(try await get(path, "image/png").status == 406)
            }
            // What comes in one form only comes in it, as docs/errors.md says.
            let sites = try await get("/v1/sites", "image/png", query: "")
            #expect(sites.status == 200 && sites.headers["content-type"] == "application/json")
        }

        @Test("Where a device was long ago is no place to begin where only a newer one is allowed")
        func ages() async throws {
            let small = try await SmallSite.shared.value
            let sent = try await small.campus.send(
                "POST", "/v1/scans", token: small.administrator,
                body: jsonText(SmallSite.scan(["device": "walker", "scanner": "walker"])))
            #expect(sent.status == 202, "\(sent.text)")
            func code(_ seconds: Double) async throws -> String? {
                let from: [String: Any] = ["device": "walker", "maximumAgeSeconds": seconds]
                return try await small.campus.send(
                    "POST", "/v1/routes", token: small.administrator,
                    body: jsonText([
                        "site": SmallSite.name, "from": from, "to": [["room": "b"]],
                    ])
                ).code
            }
            try await eventually("the scan is located") {
                try await code(0.001) == "position-too-old"
            }
            let new = try await code(3_600)
            #expect(new == nil || new == "position-lost", "\(new ?? "")")
        }

        @Test("A destination may be a building or a floor, and an end that is not known says so")
        func places() async throws {
            let small = try await SmallSite.shared.value
            func route(_ to: [String: Any]) async throws -> Answer {
                try await small.campus.send(
                    "POST", "/v1/routes", token: small.visitor,
                    body: jsonText(["from": ["room": "a"], "to": [to]]))
            }
            let floor = try await route(["floor": "ground"])
            #expect(floor.json["found"] as? Bool == true, "\(floor.text)")
            let out = try await route(["entrance": true])
            #expect(out.status == 200, "\(out.text)")
            let reason = out.json["reason"] as? [String: Any]
            #expect(reason?["code"] as? String == "entrance-unknown")
            let unknown = try await route(["building": "nowhere"])
            #expect(unknown.status == 404 && unknown.code == "place-unknown")
        }
    }
}
