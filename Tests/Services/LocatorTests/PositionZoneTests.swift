import Events
import Geometry
import Positioning
import Postgres
import SeededRandomness
import Site
import TestSupport
import Testing

@testable import Locator

@Suite(
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PositionZoneTests {
    private static let ground = FloorID("ground")

    private static func site() throws -> SiteIndex {
        try SiteIndex(
            SiteDocument(
                name: "Row", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
                buildings: [
                    BuildingRecord(id: BuildingID("house"), name: "", timeZone: "Europe/London")
                ],
                floors: [
                    FloorRecord(id: ground, building: BuildingID("house"), ordinal: 0, level: "G")
                ],
                rooms: [
                    RoomRecord(
                        id: RoomID("r0"), floor: ground, name: "", kind: "room",
                        outline: [[0, 0], [5, 0], [5, 8], [0, 8]])
                ],
                zones: [
                    ZoneRecord(
                        id: ZoneID("both"), name: "", kind: "", floor: ground,
                        outline: [[4, 0], [10, 0], [7, 4], [10, 8], [4, 8]],
                        rooms: [RoomID("r0")]),
                    ZoneRecord(
                        id: ZoneID("lawn"), name: "", kind: "",
                        outline: [[2, 2], [9, 2], [9, 6]]),
                    ZoneRecord(id: ZoneID("rooms"), name: "", kind: "", rooms: [RoomID("r0")]),
                ]))
    }

    @Test("A zone selects exactly the rows within its shapes")
    func agreement() async throws {
        let site = try Self.site()
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        _ = try await pool.query(
            """
            CREATE TABLE positions (
                id int, building text, floor text, room text, x float8, y float8)
            """)
        struct Row {
            var point: Point
            var floor: FloorID
            var room: RoomID?
        }
        var random = SeededRandom(seed: 5)
        let rows = (0..<400).map { _ in
            let point = Point(
                x: Double.random(in: -1...11, using: &random),
                y: Double.random(in: -1...9, using: &random))
            let floor = Bool.random(using: &random) ? Self.ground : .outdoors
            let room = site.floorIndex(floor).flatMap { site.room(at: point, on: $0) }
            return Row(point: point, floor: floor, room: room.map { site.room($0).id })
        }
        _ = try await pool.query(
            """
            INSERT INTO positions SELECT i - 1, b, f, r, x, y
            FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[])
                WITH ORDINALITY AS row (b, f, r, x, y, i)
            """,
            [
                .textArray(rows.map { $0.floor == Self.ground ? "house" : nil }),
                .textArray(rows.map(\.floor.text)), .textArray(rows.map { $0.room?.text }),
                .doubleArray(rows.map(\.point.x)), .doubleArray(rows.map(\.point.y)),
            ])
        func ids(_ zone: String) async throws -> [Int] {
            var values: [PostgresValue] = []
            let condition = PositionZone(zone, site: site).condition { value in
                values.append(value)
                return "$\(values.count)"
            }
            return try await pool.query(
                "SELECT id FROM positions WHERE \(condition) ORDER BY id", values
            ).map { try $0["id"] }
        }
        func expected(_ holds: (Row) -> Bool) -> [Int] { rows.indices.filter { holds(rows[$0]) } }
        let shapes = site.zoneShapes
        for zone in ["both", "lawn", "rooms"] {
            let found = try await ids(zone)
            #expect(
                found
                    == expected { row in
                        let floor = row.floor == Self.ground ? Self.ground : nil
                        return shapes.zones(at: row.point, on: floor).contains(ZoneID(zone))
                            || row.room.map { shapes.zones(of: $0).contains(ZoneID(zone)) } == true
                    }, "\(zone)")
            #expect(!found.isEmpty)
        }
        #expect(try await ids("r0") == expected { $0.room == RoomID("r0") })
        #expect(try await ids("house") == expected { $0.floor == Self.ground })
        #expect(try await ids("nowhere").isEmpty)
    }
}
