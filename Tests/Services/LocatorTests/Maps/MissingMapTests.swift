import Devices
import EventLog
import Events
import HTTP
import Positioning
import ServiceHost
import Site
import Testing
import Wire

@testable import Locator

@Suite("A site whose radio map can't be loaded")
struct MissingMapTests {
    private let site = LocatorBench.site

    private func sites(_ host: Host, patience: Duration = .seconds(30)) -> KnownSites {
        LocatorDefinition.knownSites(
            host, [WorkingPositioner(positioner: CountingPositioner(), option: "counting")],
            patience: patience)
    }

    private func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<600 {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    @Test("delays its scans once for each version, half a minute at most, and no other site")
    func patience() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        let sites = sites(host)
        let now = ContinuousClock.now
        try await host.log.append([LocatorBench.announcement(version: 1).record(source: "/test")])
        let running = Task { await sites.run() }
        // Another site without any announced map waits for nothing.
        #expect(try await eventually { sites.isSettled(for: [SiteID("other")], at: now) })
        #expect(try await eventually { sites.lostReason(site) == .mapMissing })
        #expect(sites.awaitsMap(of: site) && !sites.awaitsMap(of: SiteID("other")))
        #expect(!sites.isSettled(for: [site], at: now))
        #expect(!sites.isSettled(for: [site], at: now + .seconds(29)))
        #expect(sites.isSettled(for: [site], at: now + .seconds(30)))
        // The next version may be loadable, so scans wait again.
        try await host.log.append([LocatorBench.announcement(version: 2).record(source: "/test")])
        let later = now + .seconds(100)
        #expect(try await eventually { !sites.isSettled(for: [site], at: later) })
        #expect(sites.isSettled(for: [site], at: later + .seconds(30)))
        host.sites.replace(with: [:])
        #expect(sites.lostReason(site) == .siteMissing)
        running.cancel()
        await running.value
        await host.log.close()
    }

    @Test("answers a client that locates with 503, and not that the device is lost")
    func asked() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        let hub = StreamHub(
            log: host.log, notices: host.notices, limits: .init(streams: 1, streamsOfToken: 1))
        func answer(_ locating: Locating) async throws -> PositionEstimated {
            let routes = LocatorRoutes(
                published: host.sites, log: host.log, clock: host.clock, security: host.security,
                locating: locating,
                former: FormerSites(sites: locating.sites, siteEditor: locating.sites.mapStore),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(host.requiredDatabase()), seal: MemorySeal(secret: "s"))
            let scan = ScanSubmission(at: host.now, receivedAt: host.now)
            return try await routes.position(of: scan, at: site, receivedAt: host.now)
        }
        // The announcements have not been read yet, as for a locator with a wrong secret.
        let waiting = LocatorDefinition.locating(
            host, sites(host), VisitRules(host.configuration))
        let problem = await #expect(throws: Problem.self) { try await answer(waiting) }
        #expect(problem?.status == 503 && problem?.code == "radio-map-missing")
        #expect(try await answer(bench.locating(host, [RoomPositioner()])).site == site)
        await host.log.close()
    }

    @Test("gets lost positions with the reason, while scans of other sites are located")
    func lost() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        let sites = sites(host, patience: .milliseconds(500))
        try await host.log.append([LocatorBench.announcement(version: 1).record(source: "/test")])
        let locating = LocatorDefinition.locating(
            host, sites, VisitRules(host.configuration))
        let processor = LocatorDefinition.processor(
            host, try LocatorSettings(host.configuration), locating
        ) { state, records in
            try await locating.work(&state, records)
        }
        try await bench.append(
            (1...20).map { PositionerMemoryTests.scan($0, 1, at: $0, arrived: $0) })
        let loading = Task { await sites.run() }
        let running = Task { try await processor.run() }
        #expect(try await eventually { try await bench.positions().count == 20 })
        let positions = try await bench.positions()
        #expect(positions.allSatisfy { $0.state == .lost && $0.lostBecause == .mapMissing })
        loading.cancel()
        running.cancel()
        try await running.value
        await loading.value
        await host.log.close()
    }
}

@Suite("A scan that is put back")
struct PutBackScanTests {
    @Test(
        "is appended once with its id, however often it is put back, with a marker for its letter"
    )
    func once() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        try await bench.append([PositionerMemoryTests.scan(1, 1, at: 10, arrived: 10)])
        let stored = try #require(try await bench.records(of: Topic.scans.name).first)
        let letters = host.deadLetters(of: "locator", source: "/test")
        let letter = letters.letter(SetAside(stored, code: "not-json", detail: "it was not read"))
        try await host.log.append([letter, letter])
        let box = try await LetterBox(host.log)
        #expect(box.entries.count == 1)
        var found: DeadLettered?
        try await box.read(Array(box.entries.keys), from: host.log) { found = $1 }
        let kept = try #require(found)
        let whole = try #require(kept.stored)
        #expect(whole.key == stored.key && whole.value == stored.value)
        #expect(whole.headers == stored.headers && whole.offset == stored.offset)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var box = box
                    _ = try await host.putBack(kept, toProcessor: "locator", &box)
                }
            }
            try await group.waitForAll()
        }
        let scans = try await bench.records(of: Topic.scans.name)
        #expect(scans.count == 2)
        #expect(scans.allSatisfy { $0.value == stored.value && $0.key == stored.key })
        #expect(Set(scans.map(\.partition)).count == 1)
        #expect(scans.count { PutBack.time(of: $0) != nil } == 1)
        #expect(try await LetterBox(host.log).entries.values.allSatisfy { $0.putBackAt != nil })
        await host.log.close()
    }
}
