import Devices
import EventLog
import Events
import Geometry
import Positioning
import SampleSites
import ServiceBench
import ServiceHost
import ServiceRuntime
import Site
import Testing
import Wire

@testable import Locator

@Suite("Batteries of beacons in the locator") struct BatteryTests {
    private static let region = EventID(high: 6, low: 6)

    private static func beacon(_ id: String, _ minor: Int?, floor: FloorID) -> SiteBeacon {
        SiteBeacon(
            id: BeaconID(id), floor: floor, point: [1, 1], uuid: region, major: 1, minor: minor,
            batteryByte: .high)
    }

    private static func stored(_ record: LogRecord) -> StoredRecord { BatchBench.stored(record) }

    private static func level(
        _ beacon: String, _ percent: Int, at site: SiteID = SampleSite.id, seconds: Int64 = 0
    ) -> BeaconBatteryReported {
        BeaconBatteryReported(
            site: site, beacon: BeaconID(beacon), percent: percent,
            at: ServiceBench.start.advanced(byMicroseconds: seconds * 1_000_000))
    }

    @Test("A scan's battery is one event without the device, and only once the topic was read")
    func event() throws {
        var document = LocatorBench.document
        document.beacons = [Self.beacon("door", 1, floor: FloorID("ground"))]
        let directory = BatteryDirectory()
        var bench = try BatchBench(CountingPositioner(), document, batteries: directory)
        func records(_ number: Int) -> [LogRecord] {
            var scan = PositionerMemoryTests.scan(1, number, at: number, arrived: number)
            scan.ble = [BluetoothReading(uuid: Self.region, major: 0x5001, minor: 1, rssi: -60)]
            return bench.locate(BatchBench.stored([scan])).records
                .filter { $0.topic == Topic.beaconBatteries.name }
        }
        #expect(records(1).isEmpty)
        directory.markReady()
        let record = try #require(records(2).first)
        #expect(record.key == Array("small/door".utf8))
        let event = try BeaconBatteryReported(record: Self.stored(record))
        #expect(event.percent == 80)
        #expect(!String(decoding: record.value ?? [], as: UTF8.self).contains("d-1"))
        #expect(records(3).isEmpty)
    }

    @Test("The list has beacons of the site with records of their own, lowest first, by pages")
    func list() async throws {
        let bench = try await ServiceBench()
        var document = SampleSite.index.document
        document.beacons = [
            Self.beacon("door", 1, floor: SampleSite.ground),
            Self.beacon("hall", 2, floor: SampleSite.first),
            Self.beacon("shop", 3, floor: SampleSite.ground),
            Self.beacon("silent", 4, floor: SampleSite.ground),
            Self.beacon("all", nil, floor: SampleSite.ground),
        ]
        bench.publish(try SiteIndex(document))
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
                former: FormerSites(sites: sites, siteEditor: sites.mapStore),
                stream: EventStream(hub: hub), groupStream: EventStream(hub: hub),
                batteryStream: EventStream(hub: hub),
                stored: StoredPositions(bench.absentDatabase), seal: MemorySeal(secret: "s")
            ).all)
        let path = "/v1/sites/\(SampleSite.id)/beacon-batteries"
        let editor = bench.issue(.administratorOfSite, site: SampleSite.id)
        func send(_ query: String = "", token: String? = nil) async throws -> Answer {
            try await app.send("GET", path + query, token: token ?? editor)
        }
        #expect(try await send().status == 503, "the topic has not been read")
        for level in [
            Self.level("door", 80), Self.level("hall", 15, seconds: 20),
            // An older level, as of a spool.
            Self.level("hall", 90, seconds: 10), Self.level("shop", 80),
            Self.level("all", 1), Self.level("removed", 1),
        ] {
            let isRead = locating.batteries.apply(Self.stored(level.record(source: "/test")))
            #expect(isRead)
        }
        locating.batteries.markReady()
        let whole = try await send()
        #expect(whole["batteries.0.beacon"] == "hall" && whole["batteries.0.percent"] == "15")
        #expect(whole["batteries.0.floor"] == SampleSite.first.text)
        #expect(whole["batteries.0.at"] == Self.level("hall", 15, seconds: 20).at.text)
        #expect(whole["batteries.1.beacon"] == "door" && whole["batteries.2.beacon"] == "shop")
        #expect(whole["batteries.3"] == nil)
        let page = try await send("?limit=2")
        let cursor = try #require(page["next"])
        let rest = try await send("?limit=2&after=\(cursor)")
        #expect(rest["batteries.0.beacon"] == "shop" && rest["batteries.1"] == nil)
        #expect(try await send("?after=x").code == "cursor-malformed")
        let analyst = bench.issue(.analyst, site: SampleSite.id)
        #expect(try await send(token: analyst).status == 403)
    }

    @Test("Batteries of beacons that are removed or have none any more, and no others, leave")
    func gone() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        var document = LocatorBench.document
        let ground = FloorID("ground")
        var bare = Self.beacon("bare", 1, floor: ground)
        (bare.uuid, bare.batteryByte) = (EventID(high: 7, low: 7), nil)
        document.beacons = [
            Self.beacon("door", 1, floor: ground), Self.beacon("many", nil, floor: ground), bare,
        ]
        host.sites.replace(with: [
            LocatorBench.site: PublishedSite(version: 1, index: try SiteIndex(document))
        ])
        let table = BatteryTable(host: host, directory: BatteryDirectory())
        for level in [
            Self.level("door", 80, at: LocatorBench.site),
            Self.level("window", 80, at: LocatorBench.site),
            // Its UUID has no `batteryByte`.
            Self.level("bare", 80, at: LocatorBench.site),
            // Its record is of all beacons with one major.
            Self.level("many", 80, at: LocatorBench.site),
            Self.level("door", 80, at: SiteID("elsewhere")),
        ] {
            let isRead = table.directory.apply(Self.stored(level.record(source: "/test")))
            #expect(isRead)
        }
        try await table.removeGone()
        let records = try await bench.records(of: Topic.beaconBatteries.name)
        #expect(
            Set(records.compactMap { $0.key.map { String(decoding: $0, as: UTF8.self) } })
                == ["small/window", "small/bare", "small/many", "elsewhere/door"])
        #expect(records.allSatisfy { $0.value == nil })
        for record in records {
            let isRead = table.directory.apply(record)
            #expect(isRead)
        }
        #expect(table.directory.gone(from: host.sites).isEmpty)
        #expect(table.directory[LocatorBench.site].count == 1)
        await host.log.close()
    }

    @Test("Low batteries are counted for each site that has any, also after the last one is gone")
    func low() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        let table = BatteryTable(host: host, directory: BatteryDirectory())
        let name = "whereabouts_beacon_batteries_low"
        var shown: [String] {
            host.context.metrics.exposition.split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix(name) }
        }
        func apply(_ record: LogRecord) {
            let isRead = table.directory.apply(Self.stored(record))
            #expect(isRead)
            table.showLow()
        }
        table.showLow()
        #expect(shown.isEmpty)
        let (a, b) = (SiteID("a"), SiteID("b"))
        for level in [
            Self.level("door", 19, at: a), Self.level("hall", 0, at: a),
            Self.level("shop", 20, at: a), Self.level("door", 5, at: b),
        ] {
            apply(level.record(source: "/test"))
        }
        #expect(shown == ["\(name){site=\"a\"} 2", "\(name){site=\"b\"} 1"])
        apply(Self.level("door", 5, at: b).tombstone)
        #expect(shown == ["\(name){site=\"a\"} 2", "\(name){site=\"b\"} 0"])
        await host.log.close()
    }
}
