import Events
import Geometry
import Site

extension SampleCampus {
    /// Doors to the corridor, and between five of six pairs of neighbouring rooms.
    func doors(_ building: Int, _ floor: Int) -> [ConnectionRecord] {
        let origin = corner(building)
        func door(_ id: String, _ first: RoomID, _ second: RoomID, at point: Point)
            -> ConnectionRecord
        {
            ConnectionRecord(
                id: ConnectionID("b\(building).\(floor).\(id)"), kind: .door,
                stops: [first, second].map {
                    ConnectionStop(floor: floorID(building, floor), room: $0, point: point)
                }, accessible: .yes, widthMetres: 0.9, isAutomatic: false)
        }
        let toCorridor = (0..<rooms).map { number in
            let place = place(number, origin)
            return door(
                "d\(number)", room(building, floor, number), corridor(building, floor),
                at: Point(
                    x: place.x + Self.roomWidth / 2,
                    y: number < north ? place.y : place.y + Self.roomDepth))
        }
        let neighbours = (0..<rooms - 2).filter { $0 != north - 1 && $0 % 6 != 5 }
        return toCorridor
            + neighbours.map { number in
                let place = place(number, origin)
                return door(
                    "n\(number)", room(building, floor, number), room(building, floor, number + 1),
                    at: Point(x: place.x + Self.roomWidth, y: place.y + Self.roomDepth / 2))
            }
    }

    /// Two stairs and a lift between the floors, the front door, and the path to the street.
    func ways(_ building: Int) -> [ConnectionRecord] {
        let origin = corner(building)
        func stop(_ floor: Int, _ x: Double, _ y: Double) -> ConnectionStop {
            ConnectionStop(
                floor: floorID(building, floor), room: corridor(building, floor),
                point: Point(x: origin.x + x, y: origin.y + Self.roomDepth + y))
        }
        let stairs = (1..<floors).flatMap { floor in
            [4.0, width - 4].enumerated().map { number, x in
                ConnectionRecord(
                    id: ConnectionID("b\(building).s\(floor).\(number)"), kind: .stairs,
                    stops: [stop(floor - 1, x, 1), stop(floor, x, 2)], accessible: .no,
                    widthMetres: 1.5, steps: 24)
            }
        }
        let lift = ConnectionRecord(
            id: ConnectionID("b\(building).lift"), kind: .lift,
            stops: (0..<floors).map { stop($0, width / 2, 1.5) }, accessible: .yes,
            widthMetres: 1.1)
        let front = front(building)
        let door = ConnectionRecord(
            id: ConnectionID("b\(building).front"), kind: .door,
            stops: [
                ConnectionStop(floor: nil, point: front),
                ConnectionStop(
                    floor: floorID(building, 0), room: corridor(building, 0), point: front),
            ], accessible: .yes, widthMetres: 1.8, isAutomatic: true)
        let gate = gate(building)
        return stairs + [
            lift, door,
            Self.walk("b\(building)", front, gate, over: [Point(x: gate.x, y: front.y)]),
        ]
    }

    private func front(_ building: Int) -> Point {
        let corner = corner(building)
        return Point(x: corner.x, y: corner.y + Self.roomDepth + Self.corridorWidth / 2)
    }

    /// The place where a building's path meets the street.
    private func gate(_ building: Int) -> Point {
        let corner = corner(building)
        return Point(x: corner.x - 8, y: corner.y - 20)
    }

    /// Walks along each row, and from row to row in the west. In the east there are steps.
    var streets: [ConnectionRecord] {
        let along = (0..<buildings).filter { $0 % Self.columns != 0 }.map { building in
            Self.walk(
                "street-\(building)", gate(building - 1), gate(building),
                named: building / Self.columns)
        }
        let rows = stride(from: Self.columns, to: buildings, by: Self.columns)
        let west = rows.map { Self.walk("west-\($0)", gate($0 - Self.columns), gate($0)) }
        let east = rows.map { $0 + Self.columns - 1 }.filter { $0 < buildings }.map { building in
            ConnectionRecord(
                id: ConnectionID("east-\(building)"), kind: .stairs,
                stops: [gate(building - Self.columns), gate(building)].map {
                    ConnectionStop(floor: nil, point: $0)
                }, accessible: .no, steps: 20)
        }
        let last = gate((self.rows - 1) * Self.columns)
        let toHall = stalls > 0 ? [Self.walk("hall", last, hall.front)] : []
        return along + west + east + toHall
    }

    private static func walk(
        _ id: String, _ start: Point, _ end: Point, over line: [Point] = [],
        named street: Int? = nil
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID("walk.\(id)"), kind: .walk, name: street.map { "Street \($0 + 1)" },
            names: Translations(street.map { ["cy": "Stryd \($0 + 1)"] } ?? [:]),
            stops: [start, end].map { ConnectionStop(floor: nil, point: $0) }, line: line,
            accessible: .yes, widthMetres: 3, surface: "asphalt")
    }
}
