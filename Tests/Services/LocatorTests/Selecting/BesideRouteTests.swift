import Devices
import EventLog
import Events
import HTTPClient
import Positioning
import SampleSites
import ServiceBench
import ServiceHost
import Site
import Synchronization
import Testing
import Wire

@testable import Locator

@Suite("Positions beside the served ones") struct BesideRouteTests {
    private static let site = SampleSite.id

    private let bench: ServiceBench
    private let erased = ErasureDirectory(ErasedDevices())
    private let sites: KnownSites
    private let app: Served
    private let analyst: String

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        let nobody = Neighbour { _, _, _ in
            HTTPClientResponse(status: 404, headers: [:], body: [])
        }
        sites = KnownSites(
            log: bench.log, published: bench.sites, mapStore: nobody,
            notices: bench.notices,
            positioners: [WorkingPositioner(positioner: NearestNeighbours(), option: "knn")])
        sites.state.withLock { $0.announced = [:] }
        let locating = Locating(
            sites: sites, rules: VisitRules(try bench.configuration(LocatorSettings.all)),
            visited: VisitedPartitions(), clock: bench.clock, erased: erased,
            onUnexpected: bench.onUnexpected)
        let hub = StreamHub(
            log: bench.log, notices: bench.notices, limits: .init(streams: 1, streamsOfToken: 1))
        app = try bench.serve(
            LocatorRoutes(
                published: bench.sites, log: bench.log, clock: bench.clock,
                security: bench.security, locating: locating,
                former: FormerSites(sites: sites, siteEditor: nobody),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(bench.absentDatabase),
                seal: MemorySeal(secret: "s")
            ).all)
        analyst = bench.issue(.analyst, site: Self.site)
    }

    /// Appends positions of a device by two positioners, one for each of so many seconds.
    private func append(_ device: String, seconds: Int) async throws {
        for second in 0..<seconds {
            let at = bench.clock.now
            for (index, positioner) in ["one", "two"].enumerated() {
                let position = PositionEstimated(
                    id: EventID(high: 5, low: UInt64(10 * second + index)),
                    scan: EventID(high: 4, low: UInt64(second)), at: at, locatedAt: at,
                    device: DeviceID(device), site: Self.site, siteVersion: 1, state: .lost,
                    late: false, positioner: positioner, radioMapVersion: 1)
                try await bench.log.append([
                    position.record(topic: Topic.positionsBeside.name, source: "/test")
                ])
            }
            bench.pass(seconds: 1)
        }
    }

    private func get(_ query: String, as token: String? = nil) async throws -> Answer {
        try await app.send("GET", "/v1/positions-beside?\(query)", token: token ?? analyst)
    }

    /// The scans of an answer, each with its positioner.
    private func scans(_ answer: Answer) -> [String] {
        answer.text.split(separator: "\n").compactMap { line in
            guard let position = try? PositionEstimated(json: Array(line.utf8)) else { return nil }
            return "\(position.scan.low) \(position.positioner)"
        }
    }

    @Test("Those of one device in a time come in their order, by all positioners or by one")
    func listed() async throws {
        try await append("phone", seconds: 3)
        try await append("other", seconds: 1)
        #expect(
            scans(try await get("device=phone"))
                == ["0 one", "0 two", "1 one", "1 two", "2 one", "2 two"])
        let one = "device=phone&positioner=one"
        #expect(scans(try await get(one)) == ["0 one", "1 one", "2 one"])
        #expect(scans(try await get(one + "&from=2026-11-22T00:00:01Z")) == ["1 one", "2 one"])
        #expect(scans(try await get(one + "&until=2026-11-22T00:00:01Z")) == ["0 one"])
        #expect(scans(try await get("device=nobody")).isEmpty)
    }

    @Test("A positioner and a site that nobody knows are errors, not empty lists")
    func unknown() async throws {
        try await append("phone", seconds: 1)
        let three = try await get("device=phone&positioner=three")
        #expect(three.status == 404 && three.code == "positioner-not-beside")
        #expect(three.text.contains("three") && three.text.contains("none is"), "\(three.text)")
        let everywhere = bench.issue(.administrator)
        let gone = try await get("device=phone&site=elsewhere", as: everywhere)
        #expect(gone.status == 404 && gone.code == "site-unknown", "\(gone.text)")
    }

    @Test("While the announcements are not read, nobody knows who is beside")
    func starting() async throws {
        try await append("phone", seconds: 1)
        sites.state.withLock { $0.announced = nil }
        let three = try await get("device=phone&positioner=three")
        #expect(three.status == 503 && three.code == "starting", "\(three.text)")
        #expect(scans(try await get("device=phone&positioner=one")) == ["0 one"])
    }

    @Test("A site whose document can't be read is still known")
    func unreadable() async throws {
        try await append("phone", seconds: 1)
        bench.sites.replace(with: [:], announced: [Self.site])
        #expect(scans(try await get("device=phone")) == ["0 one", "0 two"])
    }

    @Test("They come in pages, each of which goes on where the one before ended")
    func paged() async throws {
        try await append("phone", seconds: 3)
        var found: [String] = []
        var after = ""
        for _ in 0..<9 {
            let page = try await get("device=phone&limit=2\(after)")
            found += scans(page)
            guard let next = page.headers["whereabouts-next"] else { break }
            after = "&after=\(next)"
        }
        #expect(found == ["0 one", "0 two", "1 one", "1 two", "2 one", "2 two"])
        #expect(try await get("device=phone&after=-1").code == "cursor-malformed")
    }

    @Test("An empty last page is no error, though its positioner is beside no longer")
    func emptyEnd() async throws {
        try await append("phone", seconds: 3)
        let one = "device=phone&positioner=one"
        let page = try await get("\(one)&limit=3")
        #expect(scans(page) == ["0 one", "1 one", "2 one"])
        let next = try #require(page.headers["whereabouts-next"])
        let last = try await get("\(one)&limit=3&after=\(next)")
        #expect(last.status == 200 && scans(last).isEmpty, "\(last.text)")
        #expect(last.headers["whereabouts-next"] == nil)
    }

    @Test("A device sees its own alone, and everybody else names one")
    func callers() async throws {
        try await append("phone", seconds: 1)
        #expect(try await get("").code == "device-missing")
        let phone = bench.issue(.device, site: Self.site, device: DeviceID("phone"))
        #expect(scans(try await get("", as: phone)).count == 2)
        #expect(try await get("device=other", as: phone).code == "device-not-yours")
        let visitor = bench.issue(.visitor, site: Self.site)
        #expect(try await get("device=phone", as: visitor).status == 403)
    }

    @Test("Those of a device that was erased are hidden at once")
    func hidden() async throws {
        try await append("phone", seconds: 2)
        try await append("other", seconds: 1)
        erased.replace(
            with: ErasedDevices([
                DeviceErased(
                    id: EventID(high: 9, low: 1), site: Self.site, device: DeviceID("phone"),
                    at: bench.clock.now)
            ]))
        #expect(scans(try await get("device=phone")).isEmpty)
        #expect(scans(try await get("device=other")).count == 2)
    }

    @Test("The position beside a served one is that of the same scan and of the asked positioner")
    func same() async throws {
        try await append("phone", seconds: 2)
        let besides = BesidePositions(log: bench.log, erased: erased)
        var served = PositionEstimated(
            id: EventID(high: 7, low: 1), scan: EventID(high: 4, low: 1),
            at: ServiceBench.start, locatedAt: ServiceBench.start, device: DeviceID("phone"),
            site: Self.site, siteVersion: 1, state: .lost, late: false, positioner: "served",
            radioMapVersion: 1)
        let found = try await besides.position(beside: served, by: "two")
        #expect(found?.scan == served.scan && found?.positioner == "two")
        #expect(try await besides.position(beside: served, by: "three") == nil)
        served.positioner = "two"
        let made = try await besides.scans(madeAs: served, since: ServiceBench.start)
        #expect(made.map(\.low) == [0, 1])
        served.radioMapVersion = 2
        #expect(try await besides.scans(madeAs: served, since: ServiceBench.start).isEmpty)
    }

    @Test("Where the log has too many records, the newest are read to explain a position")
    func newest() async throws {
        try await append("phone", seconds: 6)
        let besides = BesidePositions(log: bench.log, erased: erased, mostRecords: 4, chunk: 2)
        let phone = DeviceKey(Self.site, DeviceID("phone"))
        let (start, now) = (ServiceBench.start, bench.clock.now)
        let some = try await besides.page(of: phone, from: start, until: now)
        #expect(some.positions.first?.scan.low == 0 && some.next != nil)
        let all = BesidePositions(log: bench.log, erased: erased)
        let whole = try await all.page(of: phone, from: start, until: now)
        let last = try #require(whole.positions.last)
        #expect(last.scan.low == 5)
        #expect(try await besides.before(last)?.scan.low == 4)
        let made = try await besides.scans(madeAs: last, since: ServiceBench.start)
        #expect(made.map(\.low).contains(5) && !made.map(\.low).contains(0))
        #expect(try await all.scans(madeAs: last, since: ServiceBench.start).count == 6)
    }
}
