import EventLog
import Events
import ScanSwitch
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import ScanIngest

@Suite("The scan switch") struct ScanSwitchTests {
    @Test("A scanner gets a request while it waits, and the asker its scan and position")
    func passing() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let empty = try await bench.poll(wait: 0)
        let next = try #require(empty.json["next"] as? String)
        async let waiting = bench.poll(after: next)
        let id = try await bench.ask()
        async let result = bench.result(id, 1)
        let requests = try #require(try await waiting.json["requests"] as? [[String: Any]])
        #expect(requests.map { $0["id"] as? String } == [id.description])
        #expect(requests[0]["store"] as? Bool == false)
        let answer = try await bench.handIn(id, 0)
        #expect(answer.status == 202, "\(answer.text)")
        let answered = try await result
        #expect(answered.status == 200, "\(answered.text)")
        #expect(answered.json["state"] as? String == "done")
        let results = try #require(answered.json["results"] as? [[String: Any]])
        #expect(results[0]["state"] as? String == "answered")
        #expect((results[0]["scan"] as? [String: Any])?["device"] as? String == "pi-1")
        #expect((results[0]["position"] as? [String: Any])?["state"] as? String == "located")
        // Nothing of the scan is on the log.
        for topic in Topic.allCases {
            for record in try await bench.bench.records(of: topic) {
                let value = String(decoding: record.value ?? [], as: UTF8.self)
                #expect(!value.contains("02:00:00:00:00:01"), "\(topic)")
            }
        }
    }

    @Test("A retry is delivered, and another scan for the same request is refused")
    func duplicates() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask()
        async let result = bench.result(id, 0)
        #expect(try await bench.handIn(id, 0).status == 202)
        #expect(try await result.status == 200)
        try await eventually("both copies know that it is done") {
            (0..<2).allSatisfy { bench.stands(id, at: $0) { $0.done != nil } }
        }
        #expect(try await bench.handIn(id, 1).status == 202)
        #expect(try await bench.handIn(id, 1, scan: 2).code == "scan-request-answered")
        // A broken connection asks once more.
        #expect(try await bench.result(id, 0, wait: 0).status == 200)
    }

    @Test("A result whose asker went to another copy follows him")
    func follows() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask()
        _ = try await bench.result(id, 0, wait: 0)
        #expect(try await bench.handIn(id, 0).status == 202)
        let answer = try await bench.result(id, 1)
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("The result is dropped if the copy where the asker waited is gone")
    func gone() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask()
        _ = try await bench.result(id, 1, wait: 0)
        bench.vanish(1)
        let refused = try await bench.handIn(id, 0)
        #expect(refused.code == "nobody-waits", "\(refused.text)")
        let answer = try await bench.result(id, 0)
        #expect(answer.code == "result-dropped", "\(answer.text)")
    }

    @Test("A scanner that does not poll is away, and one that has the request is not")
    func away() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask()
        bench.bench.pass(seconds: 3)
        let away = try await bench.result(id, wait: 5)
        #expect(away.code == "scanner-away", "\(away.text)")
        let next = try #require(try await bench.poll(wait: 0).json["next"] as? String)
        _ = try await bench.poll(after: next, wait: 0)
        try await eventually("the request is taken") {
            bench.stands(id, at: 0, \.isTaken)
        }
        let taken = try await bench.result(id, wait: 0)
        #expect((taken.json["results"] as? [[String: Any]])?[0]["state"] as? String == "taken")
    }

    @Test("A newer poll of a scanner ends the older one")
    func newerPoll() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let next = try #require(try await bench.poll(wait: 0).json["next"] as? String)
        async let first = bench.poll(after: next)
        async let second = bench.poll(after: next)
        // Whichever comes later ends the other, and is itself ended by the third.
        try await eventually("one poll has ended the other") {
            _ = try await bench.poll(after: next, wait: 0)
            return true
        }
        let codes = try await [first.code, second.code]
        #expect(codes.contains("newer-poll"))
    }

    @Test("Only who asked may wait, and only the scanner itself may poll and answer")
    func callers() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask()
        let other = try await bench.result(id, token: bench.other)
        #expect(other.code == "scan-request-not-yours")
        let foreign = bench.bench.issue(
            .scanner, site: SwitchBench.site, device: DeviceID("pi-2"))
        let app = bench.copies[0].app
        #expect(
            try await app.send("GET", "/v1/scanners/pi-1/requests", token: foreign).code
                == "scanner-not-yours")
        // Until then this copy might be behind.
        bench.bench.pass(seconds: 11)
        let answer = try await app.send(
            "POST", "/v1/scan-requests/\(id)/result", token: foreign, body: SwitchBench.scan(1))
        #expect(answer.code == "scan-request-unknown", "\(answer.text)")
        let handed = try await app.send(
            "POST", "/v1/scan-requests/\(id)/handed-result", token: bench.scanner, body: "{}")
        #expect(handed.status == 403)
    }

    @Test("A scanner's survey has the place and the author of its request, and needs one")
    func survey() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let app = bench.copies[0].app
        let without = try await app.send(
            "POST", "/v1/surveys", token: bench.scanner,
            body: SwitchBench.scan(1, #", "place": {"location": "d-1"}"#))
        #expect(without.status == 403, "\(without.text)")
        #expect(without.text.contains("use a surveyor's token"))
        let location = try #require(
            bench.bench.sites[whole: SwitchBench.site]?.index.document.locations)
        let place = SurveyPlace.location(location[0].id)
        let id = try await bench.ask(2, store: true, place: place)
        async let result = bench.result(id, 1)
        let sent = try await app.send(
            "POST", "/v1/surveys", token: bench.scanner,
            body: SwitchBench.scan(2, #", "request": "\#(id)""#))
        #expect(sent.status == 202, "\(sent.text)")
        let records = try await bench.bench.records(of: .surveyRecords)
        let survey = try SurveyRecorded(record: try #require(records.first))
        #expect(survey.place == place)
        #expect(survey.author == bench.bench.tokens.caller(forBearer: bench.asker)?.id)
        let answer = try await result
        let results = try #require(answer.json["results"] as? [[String: Any]])
        #expect(results[0]["state"] as? String == "stored")
        #expect(results[0]["scanId"] as? String == survey.scan.id.description)
        // The survey can't be had as a scan that passes.
        #expect(try await bench.handIn(id, 0).code == "scan-request-differs")
    }

    @Test(
        "A stored scan that came before its asker has a position, at both copies", arguments: 0...1)
    func storedBefore(copy: Int) async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask(store: true)
        let sent = try await bench.copies[0].app.send(
            "POST", "/v1/scans", token: bench.scanner,
            body: SwitchBench.scan(1, #", "request": "\#(id)""#))
        #expect(sent.status == 202, "\(sent.text)")
        try await eventually("both copies know that it is stored") {
            (0..<2).allSatisfy { bench.stands(id, at: $0) { $0.done != nil } }
        }
        let answer = try await bench.result(id, copy)
        let results = try #require(answer.json["results"] as? [[String: Any]])
        #expect(results[0]["state"] as? String == "stored")
        let position = results[0]["position"] as? [String: Any]
        #expect(position?["state"] as? String == "located", "\(answer.text)")
    }

    @Test("A cancelled request is told to the scanner, and its scan is refused")
    func cancelled() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask()
        let next = try #require(try await bench.poll(wait: 0).json["next"] as? String)
        async let waiting = bench.poll(after: next)
        let key = ScanRequestKey(site: SwitchBench.site, id: id, scanner: ScannerID("pi-1"))
        try await bench.bench.log.append([
            ScanRequestCancelled(request: key, cancelledAt: bench.bench.clock.now)
                .record(source: "/site-editor")
        ])
        let told = try await waiting
        #expect(told.json["cancelled"] as? [String] == [id.description])
        #expect(try await bench.result(id).code == "scan-request-cancelled")
        #expect(try await bench.handIn(id).code == "scan-request-cancelled")
    }
}
