import EventLog
import Events
import LogViews
import Postgres
import RadioMapCare
import ServiceBench
import ServiceHost
import Site
import Testing
import Wire

@testable import FingerprintBuilder

@Suite("Visitors' scans beside surveys") struct VisitorTests {
    private static let day = 86_400

    private static func address(_ number: Int) -> HardwareAddress {
        HardwareAddress(value: UInt64(100 + number))
    }

    /// The readings in a hall with an access point at each third metre.
    private static func readings(at x: Double, without gone: Int? = nil) -> [WiFiReading] {
        (0..<14).filter { $0 != gone }.compactMap { number in
            let rssi = -45 - Int(2 * abs(x - Double(3 * number)))
            guard rssi >= -90 else { return nil }
            return WiFiReading(bssid: address(number), ssid: "museum", rssi: rssi)
        }
    }

    private static let surveys = (0..<40).map { number in
        var survey = MapCampus.survey(number, MapCampus.at("north-0", Double(number)))
        survey.scan.wifi = readings(at: Double(number))
        return survey
    }

    private static let document: SiteDocument = {
        var document = MapCampus.document
        document.accessPoints = AccessPointRules(allow: [.network("museum")])
        return document
    }()

    private static func keeper(_ campus: MapCampus) -> VisitorKeeper {
        VisitorKeeper(
            sites: campus.bench.sites, log: campus.bench.log, clock: campus.bench.clock,
            notices: campus.bench.notices, maps: campus.store,
            store: VisitorStore(pool: campus.pool), guarding: campus.guarding)
    }

    private static func campus(_ document: SiteDocument = document) async throws -> MapCampus {
        let campus = try await MapCampus()
        try campus.publish(document, version: 2)
        try await campus.apply(surveys.map { $0.record(source: "/test") })
        _ = try await campus.build()
        return campus
    }

    /// A campus whose visitors have missed an access point on two days, and a look has found that.
    private static func found(
        devices: Int = 4
    ) async throws -> (campus: MapCampus, keeper: VisitorKeeper) {
        let campus = try await campus()
        for _ in 0..<2 {
            campus.bench.pass(seconds: day)
            try await visit(campus, devices: devices)
        }
        let keeper = keeper(campus)
        try await keeper.lookAtNext()
        #expect(try await changes(campus).contains("vanished"))
        return (campus, keeper)
    }

    /// Some devices walk through the hall now. The fifth access point is gone.
    private static func visit(_ campus: MapCampus, devices: Int = 4) async throws {
        let now = campus.bench.clock.now
        let records = (0..<devices).flatMap { device in
            (0..<20).map { step in
                let id = EventID(
                    high: UInt64(now.microseconds), low: UInt64(device * 100 + step))
                return ScanRecorded(
                    id: id, site: MapCampus.site, device: DeviceID("visitor-\(device)"),
                    scanner: ScannerID("visitor-\(device)"), at: now, receivedAt: now,
                    wifi: readings(at: Double(2 * step), without: 5)
                ).record(source: "/test")
            }
        }
        try await campus.bench.log.append(records)
    }

    private static func changes(_ campus: MapCampus) async throws -> String {
        try await TapStore.findings(of: MapCampus.site, on: nil, limit: 10, campus.pool).changes
    }

