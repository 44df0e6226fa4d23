import Events
import Geometry
import SampleSites
import SeededRandomness
import Site

@testable import Positioning

/// A floor of rooms in rows and columns of random widths, with doors that join all of them.
enum RandomPlan {
    static let floor = FloorID("plan")

    static func make(_ random: inout SeededRandom, hasDoors: Bool = true) -> SiteDocument {
        let columns = walls(Int.random(in: 2...5, using: &random), &random)
        let rows = walls(Int.random(in: 2...4, using: &random), &random)
        var document = SiteDocument(
            name: "Plan", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0)
        let building = BuildingID("plan")
        document.buildings = [
            BuildingRecord(id: building, name: "Plan", timeZone: "Europe/London")
        ]
        document.floors = [FloorRecord(id: floor, building: building, ordinal: 0, level: "0")]
        for row in 0..<rows.count - 1 {
            for column in 0..<columns.count - 1 {
                let (low, high) = (
                    Point(x: columns[column], y: rows[row]),
                    Point(x: columns[column + 1], y: rows[row + 1])
                )
                document.rooms.append(
                    RoomRecord(
                        id: room(column, row), floor: floor, name: "\(column) \(row)",
                        kind: Bool.random(using: &random) ? "room" : "corridor",
                        outline: [low, [high.x, low.y], high, [low.x, high.y]]))
            }
        }
        guard hasDoors else { return document }
        // Each room has a door to the one on its left or below; some have both.
        for row in 0..<rows.count - 1 {
            for column in 0..<columns.count - 1 {
                let hasLeft = column > 0 && (row == 0 || Bool.random(using: &random))
                let hasLower = row > 0 && (!hasLeft || Int.random(in: 0..<4, using: &random) == 0)
                if hasLeft {
                    let y = place(rows[row], rows[row + 1], &random)
                    add(
                        room(column - 1, row), room(column, row),
                        Point(x: columns[column], y: y), to: &document, &random)
                }
                if hasLower {
                    let x = place(columns[column], columns[column + 1], &random)
                    add(
                        room(column, row - 1), room(column, row), Point(x: x, y: rows[row]),
                        to: &document, &random)
                }
            }
        }
        return document
    }

    /// The graph of a site, from one survey in its first room on each floor.
    ///
    /// - Parameter place: the place of one more survey, on the first floor.
    static func graph(_ document: SiteDocument, and place: Point? = nil) throws -> WalkableGraph {
        let site = try SiteIndex(document)
        var places = document.floors.map { floor in
            let room = document.rooms.first { $0.floor == floor.id }
            let box = room.flatMap { BoundingBox($0.outline.corners) }
            return (floor: floor, point: box?.centre ?? Point(x: 0, y: 0))
        }
        if let place { places.append((document.floors[0], place)) }
        let surveys = places.enumerated().map { number, place in
            let (floor, centre) = place
            let scan = SampleSite.scan(
                number, wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -50)],
                seconds: 120 * number)
            return SurveyRecorded(
                scan: scan, place: .metres(floor: floor.id, x: centre.x, y: centre.y))
        }
        let map = RadioMapBuilder.build(surveys, site: site).map
        return WalkableGraphBuilder.build(map: map, site: site)
    }

    private static func room(_ column: Int, _ row: Int) -> RoomID { RoomID("\(column)-\(row)") }

    private static func walls(_ count: Int, _ random: inout SeededRandom) -> [Double] {
        var walls = [Double.random(in: -20...20, using: &random)]
        for _ in 0..<count {
            walls.append((walls.last ?? 0) + Double.random(in: 4...9, using: &random))
        }
        return walls
    }

    /// A place along a wall, not in its corners.
    private static func place(
        _ low: Double, _ high: Double, _ random: inout SeededRandom
    ) -> Double {
        Double.random(in: low + 1.2...high - 1.2, using: &random)
    }

    private static func add(
        _ one: RoomID, _ other: RoomID, _ point: Point, to document: inout SiteDocument,
        _ random: inout SeededRandom
    ) {
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID("door-\(document.connections.count)"), kind: .door,
                stops: [one, other].map { ConnectionStop(floor: floor, room: $0, point: point) },
                widthMetres: Double.random(in: 0.8...1.8, using: &random)))
    }
}
