import Events
import LogViews
import Positioning
import Postgres
import ServiceBench
import TestSupport
import Testing

@testable import FingerprintBuilder

/// Stores radio maps on a real PostgreSQL.
@Suite(
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct RadioMapStoreTests {
    private static let museum = SiteID("museum")
    private static let other = SiteID("other")

    private func publish(
        _ hash: String, as version: Int, of site: SiteID, in store: RadioMapStore
    ) async throws -> Bool {
        let announcement = RadioMapAnnounced(
            site: site, version: version, hash: "whole \(hash)", byteCount: 1, siteVersion: 1,
            surveyOffsets: [], builderVersion: "1",
            builtAt: Timestamp(milliseconds: 1_795_248_000_000), fingerprints: 0, accessPoints: 0)
        let part = MadePart(
            announced: .init(building: BuildingID("house"), hash: hash, byteCount: 1),
            part: .empty, inputs: "",
            new: .init(
                bytes: [1], notes: PartNotes([], refused: []), surveys: [], discarded: [],
                rejections: 0))
        return try await store.publish(
            MapPublication(
                announcement: announcement, parts: [part], surveys: version, reviews: 0),
            source: MapBuilder.source)
    }

    @Test("The store keeps a site's newest hundred versions, and only artifacts that they name")
    func versions() async throws {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await pool.withConnection { connection in
            _ = try await RadioMapStore.migrator.migrate(connection)
        }
        var store = RadioMapStore(pool: pool)
        // The announcements' time is long ago when this test runs years later.
        store.positionsKept = .seconds(1_000_000_000)
        #expect(try await publish("of both", as: 1, of: Self.other, in: store))
        #expect(try await publish("of both", as: 1, of: Self.museum, in: store))
        #expect(try await publish("old", as: 2, of: Self.museum, in: store))
        // Equal surveys give equal bytes.
        let newest = MapLimits.versionsKept + 3
        for version in 3...newest {
            let hash = version.isMultiple(of: 2) ? "new" : "map \(version)"
            #expect(try await publish(hash, as: version, of: Self.museum, in: store))
        }
        let count = try await pool.query(
            "SELECT count(*)::bigint AS n, min(version) AS oldest FROM radio_maps.radio_maps"
                + " WHERE site = $1", [.text(Self.museum.text)])
        #expect(try count.first?["n"] as Int? == MapLimits.versionsKept)
        #expect(try count.first?["oldest"] as Int? == newest - MapLimits.versionsKept + 1)
        #expect(try await store.artifact("old") == nil)
        #expect(try await store.artifact("map 3") == nil)
        #expect(try await store.artifact("of both") == [1], "another site has it still")
        #expect(try await store.artifact("new") == [1])
        #expect(try await store.artifact("map 5") == [1])
        #expect(try await !publish("late", as: newest, of: Self.museum, in: store))
        #expect(try await store.artifact("late") == nil, "who comes second leaves nothing")
        // No position that is kept names a version that was replaced before.
        store.positionsKept = .zero
        #expect(try await publish("last", as: newest + 1, of: Self.museum, in: store))
        let left = try await pool.query(
            "SELECT version FROM radio_maps.radio_maps WHERE site = $1", [.text(Self.museum.text)])
        #expect(try left.map { try $0["version"] as Int } == [newest + 1])
        #expect(try await store.artifact("new") == nil)
        #expect(try await store.artifact("last") == [1])
    }

    @Test("A map, its choice and calibrations of nodes are sent before the relay's next turn")
    func bell() async throws {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await pool.withConnection { connection in
            _ = try await RadioMapStore.migrator.migrate(connection)
        }
        let bench = try await ServiceBench()
        let bell = OutboxBell()
        let store = RadioMapStore(pool: pool, bell: bell)
        let nodes = NodeStore(pool: pool, bell: bell)
        let relay = Task {
            // Its first turn is at once, and the second is after the end of the test.
            await RadioMapStore.outbox.relay(
                log: bench.log, pool: pool, every: .seconds(3_600), bell: bell,
                notices: bench.notices)
        }
        func isSent() async throws -> Bool {
            for _ in 0..<600 {
                if try await pool.query("SELECT 1 FROM radio_maps.outbox").isEmpty { return true }
                try await Task.sleep(for: .milliseconds(50))
            }
            return false
        }
        for version in 1...3 {
            #expect(try await publish("map \(version)", as: version, of: Self.museum, in: store))
            #expect(try await isSent(), "map \(version)")
        }
        try await store.publish(
            PositionerChosen(
                site: Self.museum, radioMapVersion: 3, hash: "map 3", positioner: "knn",
                meanErrorMetres: nil, floorHit: nil, chosenAt: ServiceBench.start),
            source: MapBuilder.source)
        #expect(try await isSent(), "choice")
        let calibration = NodesCalibrated(
            site: Self.museum, siteVersion: 1, calibratedAt: ServiceBench.start, level: -59,
            wallLoss: 4, floorLoss: 15, deviation: 4, nodes: [])
        #expect(try await nodes.publish(calibration, source: MapBuilder.source))
        #expect(try await isSent(), "calibration")
        try await nodes.remove(Self.museum)
        #expect(try await isSent(), "its removal")
        relay.cancel()
        await relay.value
    }

    @Test("A site chooses anew every ten minutes at most, or when its map has grown by half")
    func choosing() async throws {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await pool.withConnection { connection in
            _ = try await RadioMapStore.migrator.migrate(connection)
        }
        let store = RadioMapStore(pool: pool)
        // Each version here has as many surveys as its number says.
        func waiting(_ version: Int) async throws -> [Int] {
            #expect(try await publish("map \(version)", as: version, of: Self.museum, in: store))
            return try await store.newestWithoutChoice(quiet: .zero).filter(\.isDue).map(\.version)
        }
        func choose(_ version: Int) async throws {
            try await store.publish(
                PositionerChosen(
                    site: Self.museum, radioMapVersion: version, hash: "map \(version)",
                    positioner: "knn", meanErrorMetres: nil, floorHit: nil,
                    chosenAt: Timestamp(milliseconds: 1_795_248_000_000)),
                source: MapBuilder.source)
        }
        #expect(try await waiting(100) == [100])
        try await choose(100)
        #expect(try await waiting(140) == [])
        #expect(try await waiting(150) == [150])
        try await choose(150)
        #expect(try await waiting(151) == [])
        try await pool.query(
            "UPDATE radio_maps.choices SET chosen_at = chosen_at - interval '601 seconds'")
        let found = try await store.newestWithoutChoice(quiet: .zero)
        #expect(found.map(\.version) == [151])
        #expect(found.map(\.isDue) == [true])
    }
}
