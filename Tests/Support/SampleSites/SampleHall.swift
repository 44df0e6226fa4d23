import Events
import Geometry
import Site

/// The hall of a large campus: a building of one floor with aisles from west to east, and stalls on
/// both sides of each. The aisles begin at a gallery in the west, where the door is.
struct SampleHall {
    let stalls: Int
    /// The south-western corner.
    let corner: Point

    private static let id = BuildingID("hall")
    private static let floor = FloorID("hall.0")
    private static let gallery = RoomID("hall.gallery")
    private static let stallsAlong = 50
    private static let stallWidth = 3.0
    private static let stallDepth = 4.0
    private static let aisleWidth = 3.0
    private static let galleryWidth = 5.0

    private var aisles: Int { (stalls + 2 * Self.stallsAlong - 1) / (2 * Self.stallsAlong) }
    private var pitch: Double { 2 * Self.stallDepth + Self.aisleWidth }
    private var depth: Double { Double(aisles) * pitch }
    /// The place of the front door.
    var front: Point { Point(x: corner.x, y: corner.y + pitch / 2) }

    var buildings: [BuildingRecord] {
        guard stalls > 0 else { return [] }
        let width = Self.galleryWidth + Double(Self.stallsAlong) * Self.stallWidth
        return [
            BuildingRecord(
                id: Self.id, name: "Market Hall", names: Translations(["cy": "Neuadd y Farchnad"]),
                timeZone: "Europe/London",
                outline: SampleCampus.rectangle(corner, width: width, depth: depth))
        ]
    }

    var floors: [FloorRecord] {
        guard stalls > 0 else { return [] }
        return [
            FloorRecord(
                id: Self.floor, building: Self.id, ordinal: 0, level: "G", heightMetres: 0)
        ]
    }

    var rooms: [RoomRecord] {
        guard stalls > 0 else { return [] }
        let gallery = RoomRecord(
            id: Self.gallery, floor: Self.floor, name: "Gallery",
            names: Translations(["cy": "Oriel"]), kind: "corridor",
            outline: SampleCampus.rectangle(corner, width: Self.galleryWidth, depth: depth))
        return [gallery] + (0..<aisles).map(aisle) + (0..<stalls).map(stall)
    }

    private func aisleID(_ number: Int) -> RoomID { RoomID("hall.aisle.\(number)") }

    private func stallID(_ number: Int) -> RoomID { RoomID("hall.\(number)") }

    private func aisle(_ number: Int) -> RoomRecord {
        RoomRecord(
            id: aisleID(number), floor: Self.floor, name: "Aisle \(number + 1)",
            names: Translations(["cy": "Eil \(number + 1)"]), kind: "corridor",
            outline: SampleCampus.rectangle(
                Point(
                    x: corner.x + Self.galleryWidth,
                    y: corner.y + Double(number) * pitch + Self.stallDepth),
                width: Double(Self.stallsAlong) * Self.stallWidth, depth: Self.aisleWidth))
    }

    /// The south-western corner of a stall. The first fifty of an aisle are south of it.
    private func place(_ number: Int) -> Point {
        let row = number / Self.stallsAlong
        return Point(
            x: corner.x + Self.galleryWidth + Double(number % Self.stallsAlong) * Self.stallWidth,
            y: corner.y + Double(row / 2) * pitch
                + (row % 2 == 0 ? 0 : Self.stallDepth + Self.aisleWidth))
    }

    private func stall(_ number: Int) -> RoomRecord {
        RoomRecord(
            id: stallID(number), floor: Self.floor, name: "Stall \(number + 1)",
            names: Translations(["cy": "Stondin \(number + 1)"]),
            kind: number % 10 == 9 ? "cafe" : "shop",
            outline: SampleCampus.rectangle(
                place(number), width: Self.stallWidth, depth: Self.stallDepth))
    }

    var connections: [ConnectionRecord] {
        guard stalls > 0 else { return [] }
        let doors = (0..<stalls).map { number in
            let (row, place) = (number / Self.stallsAlong, place(number))
            return door(
                "\(number)", stallID(number), aisleID(row / 2),
                Point(
                    x: place.x + Self.stallWidth / 2,
                    y: row % 2 == 0 ? place.y + Self.stallDepth : place.y), width: 1)
        }
        let openings = (0..<aisles).map { number in
            door(
                "aisle.\(number)", aisleID(number), Self.gallery,
                Point(
                    x: corner.x + Self.galleryWidth,
                    y: corner.y + (Double(number) + 0.5) * pitch), width: Self.aisleWidth)
        }
        return openings + doors + [door("front", nil, Self.gallery, front, width: 3)]
    }

    private func door(
        _ id: String, _ first: RoomID?, _ second: RoomID, _ point: Point, width: Double
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID("hall.d.\(id)"), kind: .door,
            stops: [first, second].map {
                ConnectionStop(floor: $0 == nil ? nil : Self.floor, room: $0, point: point)
            }, accessible: .yes, widthMetres: width)
    }
}
