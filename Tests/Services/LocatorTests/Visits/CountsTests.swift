import Devices
import EventLog
import Events
import LogViews
import MemoryLog
import Positioning
import Postgres
import Privacy
import SampleSites
import ServiceBench
import ServiceHost
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Counts of visitors",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct CountsTests {
    private static let minute: Int64 = 60_000_000
    private static let room = Zone(.room, ZoneID("room"))
    private static let hall = Zone(.building, ZoneID("hall"))

    private let bench: ServiceBench
    private let pool: PostgresPool
    private let visits = VisitsView(daysKept: 30)
    /// An hour and a half before now, at a quarter.
    private let start: QuarterHour

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await pool.migrate(visits, schema: visits.schema)
        _ = try await pool.withConnection { try await ClosedCounts.migrator.migrate($0) }
        start = QuarterHour(
            containing: bench.clock.now.advanced(byMicroseconds: -150 * Self.minute))
    }

    private func moment(_ minutes: Int64) -> Timestamp {
        start.begins.advanced(byMicroseconds: minutes * Self.minute)
    }

    /// Stays of devices in a zone, from and until these minutes after the first quarter's begin.
    private func stay(
        _ devices: Range<Int>, in zone: Zone, _ from: Int64, _ until: Int64?
    ) async throws {
        for device in devices {
            let visit = UniqueVisit.next()
            var events: [LogRecord] = []
            let id = DeviceID("d-\(device)")
            events.append(
                VisitStarted(
                    visit: visit, site: SampleSite.id, device: id, zone: zone,
                    entered: moment(from), confidence: 1
                ).record(source: "/test"))
            if let until {
                events.append(
                    VisitEnded(
                        visit: visit, site: SampleSite.id, device: id, zone: zone,
                        entered: moment(from), left: moment(until), confidence: 1, reason: .left
                    ).record(source: "/test"))
            }
            let records = events.map {
                StoredRecord(
                    topic: $0.topic, partition: 0, offset: 0,
                    appendedAtMicroseconds: bench.clock.now.microseconds, key: $0.key,
                    value: $0.value, headers: $0.headers)
            }
            try await pool.withTransaction { connection in
                let faults = try await visits.apply(
                    records, schema: visits.schema, connection: connection)
                #expect(faults.isEmpty)
            }
        }
    }

    private func close(_ quarters: Int64) async throws {
        let end = QuarterHour(containing: moment(quarters * 15))
        while try await ClosedCounts(pool: pool).closeDay(before: end) {}
    }

    private func counts(_ query: String = "", role: TokenRole = .aggregate) async throws -> Answer {
        let sites = KnownSites(
            log: bench.log, published: bench.sites,
            mapStore: Neighbour { _, _, _ in throw CancellationError() }, notices: bench.notices,
            positioners: [WorkingPositioner(positioner: NearestNeighbours(), option: "knn")])
        let locating = Locating(
            sites: sites, rules: VisitRules(try bench.configuration(LocatorSettings.all)),
            visited: VisitedPartitions(), clock: bench.clock, onUnexpected: bench.onUnexpected)
        let hub = StreamHub(
            log: bench.log, notices: bench.notices, limits: .init(streams: 1, streamsOfToken: 1))
        let app = try bench.serve(
            LocatorRoutes(
                published: bench.sites, log: bench.log, clock: bench.clock,
                security: bench.security, locating: locating,
                former: FormerSites(
                    sites: sites,
                    siteEditor: Neighbour { _, _, _ in throw CancellationError() }),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(pool),
                seal: MemorySeal(secret: "s")
            ).all)
        return try await app.send(
            "GET", "/v1/counts?site=\(SampleSite.id)\(query)",
            token: bench.issue(role, site: SampleSite.id), headers: ["accept": "text/csv"])
    }

    private func rows(_ answer: Answer) -> [String] {
        answer.text.split(separator: "\r\n").dropFirst().map { line in
            let fields = line.split(separator: ",")
            return "\(fields[2]) \(fields[3].dropFirst(11).prefix(5)) \(fields[5])"
        }
    }

    private func time(_ minutes: Int64) -> String { moment(minutes).text }

    @Test("Each device counts once in every quarter of its stay, and small counts are not there")
    func quarters() async throws {
        // Six come at the fifth minute and leave in the second quarter; one of them comes back.
        try await stay(0..<6, in: Self.room, 5, 20)
        try await stay(0..<1, in: Self.room, 25, 28)
        // Four never show; five stay on.
        try await stay(10..<14, in: Self.hall, 0, 14)
        try await stay(20..<25, in: Self.hall, 40, nil)
        try await close(4)
        let answer = try await counts()
        func clock(_ minutes: Int64) -> Substring { time(minutes).dropFirst(11).prefix(5) }
        #expect(
            rows(answer) == [
                "room \(clock(0)) 6", "room \(clock(15)) 6", "hall \(clock(30)) 5",
                "hall \(clock(45)) 5",
            ], "\(answer.text)")
    }

    @Test("A zone that the site lacks is unknown, unless the answer has a count of it")
    func unknownZone() async throws {
        try await stay(0..<5, in: Self.hall, 0, 10)
        try await close(1)
        #expect(try await rows(counts("&zone=hall")).count == 1)
        #expect(try await counts("&zone=A").status == 200)
        for query in ["&zone=hall&from=\(time(600))", "&zone=nosuch"] {
            let unknown = try await counts(query)
            #expect(unknown.status == 404 && unknown.code == "zone-unknown", "\(unknown.text)")
        }
    }

    @Test("A closed count stays as it is, also when a visit comes late")
    func closed() async throws {
        try await stay(0..<5, in: Self.room, 1, 10)
        try await close(1)
        try await stay(5..<9, in: Self.room, 1, 20)
        try await close(1)
        try await close(2)
        let rows = rows(try await counts())
        #expect(rows.count == 1 && rows[0].hasSuffix(" 5"), "\(rows)")
    }

    @Test("Pages join to the whole list")
    func pages() async throws {
        try await stay(0..<5, in: Self.room, 0, 44)
        try await stay(0..<5, in: Self.hall, 0, 44)
        try await close(3)
        let all = rows(try await counts())
        #expect(all.count == 6)
        var (joined, after) = ([String](), "")
        for _ in 0..<4 {
            let page = try await counts("&limit=2\(after)")
            joined += rows(page)
            guard let next = page.headers["whereabouts-next"] else { break }
            after = "&after=\(next)"
        }
        #expect(joined == all)
        #expect(rows(try await counts("&zone=hall&from=\(time(15))&until=\(time(30))")).count == 1)
    }

    @Test(
        "Nobody chooses a time within a quarter or a device",
        arguments: [
            "&from=2026-11-21T08:07:00.000Z", "&until=2026-11-21T08:00:00.001Z",
        ])
    func free(_ query: String) async throws {
        let answer = try await counts(query)
        #expect(answer.status == 400 && answer.code == "counts-are-of-all", "\(answer.text)")
        #expect(try await counts("&after=x").code == "cursor-malformed")
        #expect(try await counts("&device=a").code == "field-unknown")
    }

    @Test("A visitor's token sees no counts", arguments: [TokenRole.visitor, .contributor])
    func others(_ role: TokenRole) async throws {
        #expect(try await counts(role: role).status == 403)
    }

    @Test("Until the table is there, the answer is to come back later")
    func starting() async throws {
        try await pool.query("DROP SCHEMA locator_counts CASCADE")
        let answer = try await counts()
        #expect(answer.status == 503 && answer.headers["retry-after"] != nil, "\(answer.text)")
    }

    @Test("Counting waits until all scans are located and all visits are rows")
    func waits() async throws {
        try await stay(0..<5, in: Self.room, 0, 10)
        var scan = LogRecord(topic: Topic.scans.name, key: [1], value: [2])
        scan.partition = 0
        try await bench.log.append([scan])
        let closer = QuarterCloser(
            log: bench.log, pool: pool, visits: visits, clock: bench.clock)
        let closing = Task { try await closer.closeWhatIsDue() }
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await ClosedCounts(pool: pool).closedUntil() == nil)
        try await bench.log.moveGroup("locator", to: [TopicPartition(Topic.scans.name, 0): 1])
        try await closing.value
        let closed = try #require(try await ClosedCounts(pool: pool).closedUntil())
        #expect(closed.begins > moment(30))
        #expect(rows(try await counts()).count == 1)
    }
}

private enum UniqueVisit {
    static func next() -> EventID {
        EventID(high: UInt64.random(in: 0...UInt64.max), low: UInt64.random(in: 0...UInt64.max))
    }
}
