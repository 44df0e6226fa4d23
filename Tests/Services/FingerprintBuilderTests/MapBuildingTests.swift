import EventLog
import Events
import Geometry
import LogViews
import MemoryLog
import Positioning
import Postgres
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import FingerprintBuilder

@Suite(
    "A radio map in parts",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct MapBuildingTests {
    @Test("is the map of all surveys, and a survey changes its own building's part alone")
    func oneBuilding() async throws {
        let campus = try await MapCampus()
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        let before = try await campus.build()
        #expect(before.parts.map(\.building.text) == ["north", "south"])
        let index = try SiteIndex(MapCampus.document)
        #expect(
            try await campus.map(before) == RadioMapBuilder.build(MapCampus.first, site: index).map)
        let whole = try #require(try await campus.store.artifact(before.hash))
        #expect(try await RadioMapArtifact.decode(whole, of: before) == campus.map(before))
        #expect(whole.count == before.byteCount)

        let later = MapCampus.survey(30, MapCampus.at("south-0", 12.5))
        try await campus.apply([later.record(source: "/test")])
        let after = try await campus.build()
        #expect(after.version == 2 && after.hash != before.hash)
        #expect(after.parts[0] == before.parts[0])
        #expect(after.parts[1].hash != before.parts[1].hash)
        #expect(
            try await campus.map(after)
                == RadioMapBuilder.build(MapCampus.first + [later], site: index).map)
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
        #expect(try await campus.store.sites(of: after.parts[0].hash) == [MapCampus.site])
    }

    @Test("stays when a removed survey was not in it, and when nothing of a building changes")
    func unchanged() async throws {
        let campus = try await MapCampus()
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        let first = try await campus.build()
        let withdrawn = MapCampus.first[3].scan.id
        try await campus.apply([
            SurveysWithdrawn(
                site: MapCampus.site, which: .survey(withdrawn), by: "keeper",
                at: ServiceBench.start.advanced(byMicroseconds: 999_000_000)
            ).record(source: "/test")
        ])
        let without = try await campus.build()
        #expect(without.version == 2 && without.fingerprints == first.fingerprints - 1)
        #expect(without.parts[1] == first.parts[1])
        let put = try await campus.outbox()
        try await campus.apply([SurveyKey(MapCampus.site, withdrawn).tombstone])
        #expect(try await campus.build() == without)
        #expect(try await campus.outbox() == put, "nothing was announced")
        let newest = try #require(try await campus.store.newest(MapCampus.site))
        #expect(newest.surveys == MapCampus.first.count - 1 && newest.reviews == 1)

        // The site changes in one building: the other part is not built again.
        var document = MapCampus.document
        document.rooms[0].outline = [[0, 0], [5, 0], [5, 9], [0, 9]]
        try campus.publish(document, version: 2)
        let moved = try await campus.build()
        #expect(moved.version == 3 && moved.siteVersion == 2)
        #expect(moved.parts[0].hash != without.parts[0].hash)
        #expect(moved.parts[1] == without.parts[1])
        #expect(try await campus.map(moved).fingerprints.count == MapCampus.first.count - 1)
    }

    @Test("counts a survey at a location of the draft once the location is published")
    func draft() async throws {
        let campus = try await MapCampus()
        let early = MapCampus.survey(30, .location(LocationID("sofa")))
        try await campus.apply((MapCampus.first + [early]).map { $0.record(source: "/test") })
        let before = try await campus.build()
        #expect(before.fingerprints == MapCampus.first.count)
        var document = MapCampus.document
        document.locations.append(
            LocationRecord(
                id: LocationID("sofa"), floor: FloorID("north-0"), room: RoomID("north-hall"),
                point: [7, 4]))
        try campus.publish(document, version: 2)
        let after = try await campus.build()
        #expect(after.fingerprints == MapCampus.first.count + 1)
        #expect(after.parts[1] == before.parts[1], "only its own building's part is made anew")
        #expect(
            try await campus.map(after)
                == RadioMapBuilder.build(MapCampus.first + [early], site: try SiteIndex(document))
                .map)
    }

    @Test("is empty once all surveys are removed, but not while the view has none yet")
    func emptied() async throws {
        let campus = try await MapCampus()
        let records = MapCampus.first.prefix(3).map { $0.record(source: "/test") }
        try await campus.apply(records)
        let full = try await campus.build()
        #expect(full.fingerprints == 3)
        // A view that is made anew has no rows, while the log holds surveys.
        try await campus.bench.log.append(records)
        try await campus.pool.query("UPDATE fingerprint_builder.sites SET surveys = 0")
        #expect(try await campus.build() == full)
        try await campus.pool.query("UPDATE fingerprint_builder.sites SET surveys = 3")
        try await campus.apply(
            MapCampus.first.prefix(3).map { SurveyKey(MapCampus.site, $0.scan.id).tombstone })
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

    @Test("is not made for a site without surveys and access points, also after an erasure")
    func nothing() async throws {
        let campus = try await MapCampus()
        let erased = DeviceErased(
            id: EventID(high: 7, low: 1), site: MapCampus.site, device: DeviceID("tablet"),
            at: ServiceBench.start)
        try await campus.apply([erased.record(source: "/test")])
        try await campus.builder.buildWhatIsDue()
        #expect(try await campus.store.newest(MapCampus.site) == nil)
    }

    @Test("rests until a change when nothing is left to do, and not while surveys are new")
    func resting() async throws {
        let campus = try await MapCampus()
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        let before = campus.builder.changes.count
        #expect(try await campus.builder.buildWhatIsDue())
        #expect(campus.builder.changes.count == before + 1, "a map was built")
        #expect(try await campus.builder.buildWhatIsDue())
        #expect(campus.builder.changes.count == before + 1)
        try await campus.pool.query(
            """
            UPDATE fingerprint_builder.sites
            SET surveys = surveys + 1, changed_at = clock_timestamp() + interval '1 hour'
            """)
        try await campus.pool.query(
            "UPDATE radio_maps.radio_maps SET built_at = clock_timestamp() + interval '1 hour'")
        #expect(try await !campus.builder.buildWhatIsDue())
        campus.guarding.forget()
        #expect(try await !campus.builder.buildWhatIsDue())
    }

    @Test("has former versions in one file beside it, until they go")
    func former() async throws {
        let campus = try await MapCampus()
        // As an earlier release stored it.
        let map = RadioMapBuilder.build(MapCampus.first, site: try SiteIndex(MapCampus.document))
            .map
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
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        try await campus.pool.query("UPDATE fingerprint_builder.surveys SET ground = ''")
        let next = try await campus.build()
        #expect(next.version == 8 && next.parts.count == 2)
        #expect(try await campus.map(next) == map, "fresh surveys fit the map of before")
        #expect(try await campus.store.map(hash) == map)
        #expect(try await campus.store.artifact(hash) == bytes)
        try await campus.store.forgetFormer(of: MapCampus.site)
        #expect(try await campus.store.artifact(hash) == nil)
        #expect(try await campus.map(next) == map)
    }
}
