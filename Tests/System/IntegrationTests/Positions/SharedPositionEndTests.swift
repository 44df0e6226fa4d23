import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Visitors share where they are, and follow a scanner that they are paired with.
    @Suite("Shared positions and paired devices of the complete program")
    struct SharedPositionEndTests {
        /// A session without an account, as a page has it.
        private struct Visitor {
            let campus: Campus
            let headers: [(name: String, value: String)]

            init(_ campus: Campus) async throws {
                self.campus = campus
                let begun = try await campus.send("POST", "/v1/session/anonymous")
                let cookie = String((begun.headers["set-cookie"] ?? "").prefix { $0 != ";" })
                headers = [
                    ("cookie", cookie),
                    ("x-change-token", try #require(begun.json["changeToken"] as? String)),
                    ("content-type", "application/json"),
                ]
            }

            func send(
                _ method: String, _ path: String, _ body: [String: Any]? = nil
            ) async throws -> Answer {
                try await campus.send(
                    method, "/v1/sites/\(SmallSite.name)\(path)",
                    body: body.map { jsonText($0) } ?? [], headers: headers)
            }

            func get(_ path: String) async throws -> Answer {
                try await campus.send(
                    "GET", path, headers: headers.filter { $0.name == "cookie" })
            }
        }

        /// Room a has a name; room b is the staff's.
        private static var document: [String: Any] {
            var document = SmallSite.document
            var rooms = document["rooms"] as? [[String: Any]] ?? []
            rooms[0]["name"] = "Reading Room"
            rooms[1]["visibility"] = "staff"
            document["rooms"] = rooms
            return document
        }

        private func place(_ secret: String, x: Double) -> [String: Any] {
            // Two metres north of the origin; a degree of longitude is 69.4 km there.
            [
                "secret": secret, "state": "located", "floor": "ground", "radiusMetres": 4.0,
                "latitude": 51.5 + 2 / 111_250.0, "longitude": -0.1 + x / 69_440.0,
            ]
        }

        @Test("A visitor shares a place, others see it live and as a page, and stopping deletes it")
        func shared() async throws {
            let site = try await SmallSite(
                settings: ["WHEREABOUTS_OPEN_SITES": SmallSite.name], document: Self.document)
            let campus = site.campus
            let (visitor, other) = (try await Visitor(campus), try await Visitor(campus))
            let made = try await visitor.send("POST", "/shared-position")
            let secret = try #require(made.json["secret"] as? String, "\(made.text)")
            let put = try await visitor.send("PUT", "/shared-position", place(secret, x: 5))
            #expect(put.status == 204, "\(put.text)")
            let seen = try await other.send("GET", "/shared-positions/\(secret)")
            #expect(seen.json["room"] as? String == "a", "\(seen.text)")
            let address = "/s/\(SmallSite.name)?shared=\(secret)&lang=en"
            let page = try await campus.send("GET", address)
            #expect(page.status == 200 && page.text.contains("In Reading Room, "), "\(page.text)")
            #expect(page.text.contains("less than a minute ago"))
            #expect(page.headers["cache-control"] == "no-store")
            #expect(page.headers["referrer-policy"] == "no-referrer")
            let german = try await campus.send(
                "GET", "/s/\(SmallSite.name)?shared=\(secret)&lang=de")
            #expect(german.text.contains("Noch einmal nachsehen"))

            var staff = place(secret, x: 15)
            staff["area"] = "staff"
            #expect(try await visitor.send("PUT", "/shared-position", staff).status == 204)
            let hidden = try await campus.send("GET", address)
            #expect(hidden.text.contains("In a staff area"), "\(hidden.text)")
            #expect(!hidden.text.contains("route="), "the map has no point")
            let rows = try await campus.psql(
                "SELECT position_shares::text FROM site_editor.position_shares")
            #expect(rows.count == 1 && !rows[0].contains(secret) && !rows[0].contains("ground"))

            #expect(try await visitor.send("DELETE", "/shared-position").status == 204)
            #expect(try await other.send("GET", "/shared-positions/\(secret)").status == 404)
            let over = try await campus.send("GET", address)
            #expect(over.status == 404 && over.text.contains("Nobody shares a place"))
            let left = try await campus.psql("SELECT count(*) FROM site_editor.position_shares")
            #expect(left == ["0"])

            try await paired(site, visitor, other)
            #expect(campus.stop() == ["whereabouts": 0])
        }

        private func paired(
            _ site: SmallSite, _ visitor: Visitor, _ other: Visitor
        ) async throws {
            let campus = site.campus
            let shown = try await campus.send(
                "POST", "/v1/scanners/pi-1/pairing-code", token: site.device)
            let code = try #require(shown.json["code"] as? String, "\(shown.text)")
            let made = try await visitor.send("POST", "/pairings", ["code": code])
            let id = try #require(made.json["id"] as? String, "\(made.text)")
            let path = "/pairings/\(id)/position"
            #expect(try await visitor.send("GET", path).status == 404)
            let scan = SmallSite.scan(["id": UUID().uuidString])
            #expect(
                try await campus.send(
                    "POST", "/v1/scans", token: site.device, body: jsonText(scan)
                ).status == 202)
            try await eventually("the position of the paired device is shown") {
                let answer = try await visitor.send("GET", path)
                let position = answer.json["position"] as? [String: Any]
                return position?["device"] as? String == "pi-1"
            }
            #expect(try await other.send("GET", path).status == 404)
            let direct = try await visitor.get("/v1/positions/latest?site=\(SmallSite.name)")
            #expect(direct.status == 403, "the session sees no position otherwise")
            let ended = try await campus.send(
                "DELETE", "/v1/scanners/pi-1/pairing", token: site.device)
            #expect(ended.status == 204)
            #expect(try await visitor.send("GET", path).status == 404)
        }
    }
}
