import EventLog
import Events
import Geometry
import LogViews
import Positioning
import Postgres
import RadioMapCare
import ServiceBench
import ServiceHost
import Site
import Testing
import Wire

@testable import FingerprintBuilder

@Suite("Taps beside surveys") struct TapTests {
    private static let nowhere = MapCampus.at("north-0", 500)

    private static func tap(
        _ number: Int, _ place: SurveyPlace = nowhere, author: String = "phone", rssi: Int = -40
    ) -> TapRecorded {
        let at = ServiceBench.start.advanced(
            byMicroseconds: 3_600_000_000 + Int64(number) * 1_000_000)
        return TapRecorded(
            scan: ScanRecorded(
                id: EventID(high: 6, low: UInt64(number)), site: MapCampus.site,
                device: DeviceID(author), scanner: ScannerID(author), at: at, receivedAt: at,
                wifi: (0..<6).map {
                    WiFiReading(bssid: HardwareAddress(value: UInt64(1 + $0)), rssi: rssi - $0)
                }),
            place: place, author: author)
    }

    private static func records(_ events: [some WireEvent]) -> [LogRecord] {
        events.map { $0.record(source: "/test") }
    }

    private static func erased(_ device: String, at number: Int) -> LogRecord {
        DeviceErased(
            id: EventID(high: 9, low: 1), site: MapCampus.site, device: DeviceID(device),
            at: tap(number).scan.at
        ).record(source: "/test")
    }

    private static func keeper(_ campus: MapCampus) -> TapKeeper {
        TapKeeper(
            sites: campus.bench.sites, log: campus.bench.log, clock: campus.bench.clock,
            notices: campus.bench.notices, pool: campus.pool, maps: campus.store,
            view: campus.view, daysKept: 30, guarding: campus.guarding)
    }

    private static func app(_ campus: MapCampus) throws -> Served {
        try campus.bench.serve(
            TapRoutes(sites: campus.bench.sites, pool: campus.pool, bell: OutboxBell()).all
                + QualityRoutes(
                    sites: campus.bench.sites, clock: campus.bench.clock, pool: campus.pool
                ).all)
    }

    private static func rows(_ campus: MapCampus) async throws -> [String] {
        try await campus.pool.query(
            "SELECT device FROM fingerprint_builder.taps ORDER BY id"
        ).map { try $0["device"] }
    }

    /// 1,000 taps of 50 sessions that lie together about 250 places, four about each.
    private static let flood = (0..<1_000).map { number in
        tap(
            10 + number, MapCampus.at("south-0", 600 + Double(number / 4) * 4),
            author: "s-\(number % 50)")
    }
    /// Three people who have said before them that the radio of a place is another one.
    private static let honest = (0..<3).map { tap($0, author: "honest-\($0)") }

    @Test("1,000 taps of 50 colluding sessions leave the map's hash as it is: taps never enter it")
    func unchangedMap() async throws {
        let (plain, flooded) = try await (MapCampus(), MapCampus())
        for campus in [plain, flooded] { try await campus.apply(Self.records(MapCampus.first)) }
        let expected = try await plain.build()
        // At places of surveys, too, where a builder that read taps would count them.
        let inside = (0..<1_000).map { number in
            Self.tap(
                2_000 + number, MapCampus.at("south-0", Double(10 + number % 10)),
                author: "s-\(number % 50)")
        }
        try await flooded.apply(Self.records(Self.flood + inside))
        #expect(try await flooded.build().hash == expected.hash)
        try await Self.keeper(flooded).findWhatIsDue(pause: .zero)
        try flooded.publish(MapCampus.document, version: 2)
        let again = try await flooded.build()
        #expect(again.siteVersion == 2 && again.hash == expected.hash)
    }

    @Test("1,000 taps of 50 colluding sessions do not push an honest place out of the coach's list")
    func colluding() async throws {
        let campus = try await MapCampus()
        try await campus.apply(Self.records(MapCampus.first))
        _ = try await campus.build()
        try await campus.apply(Self.records(Self.honest + Self.flood))
        try await Self.keeper(campus).findWhatIsDue(pause: .zero)
        let answer = try await Self.app(campus).send(
            "GET", "/v1/sites/\(MapCampus.site)/survey-coach",
            token: campus.bench.issue(.surveyor, site: MapCampus.site))
        #expect(answer["disagreeing.0.floor"] == "north-0")
        #expect(answer["disagreeing.0.authors"] == "3")
        #expect(answer["disagreeing.1.authors"] == "4")
    }

    @Test("Those who send many taps leave out nobody where not all can be read")
    func turns() async throws {
        let campus = try await MapCampus()
        try await campus.apply(Self.records(Self.honest + Self.flood))
        let few = TapStore(pool: campus.pool, mostBytes: 100_000)
        let read = Set(try await few.taps(of: MapCampus.site).map(\.author))
        #expect(read.count == 53 && read.isSuperset(of: Self.honest.map(\.author)))
        #expect(try await few.taps(of: MapCampus.site).count < 1_003)
        let all = TapStore(pool: campus.pool)
        #expect(try await all.taps(of: MapCampus.site).count == 1_003)
    }