    @Test("The coach names an access point that visitors miss on two days; the map stays as it is")
    func vanished() async throws {
        let campus = try await Self.campus()
        let hash = try await campus.store.newest(MapCampus.site)?.hash
        let keeper = Self.keeper(campus)
        try await Self.visit(campus)
        try await keeper.lookAtNext()
        #expect(try await Self.changes(campus) == "[]")
        campus.bench.pass(seconds: Self.day)
        try await Self.visit(campus)
        // The second look comes within the pause.
        try await keeper.lookAtNext()
        #expect(try await Self.changes(campus) == "[]")
        try await keeper.lookAtNext(pause: .zero)
        let app = try campus.bench.serve(
            QualityRoutes(
                sites: campus.bench.sites, clock: campus.bench.clock, pool: campus.pool
            ).all)
        let answer = try await app.send(
            "GET", "/v1/sites/\(MapCampus.site)/survey-coach",
            token: campus.bench.issue(.surveyor, site: MapCampus.site))
        let gone = Self.address(5)
        #expect(answer["changes.0.accessPoint"] == "wifi/\(gone.text)")
        #expect(answer["changes.0.source"] == "visitors")
        #expect(answer["changes.0.kind"] == "vanished" && answer["changes.1"] == nil)
        #expect(answer["changes.0.voices.lost"] == "8")
        #expect(answer["changes.0.voices.there"] == "0")
        #expect(answer["changes.0.before.floor"] == "north-0")
        #expect(try await campus.store.newest(MapCampus.site)?.hash == hash)
        // A look at taps, of which there are none, leaves the finding.
        let taps = TapKeeper(
            sites: campus.bench.sites, log: campus.bench.log, clock: campus.bench.clock,
            notices: campus.bench.notices, pool: campus.pool, maps: campus.store,
            view: campus.view, daysKept: 30, guarding: campus.guarding)
        try await taps.findWhatIsDue(pause: .zero)
        #expect(try await Self.changes(campus).contains("visitors"))
        // The scans are too old after some days.
        campus.bench.pass(seconds: 4 * Self.day)
        try await keeper.lookAtNext(pause: .zero)
        #expect(try await Self.changes(campus) == "[]")
        #expect(campus.bench.unexpected.isEmpty)
    }

    @Test("A site whose rules name no networks learns nothing, and forgets what it had learnt")
    func unnamed() async throws {
        var plain = Self.document
        plain.accessPoints = AccessPointRules(allow: [.prefix(0, count: 2)])
        let (campus, keeper) = try await Self.found()
        try campus.publish(plain, version: 3)
        try await keeper.lookAtNext(pause: .zero)
        #expect(try await Self.changes(campus) == "[]")
    }

    @Test("A site whose map is gone forgets what visitors said of it")
    func withoutMap() async throws {
        let (campus, keeper) = try await Self.found()
        try await campus.pool.query(
            "DELETE FROM radio_maps.radio_maps WHERE site = $1", [.text(MapCampus.site.text)])
        try await keeper.lookAtNext(pause: .zero)
        #expect(try await Self.changes(campus) == "[]")
    }

    @Test("Erased devices have no voice")
    func erased() async throws {
        let (campus, keeper) = try await Self.found(devices: 3)
        try await campus.apply([
            DeviceErased(
                id: EventID(high: 9, low: 1), site: MapCampus.site, device: DeviceID("visitor-1"),
                at: campus.bench.clock.now
            ).record(source: "/test")
        ])
        try await keeper.lookAtNext(pause: .zero)
        #expect(try await Self.changes(campus) == "[]")
    }

    @Test("A day with more records than are read is read in pieces, each of one partition")
    func pieces() {
        let few = VisitorKeeper.pieces(of: [5..<9, 7..<7, 0..<3], most: 7)
        #expect(few == [[0: 5..<9, 1: 7..<7, 2: 0..<3]])
        let many = VisitorKeeper.pieces(of: [100..<1_700, 7..<7, 0..<9, 40..<1_640], most: 800)
        #expect(many.count == 8 && many.allSatisfy { $0.count == 1 })
        for piece in many {
            for (partition, range) in piece {
                #expect(range.count == 100)
                #expect(partition == 0 ? range.lowerBound >= 100 : partition == 3)
                #expect(range.upperBound <= (partition == 0 ? 1_700 : 1_640))
            }
        }
        // One that is short gives what it has.
        let short = VisitorKeeper.pieces(of: [0..<3, 0..<998], most: 80)
        #expect(short.allSatisfy { $0.values.allSatisfy { $0.count <= 10 } })
    }
}
