import EventLog
import Events
import ScanSwitch
import ServiceBench
import ServiceHost
import Site
import Testing
import Wire

@testable import ScanIngest

@Suite("What strangers can't do to the scan switch") struct SwitchLimitsTests {
    @Test("An asker waits 32 times at once, and others wait beside him")
    func waits() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask()
        try await bench.known(id)
        let (most, more) = (AskersWait.mostOfCaller, 8)
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<most + more {
                group.addTask { try await bench.result(id, wait: 30) }
            }
            // No wait ends before the result is here.
            for _ in 0..<more {
                let refused = try await group.next()
                #expect(refused?.status == 429 && refused?.code == "too-many-at-once")
                #expect(refused?.headers["retry-after"] == "1")
            }
            let other = try await bench.result(id, token: bench.other)
            #expect(other.code == "scan-request-not-yours", "\(other.text)")
            #expect(try await bench.handIn(id).status == 202)
            for try await answer in group {
                #expect(answer.status == 200, "\(answer.text)")
            }
        }
        #expect(try await bench.result(id, wait: 0).status == 200, "the seats are free again")
    }

    @Test("A wait for an unknown id of another time ends at once")
    func unknown() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let now = bench.bench.clock.now
        for seconds in [-11, 11, -86_400] as [Int64] {
            let time = now.advanced(byMicroseconds: seconds * 1_000_000)
            let id = EventID(millisecondsSinceEpoch: time.milliseconds, random: 1, 1)
            #expect(!id.isRecent(at: now))
            let began = ContinuousClock.now
            #expect(try await bench.result(id).code == "scan-request-unknown")
            #expect(ContinuousClock.now - began < Duration.seconds(2))
        }
        let recent = EventID(millisecondsSinceEpoch: now.milliseconds, random: 1, 1)
        #expect(recent.isRecent(at: now))
        #expect(try await bench.result(recent).code == "scan-request-unknown")
    }

    @Test("A request that comes while its asker waits is found")
    func onTheWay() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let now = bench.bench.clock.now
        let id = EventID(millisecondsSinceEpoch: now.milliseconds, random: 77, 1)
        async let result = bench.result(id, wait: 0)
        #expect(try await bench.ask() == id)
        let answer = try await result
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("Each asker gets the results of his own site, where two have asked under one id")
    func twoSites() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let elsewhere = SiteID("other")
        bench.bench.publish(as: elsewhere)
        let stranger = bench.bench.issue(.surveyor, site: elsewhere)
        let asker = try #require(bench.bench.tokens.caller(forBearer: stranger)?.id)
        let id = try await bench.ask()
        let now = bench.bench.clock.now
        try await bench.bench.log.append([
            ScanRequested(
                site: elsewhere, id: id, scanner: ScannerID("pi-1"), asker: asker, store: false,
                askedAt: now, until: now.advanced(byMicroseconds: 20_000_000)
            ).record(source: "/site-editor")
        ])
        try await eventually("both requests are known") {
            bench.copies[0].board.directory.request(id).count == 2
        }
        async let own = bench.result(id)
        #expect(try await bench.handIn(id).status == 202)
        let results = try #require(try await own.json["results"] as? [[String: Any]])
        #expect(results.count == 1 && results[0]["state"] as? String == "answered")
        let other = try await bench.result(id, wait: 0, token: stranger)
        let theirs = try #require(other.json["results"] as? [[String: Any]], "\(other.text)")
        #expect(theirs.count == 1 && theirs[0]["state"] as? String == "waiting")
        #expect(!other.text.contains("02:00:00:00:00:01"))
    }

    @Test("A surveyor does not answer a request in a scanner's place")
    func surveyor() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let document = try #require(bench.bench.sites[SwitchBench.site]?.index.document)
        let place = SurveyPlace.location(document.locations[0].id)
        let id = try await bench.ask(store: true, place: place)
        try await bench.known(id)
        let app = bench.copies[0].app
        func send(_ number: Int, _ token: String) async throws -> Answer {
            let members =
                #", "site": "\#(SwitchBench.site)", "device": "pi-1", "request": "\#(id)""#
            return try await app.send(
                "POST", "/v1/surveys", token: token, body: SwitchBench.scan(number, members))
        }
        let administrator = bench.bench.issue(.administrator)
        for (number, token) in [bench.other, bench.asker, administrator].enumerated() {
            let refused = try await send(number + 1, token)
            #expect(refused.status == 403, "\(refused.text)")
            #expect(refused["rejected.0.code"] == "scanner-not-yours", "\(refused.text)")
        }
        #expect(try await bench.bench.records(of: .surveyRecords).isEmpty)
        #expect(try await send(9, bench.scanner).status == 202)
    }

    @Test("A scanner is told of the newest 64 cancelled requests")
    func cancelled() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let count = ScanRequestLimits.cancelledTold + 6
        var ids: [EventID] = []
        // The later ones have the smaller ids: askers choose them.
        for number in (1...count).reversed() { ids.append(try await bench.ask(UInt64(number))) }
        let now = bench.bench.clock.now
        for (number, id) in ids.enumerated() {
            let key = ScanRequestKey(site: SwitchBench.site, id: id, scanner: ScannerID("pi-1"))
            let moment = now.advanced(byMicroseconds: Int64(number) * 1_000)
            try await bench.bench.log.append([
                ScanRequestCancelled(request: key, cancelledAt: moment)
                    .record(source: "/site-editor")
            ])
        }
        let last = try #require(ids.last)
        try await eventually("all cancellations are known") {
            bench.copies[0].board.directory.request(last).allSatisfy { $0.cancelledAt != nil }
                && !bench.copies[0].board.directory.request(last).isEmpty
        }
        let told = try await bench.poll(wait: 0).json["cancelled"] as? [String]
        let newest = ids.suffix(ScanRequestLimits.cancelledTold)
        #expect(told == newest.sorted().map(\.description))
    }
}
