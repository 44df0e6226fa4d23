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
        let document = try #require(bench.bench.sites[whole: SwitchBench.site]?.index.document)
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

    @Test("Who asks again for a result that can't come any more writes nothing to the log")
    func finished() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let answered = try await bench.ask(1)
        let cancelled = try await bench.ask(2)
        let over = try await bench.ask(3)
        for id in [answered, cancelled, over] {
            try await bench.known(id)
        }
        _ = try await bench.result(answered, 0, wait: 0)
        #expect(try await bench.handIn(answered).status == 202)
        let key = ScanRequestKey(
            site: SwitchBench.site, id: cancelled, scanner: ScannerID("pi-1"))
        try await bench.bench.log.append([
            ScanRequestCancelled(request: key, cancelledAt: bench.bench.clock.now)
                .record(source: "/site-editor")
        ])
        try await eventually("both copies know the ends") {
            bench.copies.map(\.board.directory).allSatisfy { directory in
                directory.request(answered).allSatisfy { $0.done != nil }
                    && directory.request(cancelled).allSatisfy { $0.cancelledAt != nil }
            }
        }
        bench.bench.pass(seconds: 31)
        for _ in 0..<3 {
            for id in [answered, cancelled, over] {
                for copy in 0..<2 {
                    let answer = try await bench.result(id, copy, wait: 0)
                    #expect(answer.status == 410, "\(answer.text)")
                }
            }
        }
        // The records of an open request come after those.
        let open = try await bench.ask(4)
        for copy in 0..<2 {
            try await bench.known(open, at: copy)
            _ = try await bench.result(open, copy, wait: 1)
        }
        try await eventually("both copies have said that the asker waits") {
            try await Self.announcements(of: open, bench) == 2
        }
        #expect(try await Self.announcements(of: answered, bench) == 1)
        #expect(try await Self.announcements(of: cancelled, bench) == 0)
        #expect(try await Self.announcements(of: over, bench) == 0)
    }

    @Test("Polls in turns write one record, and the result comes to the copy where he waits")
    func inTurns() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await bench.ask()
        try await bench.known(id)
        let next = try #require(try await bench.poll(wait: 0).json["next"] as? String)
        _ = try await bench.poll(after: next, wait: 0)
        func comesTo(_ copy: Int) async throws {
            try await eventually("both copies know where the result goes") {
                (0..<2).allSatisfy {
                    bench.stands(id, at: $0) {
                        $0.awaitedAt == bench.copies[copy].board.ownAddress
                    }
                }
            }
        }
        _ = try await bench.result(id, 0, wait: 0)
        try await comesTo(0)
        for _ in 0..<10 {
            for copy in 0..<2 { _ = try await bench.result(id, copy, wait: 0) }
        }
        #expect(try await Self.announcements(of: id, bench) == 1)
        async let left = bench.result(id, 1)
        try await comesTo(1)
        // The first copy said so less than a second ago, and says it again later.
        async let answer = bench.result(id, 0)
        try await comesTo(0)
        #expect(try await bench.handIn(id, 1).status == 202)
        #expect(try await answer.status == 200)
        bench.bench.pass(seconds: 2)
        _ = try await left
        #expect(try await Self.announcements(of: id, bench) == 3)
    }

    @Test("Who polls without waiting gets his result at another copy, if the first one is gone")
    func pollsOn() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await Self.polled(bench)
        bench.vanish(0)
        bench.bench.pass(seconds: 3)
        try await eventually("a poll has the result come to the second copy") {
            _ = try await bench.result(id, 1, wait: 0)
            return bench.stands(id, at: 1) {
                $0.awaitedAt == bench.copies[1].board.ownAddress
            }
        }
        async let handed = bench.handIn(id, 1)
        try await eventually("a poll brings the result") {
            let answer = try await bench.result(id, 1, wait: 0)
            let results = answer.json["results"] as? [[String: Any]]
            return results?.first?["state"] as? String == "answered"
        }
        #expect(try await handed.status == 202)
        #expect(try await Self.announcements(of: id, bench) == 2)
    }

    @Test("A result that has arrived stays at its copy, also for who polls another one meanwhile")
    func stays() async throws {
        let bench = try await SwitchBench()
        defer { bench.stop() }
        let id = try await Self.polled(bench)
        #expect(try await bench.handIn(id, 1).status == 202)
        try await eventually("the second copy knows that it has arrived") {
            bench.stands(id, at: 1) { $0.done != nil }
        }
        bench.bench.pass(seconds: 3)
        _ = try await bench.result(id, 1, wait: 0)
        #expect(try await Self.announcements(of: id, bench) == 1)
        let answer = try await bench.result(id, 0, wait: 0)
        let results = answer.json["results"] as? [[String: Any]]
        #expect(results?.first?["state"] as? String == "answered", "\(answer.text)")
    }

    /// A request whose result comes to the first copy, since it was polled there. The second copy
    /// knows so.
    private static func polled(_ bench: SwitchBench) async throws -> EventID {
        let id = try await bench.ask()
        _ = try await bench.result(id, 0, wait: 0)
        try await eventually("the second copy knows where the result goes") {
            bench.stands(id, at: 1) { $0.awaitedAt != nil }
        }
        return id
    }

    private static func announcements(
        of id: EventID, _ bench: SwitchBench
    ) async throws -> Int {
        try await bench.bench.records(of: .scanRequests)
            .compactMap { try? ResultAwaited(record: $0) }
            .count { $0.request.id == id }
    }

    @Test("A request whose scan is not stored is forgotten in an hour, and another one in a day")
    func forgotten() {
        let start = Timestamp(milliseconds: 1_800_000_000_000)
        func ask(
            _ number: UInt64, store: Bool, askedAt: Timestamp, _ directory: ScanRequestDirectory,
            readAt: Timestamp
        ) -> EventID {
            let id = EventID(high: 1, low: number)
            let record = ScanRequested(
                site: SwitchBench.site, id: id, scanner: ScannerID("pi-1"), asker: "token/1",
                store: store, askedAt: askedAt,
                until: askedAt.advanced(byMicroseconds: 20_000_000)
            ).record(source: "/site-editor")
            let stored = StoredRecord(
                topic: record.topic, partition: 0, offset: 0, appendedAtMicroseconds: 0,
                key: record.key, value: record.value, headers: record.headers)
            #expect(directory.apply(stored, at: readAt) != nil)
            return id
        }
        let directory = ScanRequestDirectory()
        let stored = ask(1, store: true, askedAt: start, directory, readAt: start)
        let passing = ask(2, store: false, askedAt: start, directory, readAt: start)
        #expect(directory.request(passing).count == 1)
        let hour = start.advanced(byMicroseconds: 3_620_000_000)
        _ = ask(3, store: false, askedAt: hour, directory, readAt: hour)
        #expect(directory.request(passing).isEmpty && directory.request(stored).count == 1)
        let day = start.advanced(byMicroseconds: 86_420_000_000)
        _ = ask(4, store: true, askedAt: day, directory, readAt: day)
        #expect(directory.request(stored).isEmpty)
        // A copy that starts reads the whole day.
        let late = ScanRequestDirectory()
        #expect(late.request(ask(1, store: true, askedAt: start, late, readAt: hour)).count == 1)
        #expect(late.request(ask(2, store: false, askedAt: start, late, readAt: hour)).isEmpty)
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
