import Foundation
import Testing

extension IntegrationTests {
    /// Drafts, records and versions over HTTP, as editors use them.
    @Suite("Editing a site") struct SiteEditingTests {
        private static let path = "/v1/sites/\(SmallSite.name)"

        private struct Editor {
            let site: SmallSite

            func send(
                _ method: String, _ path: String, _ body: [String: Any]? = nil,
                ifMatch: String? = nil,
                token: String? = nil
            ) async throws -> Answer {
                try await site.campus.send(
                    method, SiteEditingTests.path + path, token: token ?? site.administrator,
                    body: body.map { jsonText($0) } ?? [],
                    headers: ifMatch.map { [("if-match", $0)] } ?? [])
            }

            func draftTag() async throws -> String {
                try await send("GET", "/buildings?version=draft").headers["etag"] ?? ""
            }
        }

        @Test("A building's unknown time zone is refused, however it is sent")
        func zones() async throws {
            let editor = Editor(site: try await SmallSite())
            let zone = ["timeZone": "America/Gotham"]
            let tag = try await editor.draftTag()
            let patched = try await editor.send("PATCH", "/buildings/house", zone, ifMatch: tag)
            #expect(patched.status == 422 && patched.code == "time-zone-unknown")
            let put = try await editor.send(
                "PUT", "/buildings/annex", zone.merging(["name": "Annex"]) { $1 }, ifMatch: tag)
            #expect(put.status == 422 && put.code == "time-zone-unknown", "\(put.text)")
            var document = SmallSite.document
            document["buildings"] = [zone.merging(["id": "house", "name": "House"]) { $1 }]
            for query in ["", "?version=draft"] {
                let all = try await editor.send(
                    "PUT", query, document, ifMatch: query.isEmpty ? nil : tag)
                #expect(all.status == 422 && all.code == "time-zone-unknown", "\(all.text)")
            }
        }

        @Test("A record is made, changed and removed in the draft, and published as one version")
        func records() async throws {
            let editor = Editor(site: try await SmallSite())
            let first = try await editor.draftTag()
            #expect(first == "\"draft-0-1\"")
            let room: [String: Any] = [
                "floor": "ground", "name": "Round", "kind": "lab",
                "outline": ["circle": ["x": 30, "y": 4, "radiusMetres": 2]],
            ]
            for method in ["PUT", "PATCH"] {
                let misspelt = try await editor.send(
                    method, "/rooms/a", ["holez": []], ifMatch: first)
                #expect(misspelt.status == 400 && misspelt.code == "field-unknown")
            }
            let missing = try await editor.send("PUT", "/rooms/round", room)
            #expect(missing.status == 428)
            #expect(missing.code == "if-match-missing")
            let made = try await editor.send("PUT", "/rooms/round", room, ifMatch: first)
            #expect(made.status == 201, "\(made.text)")
            #expect((made.json["outline"] as? [Any])?.count == 32)
            #expect(made.headers["etag"] == "\"draft-1\"")
            let late = try await editor.send("PUT", "/rooms/round", room, ifMatch: first)
            #expect(late.status == 412)
            #expect(late.headers["etag"] == "\"draft-1\"")
            let patched = try await editor.send(
                "PATCH", "/rooms/round", ["kind": "hall", "names": ["cy": "Crwn"]],
                ifMatch: "\"draft-1\"")
            #expect(patched.status == 200, "\(patched.text)")
            #expect(patched.json["kind"] as? String == "hall")
            #expect(patched.json["name"] as? String == "Round")
            // Read in degrees and sent back, it is what it was.
            let degrees = try await editor.send(
                "GET", "/rooms/a?coordinates=wgs84&version=draft")
            let same = try await editor.send(
                "PUT", "/rooms/a?coordinates=wgs84", degrees.json, ifMatch: "\"draft-2\"")
            #expect(same.status == 200 && same.headers["etag"] == "\"draft-2\"", "\(same.text)")
            #expect(same.body == degrees.body)
            // Nobody else sees it yet.
            #expect(try await editor.send("GET", "/rooms/round").status == 404)
            let visitor = try await editor.send(
                "GET", "/rooms?version=draft", token: editor.site.visitor)
            #expect(visitor.status == 403)
            let tested = try await editor.send(
                "POST", "/publish", ["audience": "test"], ifMatch: "\"draft-2\"")
            #expect(tested.status == 200, "\(tested.text)")
            let shown = try await editor.send(
                "GET", "/rooms/round?version=test", token: editor.site.visitor)
            #expect(shown.status == 200)
            let published = try await editor.send("POST", "/publish", ifMatch: "\"draft-2\"")
            #expect(published.json["version"] as? Int == 2, "\(published.text)")
            #expect(try await editor.send("GET", "/rooms/round").status == 200)
            let comparison = try await editor.send("GET", "/versions/1/compare/2").json
            #expect((comparison["added"] as? [[String: String]])?.first?["id"] == "round")
            #expect(editor.site.campus.stop() == ["whereabouts": 0])
        }