    @Test("A beacon is the same transmitter in surveys and taps, whatever its battery is")
    func batteries() async throws {
        let campus = try await MapCampus()
        let uuid = EventID(high: 8, low: 1)
        var document = MapCampus.document
        document.beacons = [
            SiteBeacon(
                id: BeaconID("entrance"), floor: FloorID("north-0"), point: [4, 3], uuid: uuid,
                major: 7, minor: 1, batteryByte: .high)
        ]
        try campus.publish(document, version: 2)
        func heard(_ percent: UInt16) -> [BluetoothReading] {
            [BluetoothReading(uuid: uuid, major: percent << 8 | 7, minor: 1, rssi: -50)]
        }
        let surveys = (0..<8).map { number in
            var survey = MapCampus.survey(number, MapCampus.at("north-0", number < 4 ? 2 : 6))
            survey.scan.wifi = Self.tap(number).scan.wifi
            survey.scan.ble = heard(90 - UInt16(number))
            return survey
        }
        let taps = (0..<6).map { number in
            var tap = Self.tap(
                number, MapCampus.at("north-0", number < 3 ? 2 : 6), author: "a-\(number % 3)")
            tap.scan.ble = heard(50)
            return tap
        }
        try await campus.apply(Self.records(surveys))
        _ = try await campus.build()
        try await campus.apply(Self.records(taps))
        try await Self.keeper(campus).findWhatIsDue()
        let found = try await TapStore.findings(
            of: MapCampus.site, on: nil, limit: 10, campus.pool)
        #expect(found.changes == "[]")
    }

    @Test("A site whose map can't be read is reported, and the next site has its turn")
    func unreadable() async throws {
        let campus = try await MapCampus()
        try await campus.apply(Self.records(MapCampus.first))
        _ = try await campus.build()
        let broken = SiteID("broken")
        campus.bench.publish(try SiteIndex(MapCampus.document), as: broken)
        try await campus.pool.query(
            "INSERT INTO radio_maps.artifacts (hash, bytes) VALUES ('bad', 'no map'::bytea)")
        try await campus.pool.query(
            """
            INSERT INTO radio_maps.radio_maps
                (site, version, hash, site_version, surveys, built_at, event)
            VALUES ('broken', 1, 'bad', 1, 0, clock_timestamp(), ''::bytea)
            """)
        var tap = Self.tap(9)
        tap.scan.site = broken
        try await campus.apply(Self.records(Self.honest + [tap]))
        let keeper = Self.keeper(campus)
        // The second look comes within the pause.
        for _ in 0..<2 { try await keeper.findWhatIsDue() }
        #expect(campus.bench.unexpected.count { $0.contains("taps of broken") } == 1)
        let found = try await TapStore.findings(
            of: MapCampus.site, on: nil, limit: 10, campus.pool)
        #expect(found.places.count == 1)
    }

    @Test("The findings of a site go when it was removed, or is unknown for an hour")
    func removed() async throws {
        for isRemoved in [true, false] {
            let campus = try await MapCampus()
            try await campus.apply(Self.records(Self.honest))
            let keeper = Self.keeper(campus)
            try await keeper.findWhatIsDue()
            let store = TapStore(pool: campus.pool)
            try await campus.apply(Self.records([Self.tap(9)]))
            #expect(try await store.due(pause: .zero).map(\.hasFindings) == [true])
            campus.bench.sites.replace(with: [:], removed: isRemoved ? [MapCampus.site] : [])
            try await keeper.findWhatIsDue(pause: .zero)
            #expect(try await store.due(pause: .zero).map(\.hasFindings) == [!isRemoved])
            campus.bench.pass(seconds: 2 * 3_600)
            try await keeper.findWhatIsDue(pause: .zero)
            #expect(try await store.due(pause: .zero).map(\.hasFindings) == [false])
            // The taps stay until their retention.
            #expect(try await Self.rows(campus).count == 4)
        }
    }

