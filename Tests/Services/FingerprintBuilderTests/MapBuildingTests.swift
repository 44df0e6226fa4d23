import EventLog
import Events
import Geometry
import LogViews
import MemoryLog
import Positioning
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import FingerprintBuilder

/// Builds radio maps of a site with two buildings, on a real PostgreSQL.
@Suite(
    "A radio map in parts",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct MapBuildingTests {
    private static let site = SiteID("campus")

    private static var document: SiteDocument {
        let buildings = ["north", "south"]
        return SiteDocument(
            name: "Campus", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: buildings.map {
                BuildingRecord(id: BuildingID($0), name: $0, timeZone: "Europe/London")
            },
            floors: buildings.map {
                FloorRecord(
                    id: FloorID("\($0)-0"), building: BuildingID($0), ordinal: 0, level: "0")
            },
            rooms: buildings.map { building in
                RoomRecord(
                    id: RoomID("\(building)-hall"), floor: FloorID("\(building)-0"), name: "Hall",
                    kind: "hall", outline: [[0, 0], [90, 0], [90, 9], [0, 9]])
            },
            locations: [
                LocationRecord(
                    id: LocationID("desk"), floor: FloorID("south-0"), room: RoomID("south-hall"),
                    point: [4, 4])
            ])
    }

    private final class Campus: Sendable {
        let bench: ServiceBench
        let pool: PostgresPool
        let view = SurveysView()
        let store: RadioMapStore
        let builder: MapBuilder

        init() async throws {
            bench = try await ServiceBench()
            pool = try await ServiceBench.database()
            var store = RadioMapStore(pool: pool)
            store.positionsKept = .seconds(1_000_000_000)
            self.store = store
            builder = MapBuilder(
                sites: bench.sites, log: bench.log, clock: bench.clock, notices: bench.notices,
                pool: pool, store: store, view: view, quiet: .zero, latest: .seconds(60))
            try await pool.migrate(view, schema: view.schema)
            try await pool.withConnection { connection in
                _ = try await RadioMapStore.migrator.migrate(connection)
            }
            try publish(MapBuildingTests.document, version: 1)
        }

        func publish(_ document: SiteDocument, version: Int) throws {
            bench.publish(try SiteIndex(document), as: MapBuildingTests.site, version: version)
        }

        func apply(_ records: [LogRecord]) async throws {
            let stored = records.map { record in
                StoredRecord(
                    topic: record.topic, partition: 0, offset: 0,
                    appendedAtMicroseconds: ServiceBench.start.microseconds, key: record.key,
                    value: record.value, headers: record.headers)
            }
            let (view, pool) = (view, pool)
            let faults = try await pool.withTransaction { connection in
                try await view.apply(stored, schema: view.schema, connection: connection)
            }
            #expect(faults.isEmpty)
        }

        /// Builds what is due, and returns the newest announcement.
        func build() async throws -> RadioMapAnnounced {
            try await builder.buildWhatIsDue()
            let newest = try #require(try await store.newest(MapBuildingTests.site))
            return try RadioMapAnnounced(json: newest.event)
        }

        /// The whole map, as a locator joins it.
        func map(_ announced: RadioMapAnnounced) async throws -> RadioMap {
            var parts: [RadioMapPart] = []
            for part in announced.parts {
                let bytes = try #require(try await store.artifact(part.hash))
                parts.append(try RadioMapPartArtifact.decode(bytes, of: part))
            }
            return try RadioMap(joining: parts, of: announced)
        }

        /// Events on their way to the log, by their types.
        func outbox() async throws -> [String: Int] {
            var counts: [String: Int] = [:]
            for row in try await pool.query(
                "SELECT topic, count(*) AS number FROM radio_maps.outbox GROUP BY topic")
            {
                counts[try row["topic"]] = try row["number"]
            }
            return counts
        }
    }

    private static func survey(_ number: Int, _ place: SurveyPlace) -> SurveyRecorded {
        let at = ServiceBench.start.advanced(byMicroseconds: Int64(number) * 30_000_000)
        return SurveyRecorded(
            scan: ScanRecorded(
                id: EventID(high: 5, low: UInt64(number)), site: site, device: DeviceID("tablet"),
                scanner: ScannerID("tablet"), at: at, receivedAt: at,
                wifi: (0..<6).map {
                    WiFiReading(
                        bssid: HardwareAddress(value: UInt64(1 + $0)),
                        rssi: -50 - (number * 7 + $0 * 5) % 40)
                }),
            place: place, author: "a surveyor")
    }

    private static func at(_ floor: String, _ x: Double) -> SurveyPlace {
        .metres(floor: FloorID(floor), x: x, y: 3)
    }

    private static let first =
        (0..<10).map { survey($0, at("north-0", Double($0))) }
        + (10..<20).map { survey($0, at("south-0", Double($0))) }
        + [survey(20, .location(LocationID("desk")))]

    @Test("is the map of all surveys, and a survey changes its own building's part alone")
    func oneBuilding() async throws {
        let campus = try await Campus()
        try await campus.apply(Self.first.map { $0.record(source: "/test") })
        let before = try await campus.build()
        #expect(before.parts.map(\.building.text) == ["north", "south"])
        let index = try SiteIndex(Self.document)
        #expect(
            try await campus.map(before) == RadioMapBuilder.build(Self.first, site: index).map)
        let whole = try #require(try await campus.store.artifact(before.hash))
        #expect(try await RadioMapArtifact.decode(whole, of: before) == campus.map(before))
        #expect(whole.count == before.byteCount)

        let later = Self.survey(30, Self.at("south-0", 12.5))
        try await campus.apply([later.record(source: "/test")])
        let after = try await campus.build()
        #expect(after.version == 2 && after.hash != before.hash)
        #expect(after.parts[0] == before.parts[0])
        #expect(after.parts[1].hash != before.parts[1].hash)
        #expect(
            try await campus.map(after)
                == RadioMapBuilder.build(Self.first + [later], site: index).map)
        // Both versions have the north's part, which is stored once.
        let stored: Int = try await campus.pool.query(
            "SELECT count(*) AS number FROM radio_maps.artifacts")[0]["number"]
        #expect(stored == 3)
        let north = try await campus.pool.query(
            """
            SELECT DISTINCT event ->> 'radioMapVersion' AS version FROM radio_maps.fingerprints
            WHERE floor = 'north-0'
            """)
        #expect(try north.map { try $0["version"] as String } == ["1"])
        #expect(try await campus.store.sites(of: after.parts[0].hash) == [Self.site])
    }

    @Test("stays when a removed survey was not in it, and when nothing of a building changes")
    func unchanged() async throws {
        let campus = try await Campus()
        try await campus.apply(Self.first.map { $0.record(source: "/test") })
        let first = try await campus.build()
        let withdrawn = Self.first[3].scan.id
        try await campus.apply([
            SurveysWithdrawn(
                site: Self.site, which: .survey(withdrawn), by: "keeper",
                at: ServiceBench.start.advanced(byMicroseconds: 999_000_000)
            ).record(source: "/test")
        ])
        let without = try await campus.build()
        #expect(without.version == 2 && without.fingerprints == first.fingerprints - 1)
        #expect(without.parts[1] == first.parts[1])
        let put = try await campus.outbox()
        try await campus.apply([SurveyKey(Self.site, withdrawn).tombstone])
        #expect(try await campus.build() == without)
        #expect(try await campus.outbox() == put, "nothing was announced")
        let newest = try #require(try await campus.store.newest(Self.site))
        #expect(newest.surveys == Self.first.count - 1 && newest.reviews == 1)

        // The site changes in one building: the other part is not built again.
        var document = Self.document
        document.rooms[0].outline = [[0, 0], [5, 0], [5, 9], [0, 9]]
        try campus.publish(document, version: 2)
        let moved = try await campus.build()
        #expect(moved.version == 3 && moved.siteVersion == 2)
        #expect(moved.parts[0].hash != without.parts[0].hash)
        #expect(moved.parts[1] == without.parts[1])
        #expect(try await campus.map(moved).fingerprints.count == Self.first.count - 1)
    }

    @Test("is empty once all surveys are removed, but not while the view has none yet")
    func emptied() async throws {
        let campus = try await Campus()
        let records = Self.first.prefix(3).map { $0.record(source: "/test") }
        try await campus.apply(records)
        let full = try await campus.build()
        #expect(full.fingerprints == 3)
        // A view that is made anew has no rows, while the log holds surveys.
        try await campus.bench.log.append(records)
        try await campus.pool.query("UPDATE fingerprint_builder.sites SET surveys = 0")
        #expect(try await campus.build() == full)
        try await campus.pool.query("UPDATE fingerprint_builder.sites SET surveys = 3")
        try await campus.apply(
            Self.first.prefix(3).map { SurveyKey(Self.site, $0.scan.id).tombstone })
        for (partition, bounds) in try await campus.bench.log.bounds(
            of: Topic.surveyRecords.name
        ).enumerated() {
            try await campus.pool.query(
                "INSERT INTO fingerprint_builder.view_positions VALUES ($1, $2, $3)",
                [
                    .text(Topic.surveyRecords.name), .int32(Int32(partition)),
                    .int64(bounds.end),
                ])
        }
        let emptied = try await campus.build()
        #expect(emptied.version == 2 && emptied.fingerprints == 0 && emptied.parts.isEmpty)
        let whole = try #require(try await campus.store.artifact(emptied.hash))
        #expect(try RadioMapArtifact.decode(whole, of: emptied) == .empty)
        let left: Int = try await campus.pool.query(
            "SELECT count(*) AS number FROM radio_maps.fingerprints")[0]["number"]
        #expect(left == 0)
    }

    /// Erases the tablet after its last survey, and gives what is left of it.
    private func erase(
        _ campus: Campus, _ number: UInt64, after seconds: Int64 = 3_600
    ) async throws -> (done: Bool, artifacts: Int) {
        let id = EventID(high: 7, low: number)
        try await campus.apply([
            DeviceErased(
                id: id, site: Self.site, device: DeviceID("tablet"),
                at: ServiceBench.start.advanced(byMicroseconds: seconds * 1_000_000)
            ).record(source: "/test")
        ])
        let removal = SurveyRemoval(
            log: campus.bench.log, pool: campus.pool, bell: OutboxBell(),
            erasuresKept: .seconds(1_000_000_000))
        try await removal.removeWhatIsDue()
        try await campus.apply(Self.first.map { SurveyKey(Self.site, $0.scan.id).tombstone })
        try await campus.builder.buildWhatIsDue()
        try await removal.finishErasures()
        let row = try await campus.pool.query(
            """
            SELECT (SELECT done_at IS NOT NULL FROM fingerprint_builder.erasures WHERE id = $1)
                AS done, (SELECT count(*) FROM radio_maps.artifacts) AS artifacts
            """, [.uuid(id.bytes)])[0]
        return (try row["done"], try row["artifacts"])
    }

    @Test("goes with its site, and comes back as that of the surveys under a later version")
    func removed() async throws {
        let campus = try await Campus()
        try await campus.apply(Self.first.map { $0.record(source: "/test") })
        let full = try await campus.build()
        // The site is announced, but its document can't be read; or the topic is a new one.
        campus.bench.sites.replace(with: [:], announced: [Self.site])
        #expect(try await campus.build() == full)
        campus.bench.sites.replace(with: [:])
        #expect(try await campus.build() == full)
        campus.bench.sites.replace(with: [:], removed: [Self.site])
        let empty = try await campus.build()
        #expect(empty.version == 2 && empty.fingerprints == 0 && empty.parts.isEmpty)
        let left = try await campus.pool.query(
            """
            SELECT (SELECT count(*) FROM radio_maps.radio_maps) AS versions,
                (SELECT count(*) FROM radio_maps.artifacts)
                + (SELECT count(*) FROM radio_maps.fingerprints) AS others
            """)[0]
        #expect(try (left["versions"], left["others"]) == (1, 0))
        let announced = try await campus.outbox()
        #expect(try await campus.build() == empty)
        #expect(try await campus.outbox() == announced, "it is emptied once")
        // It was not removed after all: the version is the same.
        try campus.publish(Self.document, version: full.siteVersion)
        let again = try await campus.build()
        #expect(again.version == 3 && again.parts == full.parts)
        // The tombstone of a site that was removed long ago is gone.
        campus.bench.sites.replace(with: [:])
        #expect(try await campus.build() == again)
        campus.bench.pass(seconds: 3_601)
        #expect(try await campus.build().fingerprints == 0)
    }

    @Test("of a removed site ends with the erasure of a device, whichever comes first")
    func erasedAndRemoved() async throws {
        let campus = try await Campus()
        try await campus.apply(Self.first.map { $0.record(source: "/test") })
        _ = try await campus.build()
        // Removed before the map is built without the device.
        campus.bench.sites.replace(with: [:], removed: [Self.site])
        #expect(try await erase(campus, 1) == (true, 0))
        // The surveys come once more, and the next erasure is of a site that is long away.
        try campus.publish(Self.document, version: 2)
        let later = Self.first.map { survey in
            var survey = survey
            survey.scan.at = survey.scan.at.advanced(byMicroseconds: 7_200_000_000)
            survey.scan.receivedAt = survey.scan.at
            return survey
        }
        try await campus.apply(later.map { $0.record(source: "/test") })
        #expect(try await campus.build().fingerprints == Self.first.count)
        campus.bench.sites.replace(with: [:], removed: [Self.site])
        _ = try await campus.build()
        #expect(try await erase(campus, 2, after: 10_800) == (true, 0))
    }

    @Test("of a backup goes for an erasure from after it, whose surveys the restore left out")
    func restored() async throws {
        let campus = try await Campus()
        try await campus.apply(Self.first.map { $0.record(source: "/test") })
        _ = try await campus.build()
        // The restored log has fewer surveys, and the map is built anew before the erasure comes.
        let others = Self.first.dropFirst().map { SurveyKey(Self.site, $0.scan.id).tombstone }
        try await campus.apply(Array(others))
        let next = try await campus.build()
        #expect(next.version == 2)
        let moment = campus.bench.clock.now
        try await RestoreMark(backup: "a", begunAt: moment).write(campus.pool)
        try await campus.pool.withTransaction { try RestoreMark.finish(at: moment, $0) }
        let erased = DeviceErased(
            id: EventID(high: 7, low: 1), site: Self.site, device: DeviceID("gone"),
            at: ServiceBench.start)
        try await campus.apply([erased.record(source: "/test")])
        let removal = SurveyRemoval(log: campus.bench.log, pool: campus.pool, bell: OutboxBell())
        let newest = try await campus.build()
        try await removal.finishErasures()
        let left = try await campus.pool.query("SELECT version FROM radio_maps.radio_maps")
        #expect(try left.map { try $0["version"] } == [newest.version])
    }

    @Test("of a site that no record tells of any more goes for an erasure that waits for it")
    func forgotten() async throws {
        let campus = try await Campus()
        try await campus.apply(Self.first.map { $0.record(source: "/test") })
        _ = try await campus.build()
        campus.bench.sites.replace(with: [:], announced: [Self.site])
        #expect(try await erase(campus, 1) == (false, 2), "its document may come yet")
        campus.bench.sites.replace(with: [:])
        #expect(try await erase(campus, 1) == (true, 0))
    }

    @Test("has former versions in one file beside it, until they go")
    func former() async throws {
        let campus = try await Campus()
        // As an earlier release stored it.
        let map = RadioMapBuilder.build(Self.first, site: try SiteIndex(Self.document)).map
        let bytes = RadioMapArtifact.encode(map)
        let hash = "hash-of-an-earlier-release"
        try await campus.pool.query(
            "INSERT INTO radio_maps.artifacts (hash, bytes) VALUES ($1, $2)",
            [.text(hash), .bytes(bytes)])
        try await campus.pool.query(
            """
            INSERT INTO radio_maps.radio_maps
                (site, version, hash, site_version, surveys, built_at, event)
            VALUES ('campus', 7, $1, 1, 20, clock_timestamp() - interval '1 day', '{}')
            """, [.text(hash)])
        try await campus.apply(Self.first.map { $0.record(source: "/test") })
        try await campus.pool.query("UPDATE fingerprint_builder.surveys SET ground = ''")
        let next = try await campus.build()
        #expect(next.version == 8 && next.parts.count == 2)
        #expect(try await campus.map(next) == map, "fresh surveys fit the map of before")
        #expect(try await campus.store.map(hash) == map)
        #expect(try await campus.store.artifact(hash) == bytes)
        try await campus.store.forgetFormer(of: Self.site)
        #expect(try await campus.store.artifact(hash) == nil)
        #expect(try await campus.map(next) == map)
    }
}
