import Events
import Postgres
import SampleSites
import SeededRandomness
import Site
import TestSupport
import Testing

@testable import SiteEditor

@Suite(
    "The rows of a published site",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SiteRowsTests {
    private static let site = SiteID("museum")
    private static let moment = Timestamp(milliseconds: 1_795_248_000_000)

    private static func store() async throws -> SiteStore {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await SiteEditorSchema.migrate(pool)
        return SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
    }

    private static func rows(_ store: SiteStore) async throws -> [String] {
        var rows: [String] = []
        for table in ["buildings", "floors", "rooms", "locations", "connections"] {
            rows += try await store.pool.query(
                "SELECT t::text AS row FROM site_editor.\(table) AS t ORDER BY site, id"
            ).map { row in
                let text: String = try row["row"]
                return "\(table) \(text)"
            }
        }
        return rows
    }

    private static func change(
        _ document: inout SiteDocument, _ step: Int, using random: inout SeededRandom
    ) {
        let index = Int.random(in: 0..<document.rooms.count, using: &random)
        var room = document.rooms[index]
        switch step % 4 {
        case 0:
            document.rooms[index].name = "Renamed \(step)"
        case 1:
            room.id = RoomID("new-\(step)")
            document.rooms.append(room)
        case 2:
            // Its outline is in no row.
            document.rooms[index].openingHours = "Mo-Fr"
        default:
            let gone = room.id
            document.locations.removeAll { $0.room == gone }
            document.connections.removeAll { $0.stops.contains { $0.room == gone } }
            document.rooms.remove(at: index)
        }
    }

    @Test("are those of the newest version, however it came about", arguments: 0..<3)
    func same(_ seed: Int) async throws {
        var random = SeededRandom(seed: seed)
        let edited = try await Self.store()
        var document = SampleSite.index.document
        for step in 0..<6 {
            let published = try await edited.replace(
                Self.site, with: document, expectedVersion: nil, at: Self.moment)
            #expect(published.version == step + 1)
            let fresh = try await Self.store()
            _ = try await fresh.replace(
                Self.site, with: document, expectedVersion: nil, at: Self.moment)
            #expect(try await Self.rows(edited) == Self.rows(fresh), "step \(step)")
            // Another process has not read the version before.
            if step == 3 { edited.cache.forget(Self.site) }
            Self.change(&document, step, using: &random)
        }
    }
}