        @Test("What others name is kept, unless they go too; and all of it can be taken back")
        func removal() async throws {
            let editor = Editor(site: try await SmallSite())
            let refused = try await editor.send("DELETE", "/rooms/a", ifMatch: "*")
            #expect(refused.status == 409)
            #expect(refused.code == "still-named")
            let dependents = refused.json["dependents"] as? [[String: String]] ?? []
            #expect(dependents.map { $0["id"] } == ["a-1", "door-ab"])
            let gone = try await editor.send("DELETE", "/rooms/a?cascade=true", ifMatch: "*")
            #expect(gone.status == 200, "\(gone.text)")
            let changes = gone.json["changes"] as? [String: Any] ?? [:]
            #expect((changes["removed"] as? [Any])?.count == 3)
            #expect(changes["site"] as? [String] == ["surveyDiscards"])
            let undone = try await editor.send("POST", "/undo", ifMatch: "\"draft-1\"")
            #expect(undone.json["revision"] as? Int == 2, "\(undone.text)")
            #expect(try await editor.send("GET", "/rooms/a?version=draft").status == 200)
            let further = try await editor.send("POST", "/undo", ifMatch: "*")
            #expect(further.code == "nothing-to-undo")
            // After a publication, the older version is restored.
            _ = try await editor.send("POST", "/rooms/a/clear", ifMatch: "*")
            let published = try await editor.send("POST", "/publish", ifMatch: "*")
            #expect(published.json["version"] as? Int == 2, "\(published.text)")
            #expect(
                try await editor.send("POST", "/versions/1/restore").code == "if-match-missing")
            let restored = try await editor.send(
                "POST", "/versions/1/restore", ifMatch: "\"2\"")
            #expect(restored.json["version"] as? Int == 3, "\(restored.text)")
            let same = try await editor.send("GET", "/versions/1/compare/3").json
            #expect(same["identical"] as? Bool == true)
            let versions = try await editor.send("GET", "/versions?limit=2").json
            #expect(versions["next"] as? String == "2")
            #expect(editor.site.campus.stop() == ["whereabouts": 0])
        }

        @Test(
            "Cleared surveys leave the radio map, and are in it again when the site is rolled back")
        func clearing() async throws {
            let editor = Editor(
                site: try await SmallSite(settings: ["WHEREABOUTS_MAP_QUIET": "100ms"]))
            let survey = SmallSite.scan(["place": ["location": "a-1"]])
            let sent = try await editor.site.campus.send(
                "POST", "/v1/surveys", token: editor.site.administrator, body: jsonText(survey))
            try #require(sent.status == 202, "\(sent.text)")
            func isMapped() async throws -> (fingerprints: Bool, measurements: Bool) {
                let places = try await editor.send("GET", "/fingerprints").json
                let heard = try await editor.send(
                    "GET", "/measurements?accessPoint=wifi/00:62:ec:fd:ec:01"
                ).json
                return (
                    (places["fingerprints"] as? [Any])?.isEmpty == false,
                    (heard["measurements"] as? [Any])?.isEmpty == false
                )
            }
            try await eventually("the survey is in the map") {
                try await isMapped() == (true, true)
            }
            func isReviewed(_ version: String) async throws -> Bool {
                let review = try await editor.send("GET", "/review?version=\(version)").json
                let counts = try #require(review["counts"] as? [String: Int], "\(review)")
                return counts["location-without-survey"] == nil
            }
            try await eventually("the review knows of the survey") {
                try await isReviewed("published")
            }
            let cleared = try await editor.send("POST", "/rooms/a/clear", ifMatch: "\"draft-0\"")
            #expect(cleared.status == 200, "\(cleared.text)")
            #expect(try await isReviewed("published"))
            #expect(try await !isReviewed("draft"))
            #expect(try await isMapped() == (true, true))
            let published = try await editor.send("POST", "/publish", ifMatch: "\"draft-1\"")
            #expect(published.json["version"] as? Int == 2, "\(published.text)")
            try await eventually("the survey is gone") { try await isMapped() == (false, false) }
            _ = try await editor.send("POST", "/versions/1/restore", ifMatch: "\"2\"")
            try await eventually("the survey is back") { try await isMapped() == (true, true) }
            #expect(editor.site.campus.stop() == ["whereabouts": 0])
        }

        @Test("A hundred editors of one record lose no update")
        func concurrency() async throws {
            let editors = 100
            let editor = Editor(
                site: try await SmallSite(settings: ["WHEREABOUTS_REQUESTS_PER_SECOND": "10000"]))
            var document = SmallSite.document
            document["locations"] = (0..<editors).map { number -> [String: Any] in
                ["id": "e-\(number)", "floor": "ground", "x": 1.0, "y": 1.0]
            }
            document["connections"] = [Any]()
            document["directory"] = [["id": "list", "kind": "list", "name": "List"]]
            let replaced = try await editor.send("PUT", "", document)
            #expect(replaced.status == 200, "\(replaced.text)")
            let conflicts = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<editors {
                    group.addTask { try await Self.add("e-\(number)", editor) }
                }
                return try await group.reduce(0, +)
            }
            let answer = try await editor.send("GET", "/directory/list?version=draft")
            let places = answer.json["places"] as? [[String: String]] ?? []
            #expect(Set(places.compactMap { $0["location"] }).count == editors)
            #expect(places.count == editors)
            #expect(answer.headers["etag"] == "\"draft-\(1 + editors)\"")
            print("\(editors) editors, \(conflicts) attempts came too late")
            #expect(conflicts > 0)
            #expect(editor.site.campus.stop() == ["whereabouts": 0])
        }

        /// Reads the entry, adds a place to it and sends it back, until nobody came between.
        private static func add(_ location: String, _ editor: Editor) async throws -> Int {
            for conflicts in 0..<10_000 {
                let read = try await editor.send("GET", "/directory/list?version=draft")
                var entry = read.json
                let places = entry["places"] as? [Any] ?? []
                entry["places"] = places + [["location": location]]
                let answer = try await editor.send(
                    "PUT", "/directory/list", entry, ifMatch: read.headers["etag"])
                if answer.status == 200 { return conflicts }
                try #require(answer.status == 412, "\(answer.text)")
            }
            throw CancellationError()
        }
    }
}
