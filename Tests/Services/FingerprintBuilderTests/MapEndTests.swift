import EventLog
import Events
import Geometry
import LogViews
import Postgres
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import FingerprintBuilder

@Suite(
    "The end of a radio map",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct MapEndTests {
    /// Erases the tablet after its last survey, and gives what is left of it.
    private func erase(
        _ campus: MapCampus, _ number: UInt64, after seconds: Int64 = 3_600
    ) async throws -> (done: Bool, artifacts: Int) {
        let id = EventID(high: 7, low: number)
        try await campus.apply([
            DeviceErased(
                id: id, site: MapCampus.site, device: DeviceID("tablet"),
                at: ServiceBench.start.advanced(byMicroseconds: seconds * 1_000_000)
            ).record(source: "/test")
        ])
        let removal = SurveyRemoval(
            log: campus.bench.log, pool: campus.pool, bell: OutboxBell(),
            erasuresKept: .seconds(1_000_000_000))
        try await removal.removeWhatIsDue()
        try await campus.apply(
            MapCampus.first.map { SurveyKey(MapCampus.site, $0.scan.id).tombstone })
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
        let campus = try await MapCampus()
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        let full = try await campus.build()
        // The site is announced, but its document can't be read; or the topic is a new one.
        campus.bench.sites.replace(with: [:], announced: [MapCampus.site])
        #expect(try await campus.build() == full)
        campus.bench.sites.replace(with: [:])
        #expect(try await campus.build() == full)
        campus.bench.sites.replace(with: [:], removed: [MapCampus.site])
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
        try campus.publish(MapCampus.document, version: full.siteVersion)
        let again = try await campus.build()
        #expect(again.version == 3 && again.parts == full.parts)
        // The tombstone of a site that was removed long ago is gone.
        campus.bench.sites.replace(with: [:])
        #expect(try await campus.build() == again)
        campus.bench.pass(seconds: 3_601)
        #expect(try await campus.build().fingerprints == 0)
    }

    @Test("stays while the log is another one, and for an hour after that")
    func anotherLog() async throws {
        let campus = try await MapCampus()
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        let full = try await campus.build()
        campus.bench.sites.replace(with: [:])
        #expect(try await campus.build() == full)
        campus.guarding.set(.anotherLog, logID: "another", newest: 0)
        campus.bench.pass(seconds: 7_200)
        #expect(try await campus.build() == full)
        campus.bench.sites.replace(with: [:], removed: [MapCampus.site])
        #expect(try await campus.build() == full)
        campus.bench.sites.replace(with: [:])
        campus.guarding.set(.fits, logID: "another", newest: 0)
        #expect(try await campus.build() == full)
        campus.bench.pass(seconds: 3_600)
        #expect(try await campus.build().fingerprints == 0)
    }

    @Test("of a removed site ends with the erasure of a device, whichever comes first")
    func erasedAndRemoved() async throws {
        let campus = try await MapCampus()
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        _ = try await campus.build()
        // Removed before the map is built without the device.
        campus.bench.sites.replace(with: [:], removed: [MapCampus.site])
        #expect(try await erase(campus, 1) == (true, 0))
        // The surveys come once more, and the next erasure is of a site that is long away.
        try campus.publish(MapCampus.document, version: 2)
        let later = MapCampus.first.map { survey in
            var survey = survey
            survey.scan.at = survey.scan.at.advanced(byMicroseconds: 7_200_000_000)
            survey.scan.receivedAt = survey.scan.at
            return survey
        }
        try await campus.apply(later.map { $0.record(source: "/test") })
        #expect(try await campus.build().fingerprints == MapCampus.first.count)
        campus.bench.sites.replace(with: [:], removed: [MapCampus.site])
        _ = try await campus.build()
        #expect(try await erase(campus, 2, after: 10_800) == (true, 0))
    }

    @Test("of a backup goes for an erasure from after it, whose surveys the restore left out")
    func restored() async throws {
        let campus = try await MapCampus()
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        _ = try await campus.build()
        // The restored log has fewer surveys, and the map is built anew before the erasure comes.
        let others = MapCampus.first.dropFirst().map {
            SurveyKey(MapCampus.site, $0.scan.id).tombstone
        }
        try await campus.apply(Array(others))
        let next = try await campus.build()
        #expect(next.version == 2)
        let moment = campus.bench.clock.now
        try await RestoreMark(backup: "a", begunAt: moment).write(campus.pool)
        try await campus.pool.withTransaction { try RestoreMark.finish(at: moment, $0) }
        let erased = DeviceErased(
            id: EventID(high: 7, low: 1), site: MapCampus.site, device: DeviceID("gone"),
            at: ServiceBench.start)
        try await campus.apply([erased.record(source: "/test")])
        let removal = SurveyRemoval(log: campus.bench.log, pool: campus.pool, bell: OutboxBell())
        let newest = try await campus.build()
        try await removal.finishErasures()
        let left = try await campus.pool.query("SELECT version FROM radio_maps.radio_maps")
        #expect(try left.map { try $0["version"] } == [newest.version])
    }

    @Test(
        "of a backup goes for an erasure also where the restored log has no surveys of the site",
        arguments: [false, true])
    func restoredWithoutSurveys(hasPlacedAccessPoints: Bool) async throws {
        let campus = try await MapCampus()
        if hasPlacedAccessPoints {
            var document = MapCampus.document
            document.accessPointPlaces = [
                AccessPointPlace(
                    address: HardwareAddress(value: 1), floor: FloorID("north-0"), point: [4, 4])
            ]
            try campus.publish(document, version: 2)
        }
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        #expect(try await campus.build().fingerprints == MapCampus.first.count)
        // The view is made anew from a log that lost the surveys with their device.
        for table in ["surveys", "sites"] {
            try await campus.pool.query("DELETE FROM fingerprint_builder.\(table)")
        }
        let moment = campus.bench.clock.now
        try await RestoreMark(backup: "a", begunAt: moment).write(campus.pool)
        try await campus.pool.withTransaction { try RestoreMark.finish(at: moment, $0) }
        let id = EventID(high: 7, low: 1)
        let erased = DeviceErased(
            id: id, site: MapCampus.site, device: DeviceID("tablet"), at: ServiceBench.start)
        try await campus.apply([erased.record(source: "/test")])
        #expect(try await campus.build().fingerprints == 0)
        try await SurveyRemoval(
            log: campus.bench.log, pool: campus.pool, bell: OutboxBell(),
            erasuresKept: .seconds(1_000_000_000)
        ).finishErasures()
        let left = try await campus.pool.query(
            """
            SELECT (SELECT count(*) FROM radio_maps.radio_maps) AS versions,
                (SELECT done_at IS NOT NULL FROM fingerprint_builder.erasures WHERE id = $1) AS done
            """, [.uuid(id.bytes)])[0]
        #expect(try (left["versions"], left["done"]) == (1, true))
    }

    @Test("of a site that no record tells of any more goes for an erasure that waits for it")
    func forgotten() async throws {
        let campus = try await MapCampus()
        try await campus.apply(MapCampus.first.map { $0.record(source: "/test") })
        _ = try await campus.build()
        campus.bench.sites.replace(with: [:], announced: [MapCampus.site])
        #expect(try await erase(campus, 1) == (false, 2), "its document may come yet")
        campus.bench.sites.replace(with: [:])
        #expect(try await erase(campus, 1) == (true, 0))
    }
}
