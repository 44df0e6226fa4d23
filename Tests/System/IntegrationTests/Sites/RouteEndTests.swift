import Foundation
import Testing

@Suite("Routes over HTTP") struct RouteEndTests {
    private static func ask(_ changes: [String: Any] = [:]) -> [UInt8] {
        let question: [String: Any] = ["from": ["room": "a"], "to": [["room": "b"]]]
        return jsonText(question.merging(changes) { $1 })
    }

    private static func route(
        _ site: SmallSite, _ changes: [String: Any] = [:], token: String? = nil,
        headers: [(name: String, value: String)] = []
    ) async throws -> Answer {
        try await site.campus.send(
            "POST", "/v1/routes", token: token ?? site.visitor, body: ask(changes),
            headers: headers)
    }

    @Test("A route has its figures, lines and words, in the language that is asked for")
    func found() async throws {
        let site = try await SmallSite.shared.value
        try await eventually("the router is ready") {
            try await Self.route(site).status == 200
        }
        let answer = try await Self.route(site, headers: [("accept-language", "fr, cy;q=0.8")])
        #expect(answer.status == 200 && answer.json["found"] as? Bool == true, "\(answer.text)")
        #expect(answer.json["siteVersion"] as? Int == 1)
        #expect(answer.json["language"] as? String == "cy")
        let route = try #require((answer.json["routes"] as? [[String: Any]])?.first)
        #expect(try #require(route["distanceMetres"] as? Double) < 12)
        let seconds = try #require(route["seconds"] as? Double)
        let times = try [answer.json["departAt"], route["arriveAt"]].map { time in
            try Date(
                try #require(time as? String),
                strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        #expect(seconds > 1 && abs(times[1].timeIntervalSince(times[0]) - seconds) < 0.1)
        let instructions = try #require(route["instructions"] as? [[String: Any]])
        #expect(instructions.last?["text"] as? String == "Rydych wedi cyrraedd: b.")
        let legs = try #require(route["legs"] as? [[String: Any]])
        #expect(legs.contains { $0["connection"] as? String == "door-ab" })
        let path = try #require((legs[0]["paths"] as? [[String: Any]])?.first)
        #expect(path["level"] as? String == "G")
        #expect(
            (path["metres"] as? [[Double]])?.count == (path["wgs84"] as? [[Double]])?.count)

        let lines = try await Self.route(site, headers: [("accept", "application/geo+json")])
        #expect(lines.headers["content-type"] == "application/geo+json")
        #expect((lines.json["features"] as? [[String: Any]])?.isEmpty == false, "\(lines.text)")
    }

    @Test("Somebody on the way gets an arrow and cards, and off it another route")
    func guidance() async throws {
        let site = try await SmallSite.shared.value
        func guide(_ x: Double, _ y: Double) async throws -> [String: Any] {
            let question = Self.ask([
                "position": ["floor": "ground", "x": x, "y": y, "radiusMetres": 0.1],
                "headingDegrees": 0, "headingErrorDegrees": 10,
            ])
            let answer = try await site.campus.send(
                "POST", "/v1/guidance", token: site.visitor, body: question)
            #expect(answer.status == 200, "\(answer.text)")
            return answer.json
        }
        let on = try await guide(6, 4)
        #expect(on["rerouted"] as? Bool == false)
        let arrow = try #require(on["arrow"] as? [String: Any])
        #expect(abs(try #require(arrow["bearingDegrees"] as? Double) - 90) < 20, "\(arrow)")
        #expect((on["cards"] as? [[String: Any]])?.first?["name"] as? String == "a")
        let off = try await guide(0.1, 7.9)
        #expect(off["rerouted"] as? Bool == true, "\(off)")
        #expect((off["routes"] as? [[String: Any]])?.count == 1)
    }

    @Test("What can't be answered says which part of the question is wrong")
    func refusals() async throws {
        let site = try await SmallSite.shared.value
        func code(_ changes: [String: Any], token: String? = nil) async throws -> String? {
            try await Self.route(site, changes, token: token).code
        }
        #expect(try await code(["to": [["room": "attic"]]]) == "place-unknown")
        #expect(try await code(["to": [["kind": "pool"]]]) == "place-unknown")
        #expect(try await code(["to": [["directory": "law"]]]) == "place-unknown")
        #expect(try await code(["to": []]) == "field-out-of-range")
        #expect(try await code(["to": [["rooms": "a"]]]) == "place-missing")
        #expect(try await code(["from": NSNull()]) == "field-missing")
        #expect(try await code(["from": ["kind": "pool"]]) == "place-unknown")
        #expect(try await code(["profile": "flying"]) == "profile-unknown")
        #expect(try await code(["avoid": ["dragons"]]) == "avoid-unknown")
        #expect(try await code(["alternatives": 99]) == "field-out-of-range")
        #expect(try await code(["walkingSpeed": -1]) == "field-out-of-range")
        #expect(try await code(["site": "other"]) == "site-not-yours")
        let position = ["position": UUID().uuidString]
        #expect(try await code(["from": position]) == "position-not-yours")
        #expect(
            try await code(["from": position], token: site.surveyor) == "position-unknown")
        let wanted = try await Self.route(site, headers: [("accept", "text/html")])
        #expect(wanted.code == "not-acceptable")
    }

