import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite("Cells of the walkable graph") struct WalkableCellsTests {
    private struct Slot: Hashable {
        var floor: Int32
        var column: Int
        var row: Int
    }

    /// Random rooms on each of a few floors; the last floor has none.
    private static func document(_ random: inout SeededRandom) -> SiteDocument {
        let plans = (0..<3).map { _ in RandomPlan.make(&random, hasDoors: false) }
        var document = plans[0]
        document.floors = (0...plans.count).map {
            FloorRecord(
                id: FloorID("floor-\($0)"), building: document.buildings[0].id, ordinal: $0,
                level: "\($0)")
        }
        document.rooms = plans.enumerated().flatMap { floor, plan in
            plan.rooms.map { room in
                var moved = room
                moved.id = RoomID("\(floor)-\(room.id.text)")
                moved.floor = document.floors[floor].id
                return moved
            }
        }
        // The rooms of a floor need not follow each other.
        document.rooms.shuffle(using: &random)
        return document
    }

    @Test("are those of a floor's rooms and surveys, looked at slot by slot", arguments: 0..<12)
    func slow(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let document = Self.document(&random)
        let site = try SiteIndex(document)
        let surveys = (0..<20).map { number in
            SurveyRecorded(
                scan: SampleSite.scan(
                    number, wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -50)],
                    seconds: 120 * number),
                place: .metres(
                    floor: document.floors[number % document.floors.count].id,
                    x: .random(in: -40...60, using: &random),
                    y: .random(in: -40...60, using: &random)))
        }
        let map = RadioMapBuilder.build(surveys, site: site).map
        let graph = WalkableGraphBuilder.build(map: map, site: site)
        var expected: [Slot: Int32] = [:]
        for floor in map.floors.indices {
            for (column, row) in (-40..<60).flatMap({ x in (-40..<60).map { (x, $0) } }) {
                let point = Point(x: 2 * Double(column) + 1, y: 2 * Double(row) + 1)
                let room = site.rooms.indices.first { index in
                    site.rooms[index].floor == map.floors[floor]
                        && site.outline(RoomIndex(index))?.contains(point) == true
                }
                let isNear = map.fingerprints.contains {
                    Int($0.floor) == floor && $0.room < 0 && $0.point.distance(to: point) <= 8
                }
                guard room != nil || isNear else { continue }
                let slot = Slot(floor: Int32(floor), column: column, row: row)
                expected[slot] = Int32(room ?? -1)
            }
        }
        let found = graph.cells.map { cell in
            let (column, row) = (graph.slot(cell.point.x), graph.slot(cell.point.y))
            return (Slot(floor: cell.floor, column: column, row: row), cell.room)
        }
        #expect(Dictionary(found, uniquingKeysWith: { first, _ in first }) == expected)
        #expect(found.count == expected.count)
    }
}