    @Test("The coach names a place where three people disagree, of the asked floor")
    func coach() async throws {
        let campus = try await MapCampus()
        try await campus.apply(Self.records(MapCampus.first))
        _ = try await campus.build()
        try await campus.apply(Self.records((0..<3).map { Self.tap($0, author: "a-\($0)") }))
        let keeper = Self.keeper(campus)
        try await keeper.findWhatIsDue()
        let app = try Self.app(campus)
        let surveyor = campus.bench.issue(.surveyor, site: MapCampus.site)
        let path = "/v1/sites/\(MapCampus.site)/survey-coach"
        let answer = try await app.send("GET", path, token: surveyor)
        #expect(answer.status == 200 && answer["disagreeing.0.authors"] == "3")
        #expect(answer["disagreeing.0.floor"] == "north-0" && answer["disagreeing.1"] == nil)
        #expect(answer["changes"] == "[]")
        let other = try await app.send("GET", path + "?floor=south-0", token: surveyor)
        #expect(other["disagreeing"] == "[]")
        // More taps count after a pause, and none at all take the place back.
        try await campus.pool.query("DELETE FROM fingerprint_builder.taps")
        try await keeper.findWhatIsDue()
        let soon = try await app.send("GET", path, token: surveyor)
        #expect(soon["disagreeing.0.authors"] == "3")
        try await keeper.findWhatIsDue(pause: .zero)
        let later = try await app.send("GET", path, token: surveyor)
        #expect(later["disagreeing"] == "[]")
    }

    @Test("A surveyor makes a survey of a tap, once, and nobody else does")
    func survey() async throws {
        let campus = try await MapCampus()
        try await campus.apply(Self.records(MapCampus.first))
        let before = try await campus.build()
        let tap = Self.tap(1, MapCampus.at("north-0", 30), author: "anon")
        try await campus.apply(Self.records([tap]))
        let app = try Self.app(campus)
        let surveyor = campus.bench.issue(.surveyor, site: MapCampus.site)
        let list = "/v1/sites/\(MapCampus.site)/taps"
        let listed = try await app.send("GET", list, token: surveyor)
        #expect(listed["taps.0.id"] == tap.scan.id.description)
        #expect(listed["taps.0.isSurvey"] == "false" && listed["taps.0.readings"] == "6")
        #expect(listed["taps.0.floor"] == "north-0" && listed["taps.0.author"] == "anon")
        let path = "\(list)/\(tap.scan.id)/survey"
        for role in [TokenRole.analyst, .visitor, .device] {
            let token = campus.bench.issue(
                role, site: MapCampus.site, device: role == .device ? DeviceID("anon") : nil)
            #expect(try await app.send("POST", path, token: token).status == 403)
        }
        let unknown = try await app.send(
            "POST", "\(list)/\(EventID(high: 1, low: 1))/survey", token: surveyor)
        #expect(unknown.status == 404 && unknown.code == "tap-unknown")
        for _ in 0..<2 { #expect(try await app.send("POST", path, token: surveyor).status == 202) }
        let records = try await campus.pool.query(
            "SELECT key, value, headers FROM radio_maps.outbox WHERE topic = $1 ORDER BY id",
            [.text(Topic.surveyRecords.name)])
        #expect(records.count == 2)
        let value: [UInt8] = try #require(try records.first.map { try $0["value"] })
        let survey = try SurveyRecorded(json: value)
        #expect(survey.scan == tap.scan && survey.place == tap.place)
        #expect(survey.author == EventID(high: 2, low: 1).description)
        try await campus.apply(Self.records([survey]))
        #expect(try await campus.build().fingerprints == before.fingerprints + 1)
        let again = try await app.send("GET", list, token: surveyor)
        #expect(again["taps.0.isSurvey"] == "true")
    }

    @Test("An erased device's taps go, in whichever order the erasure and they come")
    func erasing() async throws {
        let campus = try await MapCampus()
        let (early, late) = (Self.tap(1, author: "anna"), Self.tap(9, author: "anna"))
        try await campus.apply(Self.records([early, Self.tap(2, author: "bert")]))
        try await campus.apply([Self.erased("anna", at: 5)])
        #expect(try await Self.rows(campus) == ["bert"])
        try await campus.apply(Self.records([early, late]))
        #expect(try await Self.rows(campus) == ["bert", "anna"])
        // The topic of taps has the erasure, too, and nothing is set aside for that.
        var mark = Self.erased("anna", at: 5)
        mark = LogRecord(
            topic: Topic.taps.name, key: mark.key, value: mark.value, headers: mark.headers)
        try await campus.apply([mark])
        #expect(try await Self.rows(campus).count == 2)
    }

    @Test("Taps go when they are past the retention of their topic")
    func retention() async throws {
        let campus = try await MapCampus()
        try await campus.apply(Self.records([Self.tap(1, author: "old"), Self.tap(2)]))
        try await campus.pool.query(
            "UPDATE fingerprint_builder.taps SET appended_at = '2020-01-01' WHERE device = 'old'")
        try await campus.pool.query(
            "UPDATE fingerprint_builder.taps SET appended_at = '2020-01-30' WHERE device <> 'old'")
        let store = TapStore(pool: campus.pool)
        let now = try #require(Timestamp(text: "2020-02-01T00:00:00Z"))
        try await store.sweep(keeping: 30, now: now)
        #expect(try await Self.rows(campus) == ["phone"])
    }
}