    @Test("A route begins where a device was located, for those who may know where that is")
    func fromPosition() async throws {
        let site = try await SmallSite.shared.value
        let campus = site.campus
        let survey = SmallSite.scan(["place": ["location": "a-1"]])
        #expect(
            try await campus.send(
                "POST", "/v1/surveys", token: site.administrator, body: jsonText(survey)
            ).status == 202)
        var id = ""
        // A map of one survey makes each position uncertain.
        try await eventually("the device has a place", seconds: 60) {
            _ = try await campus.send(
                "POST", "/v1/scans", token: site.device, body: jsonText(SmallSite.scan()))
            let latest = try await campus.send(
                "GET", "/v1/positions/latest", token: site.device)
            let positions = latest.json["positions"] as? [[String: Any]]
            id = positions?.first?["id"] as? String ?? ""
            return positions?.first.map { $0["state"] as? String != "lost" } ?? false
        }
        for from in [["position": id], ["device": "pi-1"]] {
            let answer = try await Self.route(site, ["from": from], token: site.device)
            #expect(answer.json["found"] as? Bool == true, "\(answer.text)")
            #expect(try await Self.route(site, ["from": from]).code == "position-not-yours")
        }
        let one = try await campus.send("GET", "/v1/positions/\(id)", token: site.device)
        #expect(one.json["id"] as? String == id)
        #expect(
            try await Self.route(site, ["from": ["device": "pi-9"]], token: site.surveyor).code
                == "position-unknown")
    }

    @Test("An outage shows in the next answers at once, with who is to blame, and its end too")
    func outage() async throws {
        let site = try await SmallSite()
        let campus = site.campus
        try await eventually("the router is ready") {
            try await Self.route(site).json["found"] as? Bool == true
        }
        func milliseconds(until isFound: Bool) async throws -> Double {
            let began = ContinuousClock.now
            let outcome = isFound ? "back" : "gone"
            try await eventually("the route is \(outcome)", every: .milliseconds(1)) {
                try await Self.route(site).json["found"] as? Bool == isFound
            }
            return (ContinuousClock.now - began) / .milliseconds(1)
        }
        var figures: [Double] = []
        for _ in 0..<5 {
            let report = jsonText([
                "connection": "door-ab", "reason": "stuck", "reportedBy": "porter",
            ])
            let made = try await campus.send(
                "POST", "/v1/outages", token: site.surveyor, body: report)
            let id = try #require(made.json["id"] as? String, "\(made.text)")
            figures.append(try await milliseconds(until: false))
            let answer = try await Self.route(site)
            let reason = try #require(answer.json["reason"] as? [String: Any])
            let barrier = try #require((reason["barriers"] as? [[String: Any]])?.first)
            #expect(barrier["connection"] as? String == "door-ab", "\(answer.text)")
            let rule = (barrier["rules"] as? [[String: Any]])?.first
            #expect(rule?["openedBy"] as? String == "end-of-outage")
            #expect(
                try await campus.send("DELETE", "/v1/outages/\(id)", token: site.surveyor).status
                    == 204)
            figures.append(try await milliseconds(until: true))
        }
        let slowest = figures.max() ?? 0
        print("an outage and its end show in answers after at most \(Int(slowest)) ms")
        #expect(slowest < 5_000)
    }
}
