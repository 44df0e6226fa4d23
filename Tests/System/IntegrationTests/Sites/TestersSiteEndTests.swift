import Foundation
import Testing

extension IntegrationTests {
    /// A draft that testers see, are located in and find ways in, until everyone does.
    @Suite("A testers' site over HTTP", .timeLimit(.minutes(3))) struct TestersSiteEndTests {
        private static let path = "/v1/sites/small"
        private static let shown = "small.test"

        private struct Editor {
            let small: SmallSite
            let tester: String

            init() async throws {
                small = try await SmallSite(
                    settings: [
                        "WHEREABOUTS_MAP_QUIET": "100ms", "WHEREABOUTS_OPEN_SITES": "small",
                    ])
                tester =
                    try await ProgramRun.of(
                        small.campus.program + ["token", "create", "--plain", "--role", "tester"]
                            + ["--site", "small"], environment: small.campus.environment
                    ).successful().lines.last ?? ""
                let (campus, token) = (small.campus, tester)
                try await eventually("the tester is known") {
                    try await campus.send("GET", "/v1/sites", token: token).status == 200
                }
            }

            func send(
                _ method: String, _ path: String, _ body: [String: Any]? = nil,
                token: String? = nil, ifMatch: String? = nil
            ) async throws -> Answer {
                try await small.campus.send(
                    method, path, token: token ?? small.administrator,
                    body: body.map(jsonText) ?? [],
                    headers: ifMatch.map { [("if-match", $0)] } ?? [])
            }

            /// The draft in which room a is the atrium, shown to testers.
            func showAtrium() async throws {
                let text = String(decoding: jsonText(SmallSite.document), as: UTF8.self)
                    .replacing("\"a\"", with: "\"atrium\"")
                let edited = try await small.campus.send(
                    "PUT", "/v1/sites/small?version=draft", token: small.administrator,
                    body: Array(text.utf8), headers: [("if-match", "*")])
                #expect(edited.status == 200, "\(edited.text)")
                let shown = try await send(
                    "POST", "/v1/sites/small/publish", ["audience": "test"], ifMatch: "*")
                #expect(shown.json["testersSite"] as? String == "small.test", "\(shown.text)")
                #expect(shown.json["testersVersion"] as? Int == 1)
                #expect(shown.json["version"] == nil)
            }

            func survey(_ location: String) async throws {
                let survey = SmallSite.scan(["place": ["location": location]])
                let answer = try await send(
                    "POST", "/v1/surveys", survey, token: small.surveyor)
                #expect(answer.status == 202, "\(answer.text)")
                let (campus, token) = (small.campus, small.surveyor)
                try await eventually("there is a radio map") {
                    try await campus.send("GET", "/v1/sites/small/radio-map", token: token)
                        .status == 200
                }
            }
        }

        @Test("Testers see it, others are told that it is not there, and it is in no list")
        func readers() async throws {
            let editor = try await Editor()
            let rooms = "/v1/sites/\(Self.shown)/rooms"
            #expect(try await editor.send("GET", rooms, token: editor.tester).status == 404)
            try await editor.showAtrium()
            for token in [editor.tester, editor.small.administrator] {
                let seen = try await editor.send("GET", "\(rooms)/atrium", token: token)
                #expect(seen.status == 200, "\(seen.text)")
            }
            for token in [editor.small.visitor, editor.small.surveyor, editor.small.device] {
                let answer = try await editor.send("GET", rooms, token: token)
                #expect(answer.status == 404 && answer.code == "site-unknown", "\(answer.text)")
                let never = try await editor.send("GET", "/v1/sites/no.test/rooms", token: token)
                #expect(
                    never.text.replacing("no.test", with: Self.shown) == answer.text, "the same")
            }
            #expect(try await editor.small.campus.send("GET", rooms).status == 401)
            let found = try await editor.send(
                "GET", "/v1/sites/\(Self.shown)/search?q=atrium", token: editor.tester)
            #expect((found.json["results"] as? [Any])?.count == 1, "\(found.text)")
            let document = try await editor.send("GET", "/v1/sites/\(Self.shown)")
            let borrows = document.json["borrows"] as? [String: Any]
            #expect(borrows?["site"] as? String == "small", "\(document.text)")
            for token in [editor.tester, editor.small.administrator] {
                let list = try await editor.send("GET", "/v1/sites", token: token)
                #expect(!list.text.contains(Self.shown), "\(list.text)")
            }
            // One that names no site is still at the only one.
            #expect(try await editor.send("GET", "/v1/outages").status == 200)
            for (method, path) in [
                ("PUT", "/v1/sites/small.test"), ("POST", "/v1/sites/small.test/publish"),
                ("PUT", "/v1/sites/new.test"), ("POST", "/v1/sites/small.test/undo"),
                ("POST", "/v1/sites/new.test/imports?format=geojson"),
                ("GET", "/v1/sites/small.test/radio-map"),
            ] {
                let body = method == "GET" ? nil : SmallSite.document
                let refused = try await editor.send(method, path, body, ifMatch: "*")
                #expect(
                    refused.status == 403 && refused.code == "testers-site",
                    "\(method) \(path): \(refused.text)")
            }
            let lent = SmallSite.document.merging([
                "borrows": ["site": "other", "since": "2026-11-21T08:00:00.000Z"]
            ]) { $1 }
            let refused = try await editor.send("PUT", Self.path, lent)
            #expect(refused.code == "site-invalid", "\(refused.text)")
            let ended = try await editor.send("DELETE", "/v1/sites/\(Self.shown)")
            #expect(ended.status == 204, "\(ended.text)")
            #expect(try await editor.send("GET", rooms, token: editor.tester).status == 404)
            #expect(try await editor.send("DELETE", "/v1/sites/\(Self.shown)").status == 404)
        }

        @Test("A tester is located and led in the draft's rooms, and all of it goes with the test")
        func located() async throws {
            let editor = try await Editor()
            try await editor.survey("a-1")
            try await editor.showAtrium()
            let order = ["role": "device", "site": Self.shown, "device": "pi-1"]
            let issued = try await editor.send("POST", "/v1/tokens", order)
            let phone = try #require(issued.json["token"] as? String, "\(issued.text)")
            let scan = SmallSite.scan(["site": Self.shown])
            try await eventually("it is located with the borrowed map") {
                let answer = try await editor.send("POST", "/v1/locate", scan, token: editor.tester)
                return answer.json["room"] as? String == "atrium"
            }
            let sent = try await editor.send("POST", "/v1/scans", scan, token: phone)
            #expect(sent.status == 202, "\(sent.text)")
            let latest = "/v1/positions/latest?site=\(Self.shown)"
            try await eventually("the telephone's position is there") {
                let answer = try await editor.send("GET", latest, token: phone)
                return answer.text.contains("\"atrium\"")
            }
            let elsewhere = try await editor.send("GET", "/v1/positions/latest?site=small")
            #expect(!elsewhere.text.contains("atrium"), "\(elsewhere.text)")

            let survey = SmallSite.scan(["site": Self.shown, "place": ["location": "a-1"]])
            let refused = try await editor.send("POST", "/v1/surveys", survey)
            #expect(refused.status == 403, "\(refused.text)")
            #expect(refused.text.contains("testers-site"), "\(refused.text)")
            let hidden = try await editor.send(
                "POST", "/v1/surveys", survey, token: editor.small.surveyor)
            #expect(hidden.status == 404, "\(hidden.text)")

            let question: [String: Any] = [
                "site": Self.shown, "from": ["room": "atrium"], "to": [["room": "b"]],
            ]
            func isFound() async throws -> Bool? {
                try await editor.send("POST", "/v1/routes", question, token: editor.tester)
                    .json["found"] as? Bool
            }
            try await eventually("there is a way") { try await isFound() == true }
            let visitor = try await editor.send(
                "POST", "/v1/routes", question, token: editor.small.visitor)
            #expect(visitor.status == 404, "\(visitor.text)")
            let outage = try await editor.send(
                "POST", "/v1/outages",
                [
                    "site": Self.shown, "connection": "door-ab", "reason": "paint",
                    "reportedBy": "test",
                ])
            #expect(outage.status == 201, "\(outage.text)")
            try await eventually("the way is closed") { try await isFound() == false }

            let published = try await editor.send(
                "POST", "\(Self.path)/publish", ifMatch: "*")
            #expect(published.json["version"] as? Int == 2, "\(published.text)")
            try await eventually("every service has forgotten it") {
                let position = try await editor.send("GET", latest, token: phone)
                let route = try await editor.send("POST", "/v1/routes", question)
                let more = try await editor.send("POST", "/v1/scans", scan, token: phone)
                return position.status == 404 && route.status == 404 && more.status == 404
            }
            try await eventually("its rows are gone") {
                let left = try await editor.small.campus.psql(
                    """
                    SELECT site FROM locator.positions WHERE site = 'small.test'
                    UNION ALL SELECT site FROM locator.latest_positions WHERE site = 'small.test'
                    UNION ALL SELECT site FROM visits.visits WHERE site = 'small.test'
                    """)
                return left.allSatisfy(\.isEmpty)
            }
            let seen = try await editor.send(
                "GET", "\(Self.path)/rooms/atrium", token: editor.small.visitor)
            #expect(seen.status == 200, "\(seen.text)")
            #expect(editor.small.campus.stop() == ["whereabouts": 0])
        }
    }
}
