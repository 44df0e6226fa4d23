import Devices
import EventLog
import Events
import Geometry
import LogViews
import Positioning
import Postgres
import Privacy
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite("Groups of beacons in a batch") struct GroupBatchTests {
    private static let region = EventID(high: 6, low: 6)

    private static let document: SiteDocument = {
        var document = LocatorBench.document
        document.beacons = [
            SiteBeacon(
                id: BeaconID("door"), floor: FloorID("ground"), point: [1, 1], uuid: region,
                major: 1, minor: 1, group: BeaconGroupID("hall"))
        ]
        return document
    }()

    private static func scan(_ number: Int, at seconds: Int, isNear: Bool) -> ScanRecorded {
        var scan = PositionerMemoryTests.scan(1, number, at: seconds, arrived: seconds)
        if isNear {
            scan.ble = [BluetoothReading(uuid: region, major: 1, minor: 1, rssi: -60)]
        }
        return scan
    }

    /// The events of groups among the visits.
    private static func groups(_ outputs: [LogRecord]) -> [StoredRecord] {
        outputs.filter { $0.topic == Topic.visits.name }.map { BatchBench.stored($0) }
            .filter { KnownGroupVisit.isIn($0) }
    }

    @Test("They are events of visits, by any positioner, also after another locator takes over")
    func events() throws {
        var first = try BatchBench(CountingPositioner(), Self.document)
        let entering = first.locate(
            BatchBench.stored([
                Self.scan(1, at: 10, isNear: true), Self.scan(2, at: 15, isNear: true),
            ])
        ).records
        let events = Self.groups(entering)
        #expect(events.count == 1)
        let entered = try GroupEntered(record: try #require(events.first))
        #expect(entered.group == BeaconGroupID("hall") && entered.floor == FloorID("ground"))
        #expect(entered.entered == Self.scan(1, at: 10, isNear: true).at)
        let state = entering.filter { $0.topic == Topic.locatorState.name }
        #expect(state.contains { $0.key == Array("small/d-1/groups".utf8) })

        var second = try BatchBench(CountingPositioner(), Self.document)
        for record in state {
            let isRead = second.devices.restore(BatchBench.stored(record))
            #expect(isRead)
        }
        #expect(second.devices.isVisited)
        let leaving = second.locate(
            BatchBench.stored([Self.scan(3, at: 30, isNear: false)])
        ).records
        let left = try Self.groups(leaving).map { try GroupLeft(record: $0) }
        #expect(left.map(\.visit) == [entered.visit])
        #expect(left.first?.left == Self.scan(2, at: 15, isNear: true).at)
        let gone = leaving.first { $0.key == Array("small/d-1/groups".utf8) }
        #expect(gone != nil && gone?.value == nil)
    }

    @Test("An erased device leaves no groups in the state, and its events are covered")
    func erased() throws {
        var bench = try BatchBench(CountingPositioner(), Self.document)
        let scan = Self.scan(1, at: 10, isNear: true)
        let outputs = bench.locate(BatchBench.stored([scan])).records
        let event = DeviceErased(
            id: EventID(high: 7, low: 7), site: scan.site, device: scan.device, at: scan.at)
        let after = bench.locate([
            BatchBench.stored(event.record(topic: Topic.scans.name, source: "/test"), offset: 1)
        ]).records
        #expect(after.contains { $0.key == Array("small/d-1/groups".utf8) && $0.value == nil })
        let entered = try #require(outputs.first { $0.topic == Topic.visits.name })
        let late = BatchBench.stored(entered, atMicroseconds: scan.at.microseconds + 1_000_000)
        #expect(ErasedDevices([event]).covers(late))
    }
}

@Suite(
    "Visits of groups in the table",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct GroupVisitTests {
    private let bench: ServiceBench
    private let pool: PostgresPool
    private let view = VisitsView(daysKept: 30)
    private let app: Served

    init() async throws {
        bench = try await ServiceBench()
        bench.publish()
        pool = try await ServiceBench.database()
        try await pool.migrate(view, schema: view.schema)
        let sites = KnownSites(
            log: bench.log, published: bench.sites,
            mapStore: Neighbour { _, _, _ in throw CancellationError() }, notices: bench.notices,
            positioners: [WorkingPositioner(positioner: NearestNeighbours(), option: "knn")])
        let locating = Locating(
            sites: sites, rules: VisitRules(try bench.configuration(LocatorSettings.all)),
            visited: VisitedPartitions(), clock: bench.clock, onUnexpected: bench.onUnexpected)
        let hub = StreamHub(
            log: bench.log, notices: bench.notices, limits: .init(streams: 1, streamsOfToken: 1))
        app = try bench.serve(
            LocatorRoutes(
                published: bench.sites, log: bench.log, clock: bench.clock,
                security: bench.security, locating: locating,
                former: FormerSites(sites: sites, siteEditor: sites.mapStore),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(pool), seal: MemorySeal(secret: "s")
            ).all)
        try await apply([
            entered(1, "anna", "hall", SampleSite.ground, 0),
            left(1, "anna", "hall", SampleSite.ground, 0, 30),
            entered(2, "bert", "attic", SampleSite.first, 10),
        ])
    }

    private func time(_ seconds: Int64) -> Timestamp {
        ServiceBench.start.advanced(byMicroseconds: seconds * 1_000_000)
    }

    private func entered(
        _ number: UInt64, _ device: String, _ group: String, _ floor: FloorID, _ second: Int64
    ) -> LogRecord {
        GroupEntered(
            visit: EventID(high: 1, low: number), site: SampleSite.id, device: DeviceID(device),
            group: BeaconGroupID(group), floor: floor, entered: time(second)
        ).record(source: "/test")
    }

    private func left(
        _ number: UInt64, _ device: String, _ group: String, _ floor: FloorID, _ second: Int64,
        _ last: Int64
    ) -> LogRecord {
        GroupLeft(
            visit: EventID(high: 1, low: number), site: SampleSite.id, device: DeviceID(device),
            group: BeaconGroupID(group), floor: floor, entered: time(second), left: time(last)
        ).record(source: "/test")
    }

    private func apply(_ records: [LogRecord]) async throws {
        let stored = records.enumerated().map { offset, record in
            StoredRecord(
                topic: record.topic, partition: 0, offset: Int64(offset),
                appendedAtMicroseconds: ServiceBench.start.microseconds, key: record.key,
                value: record.value, headers: record.headers)
        }
        let (pool, view) = (pool, view)
        try await pool.withTransaction { connection in
            let faults = try await view.apply(
                stored, schema: view.schema, connection: connection)
            #expect(faults.isEmpty)
        }
    }

    /// The rows of an answer, as `device group left`.
    private func rows(_ query: String = "", token: String? = nil) async throws -> [String] {
        let answer = try await app.send(
            "GET", "/v1/group-visits?site=\(SampleSite.id)\(query)",
            token: token ?? bench.issue(.analyst, site: SampleSite.id),
            headers: ["accept": "text/csv"])
        #expect(answer.status == 200)
        return answer.text.split(separator: "\r\n").dropFirst().map { line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            return "\(fields[2]) \(fields[3]) \(fields[6].isEmpty ? "in" : "left")"
        }
    }

    @Test("Filters and pages are those of visits, and no visit of a zone is among them")
    func filters() async throws {
        let all = ["anna hall left", "bert attic in"]
        #expect(try await rows() == all)
        #expect(try await rows("&device=anna") == [all[0]])
        #expect(try await rows("&group=attic") == [all[1]])
        #expect(try await rows("&from=\(time(31).text)") == [all[1]])
        #expect(try await rows("&until=\(time(10).text)") == [all[0]])
        #expect(try await rows("&limit=1") == [all[0]])
        let row = try await pool.query("SELECT count(*) AS count FROM visits.visits")[0]
        let zones: Int = try row["count"]
        #expect(zones == 0)
    }

    @Test("An unknown site has no stream; a removed one may be followed")
    func stream() async throws {
        let token = bench.issue(.administrator)
        bench.sites.replace(with: [:])
        func code(_ site: String) async throws -> String? {
            try await app.send("GET", "/v1/group-visits/stream?site=\(site)", token: token).code
        }
        #expect(try await code("nosuch") == "site-unknown")
        // The hub does not run here.
        #expect(try await code(SampleSite.id.text) == "starting")
    }

    @Test("A zone that the site lacks is unknown, unless a visit of it is stored")
    func zones() async throws {
        let former = VisitStarted(
            visit: EventID(high: 1, low: 9), site: SampleSite.id, device: DeviceID("anna"),
            zone: Zone(.room, ZoneID("former")), entered: time(5), confidence: 1)
        try await apply([former.record(source: "/test")])
        func ask(_ query: String, _ token: String? = nil) async throws -> Answer {
            try await app.send(
                "GET", "/v1/visits?site=\(SampleSite.id)&\(query)",
                token: token ?? bench.issue(.analyst, site: SampleSite.id))
        }
        for query in [
            "zone=A", "zone=house", "zone=former", "zone=former&device=nobody", "device=nobody",
        ] {
            #expect(try await ask(query).status == 200, "\(query)")
        }
        let unknown = try await ask("zone=nosuch")
        #expect(unknown.status == 404 && unknown.code == "zone-unknown")
        // Others learn nothing of anna's visit.
        func device(_ id: String) -> String {
            bench.issue(.device, site: SampleSite.id, device: DeviceID(id))
        }
        let ofHouse = bench.issue(
            .analyst, site: SampleSite.id, buildings: [BuildingID("house")])
        for token in [device("bert"), ofHouse] {
            #expect(try await ask("zone=former", token).code == "zone-unknown")
            #expect(try await ask("zone=A", token).status == 200)
        }
        // Nobody knows any more whether the removed zone was for strangers.
        #expect(try await ask("zone=former", device("anna")).code == "zone-unknown")
        bench.sites.replace(with: [:])
        #expect(try await ask("zone=nosuch").status == 200)
    }

    @Test("A record that comes again changes nothing, and an end without its beginning is a row")
    func again() async throws {
        try await apply([
            entered(1, "anna", "hall", SampleSite.ground, 0),
            left(3, "carl", "hall", SampleSite.ground, 20, 25),
        ])
        #expect(try await rows() == ["anna hall left", "bert attic in", "carl hall left"])
    }

    @Test("A device sees itself only, and a grant of some buildings their floors")
    func access() async throws {
        let phone = bench.issue(.device, site: SampleSite.id, device: DeviceID("bert"))
        // A stranger is not told of a group that the site no longer has.
        #expect(try await rows(token: phone) == [])
        var document = SampleSite.index.document
        document.beacons = [
            SiteBeacon(
                id: BeaconID("loft"), floor: SampleSite.first, point: [1, 1],
                uuid: EventID(high: 6, low: 6), major: 1, minor: 1, group: BeaconGroupID("attic"))
        ]
        bench.sites.replace(with: [
            SampleSite.id: PublishedSite(version: 2, index: try SiteIndex(document))
        ])
        #expect(try await rows(token: phone) == ["bert attic in"])
        let other = try await app.send(
            "GET", "/v1/group-visits?device=anna", token: phone)
        #expect(other.status == 403 && other.code == "device-not-yours")
        for (building, count) in [("house", 2), ("elsewhere", 0)] {
            let analyst = bench.issue(
                .analyst, site: SampleSite.id, buildings: [BuildingID(building)])
            #expect(try await rows(token: analyst).count == count)
        }
    }

    @Test("An erased device is in the table no more")
    func erased() async throws {
        let event = DeviceErased(
            id: EventID(high: 9, low: 9), site: SampleSite.id, device: DeviceID("anna"),
            at: time(100))
        try await apply([event.record(topic: Topic.visits.name, source: "/test")])
        #expect(try await rows() == ["bert attic in"])
        let had: Bool = try await pool.query("SELECT had_rows FROM visits.erasures")[0]["had_rows"]
        #expect(had)
    }
}
