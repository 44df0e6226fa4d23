import Events
import Geometry
import Site
import Wayfinding

/// A building drawn in characters, one for each square metre, floor by floor from ordinal 0 up.
///
///     #         wall; a wall that a room encloses is a pillar
///     a to z    a room: all adjacent squares of a letter; named by letter and floor, such as a0
///     +         a door in a wall, between the squares on both sides of it
///     S L P     stairs to the same square of the next floor, a lift through all floors that have
///               it there, a platform lift
///     ^ v       an escalator up to, or down from, the same square of the next floor
///     R         a ramp to the next square with an R in its line
///     =         a path outdoors
///     1 to 9    a location within a room
///     space     outdoors, or nothing
///
/// A connection's id is its mark with floor, column and row: `S0.4.2`. A square in a room with any
/// mark except a letter belongs to the room beside it.
struct DrawnBuilding {
    private(set) var document: SiteDocument
    private let floors: [[[Character]]]
    private var roomAt: [[[RoomID?]]] = []

    init(_ drawings: String...) {
        document = SiteDocument(
            name: "Drawn", originLatitude: 52, originLongitude: -4, bearingDegrees: 0)
        document.buildings = [
            BuildingRecord(id: BuildingID("drawn"), name: "Drawn", timeZone: "Europe/London")
        ]
        floors = drawings.map { $0.split(separator: "\n").map(Array.init) }
        for (floor, rows) in floors.enumerated() {
            document.floors.append(
                FloorRecord(
                    id: FloorID("\(floor)"), building: BuildingID("drawn"), ordinal: floor,
                    level: "\(floor)"))
            var rooms = rows.map { $0.map { _ in RoomID?.none } }
            addRooms(rows, floor, &rooms)
            roomAt.append(rooms)
        }
        for (floor, rows) in floors.enumerated() {
            for (row, line) in rows.enumerated() {
                for (column, mark) in line.enumerated() { add(mark, floor, column, row) }
            }
        }
    }

    /// The same building with one connection changed.
    func with(_ id: String, _ change: (inout ConnectionRecord) -> Void) -> DrawnBuilding {
        var copy = self
        guard let index = copy.document.connections.firstIndex(where: { $0.id.text == id }) else {
            preconditionFailure("no \(id) in \(document.connections.map(\.id.text))")
        }
        change(&copy.document.connections[index])
        return copy
    }

    mutating func edit(_ id: RoomID, _ change: (inout RoomRecord) -> Void) {
        guard let index = document.rooms.firstIndex(where: { $0.id == id }) else {
            preconditionFailure("no room \(id)")
        }
        change(&document.rooms[index])
    }

    mutating func edit(_ change: (inout SiteDocument) -> Void) { change(&document) }

    func finder() throws -> WayFinder { WayFinder(try WayNetwork(try SiteIndex(document))) }

    // MARK: Squares

    private func mark(_ floor: Int, _ column: Int, _ row: Int) -> Character {
        floors.indices.contains(floor) ? Self.mark(floors[floor], column, row) : " "
    }

    private static func mark(_ rows: [[Character]], _ column: Int, _ row: Int) -> Character {
        guard rows.indices.contains(row), rows[row].indices.contains(column) else { return " " }
        return rows[row][column]
    }

    private func room(_ floor: Int, _ column: Int, _ row: Int) -> RoomID? {
        guard roomAt.indices.contains(floor), roomAt[floor].indices.contains(row),
            roomAt[floor][row].indices.contains(column)
        else { return nil }
        return roomAt[floor][row][column]
    }

    /// Rows are drawn from the top down, but y grows upwards.
    static func middle(_ column: Int, _ row: Int) -> Point {
        Point(x: Double(column) + 0.5, y: -Double(row) - 0.5)
    }

    private static let beside = [(0, -1), (-1, 0), (1, 0), (0, 1)]

    // MARK: Rooms

    private mutating func addRooms(
        _ rows: [[Character]], _ floor: Int, _ rooms: inout [[RoomID?]]
    ) {
        var seen: Set<Square> = []
        for (row, line) in rows.enumerated() {
            for (column, letter) in line.enumerated() {
                let square = Square(column: column, row: row)
                guard letter.isLowercase && letter.isLetter && letter != "v" || letter == "#",
                    !seen.contains(square)
                else { continue }
                let region = Self.region(from: square, rows) { other in
                    other == letter
                        || (letter != "#" && !other.isLowercase && !"#+= ".contains(other))
                        || (letter != "#" && other == "v")
                }
                seen.formUnion(region)
                if letter == "#" {
                    addPillar(region, floor, rows)
                    continue
                }
                let id = RoomID("\(letter)\(floor)")
                for one in region { rooms[one.row][one.column] = id }
                let rings = SquareOutline.rings(of: region)
                let holes = rings.dropFirst().filter { !isPillar($0, rows) }
                document.rooms.append(
                    RoomRecord(
                        id: id, floor: FloorID("\(floor)"), name: "Room \(id)", kind: "room",
                        outline: rings[0], holes: holes))
            }
        }
    }

    private mutating func addPillar(
        _ region: Set<Square>, _ floor: Int, _ rows: [[Character]]
    ) {
        guard Self.isPillar(region, rows) else { return }
        document.rooms.append(
            RoomRecord(
                id: RoomID("pillar\(floor).\(document.rooms.count)"), floor: FloorID("\(floor)"),
                name: "Pillar", kind: "pillar", outline: SquareOutline.rings(of: region)[0]))
    }

    /// A group of wall squares is a wall, not a pillar, if it touches the rim, a door or two rooms.
    private static func isPillar(_ region: Set<Square>, _ rows: [[Character]]) -> Bool {
        let around = region.flatMap { square in
            beside.map { mark(rows, square.column + $0.0, square.row + $0.1) }
        }
        let letters = Set(around).subtracting(["#"])
        return letters.isDisjoint(with: ["+", " ", "="]) && letters.count == 1
    }

    /// Whether the squares behind a ring's first edge are a pillar.
    private func isPillar(_ ring: Ring, _ rows: [[Character]]) -> Bool {
        let (start, end) = (ring.corners[0], ring.corners[1])
        let (dx, dy) = ((end.x - start.x).signum, (end.y - start.y).signum)
        // Half a square along the edge, and half a square to its right.
        let x = start.x + 0.5 * dx + 0.5 * dy
        let y = start.y + 0.5 * dy - 0.5 * dx
        let square = Square(column: Int(x.rounded(.down)), row: Int((-y).rounded(.down)))
        guard Self.mark(rows, square.column, square.row) == "#" else { return false }
        return Self.isPillar(Self.region(from: square, rows) { $0 == "#" }, rows)
    }

    private static func region(
        from start: Square, _ rows: [[Character]], isPart: (Character) -> Bool
    ) -> Set<Square> {
        var region: Set = [start]
        var waiting = [start]
        while let square = waiting.popLast() {
            for step in beside {
                let next = Square(column: square.column + step.0, row: square.row + step.1)
                guard rows.indices.contains(next.row), rows[next.row].indices.contains(next.column),
                    isPart(rows[next.row][next.column]), region.insert(next).inserted
                else { continue }
                waiting.append(next)
            }
        }
        return region
    }

    // MARK: Connections

    private mutating func add(_ mark: Character, _ floor: Int, _ column: Int, _ row: Int) {
        let id = ConnectionID(
            "\(mark == "^" ? "up" : mark == "=" ? "path" : String(mark))"
                .replacing("+", with: "door") + "\(floor).\(column).\(row)")
        switch mark {
        case "+": addDoor(id, floor, column, row)
        case "S":
            guard self.mark(floor + 1, column, row) == "S" else { return }
            add(id, .stairs, [stop(floor, column, row), stop(floor + 1, column, row)])
        case "^":
            guard self.mark(floor + 1, column, row) == "^" else { return }
            add(id, .escalator, [stop(floor, column, row), stop(floor + 1, column, row)], true)
        case "v":
            guard self.mark(floor + 1, column, row) == "v" else { return }
            add(id, .escalator, [stop(floor + 1, column, row), stop(floor, column, row)], true)
        case "L", "P":
            guard self.mark(floor - 1, column, row) != mark else { return }
            let stops = floors.indices.filter { self.mark($0, column, row) == mark }
                .map { stop($0, column, row) }
            add(id, mark == "L" ? .lift : .platformLift, stops)
        case "R":
            guard
                let next = (column + 1..<column + 40).first(where: {
                    self.mark(floor, $0, row) == "R"
                })
            else { return }
            add(id, .ramp, [stop(floor, column, row), stop(floor, next, row)])
        case "=":
            for (x, y) in [(column + 1, row), (column, row + 1)]
            where "=+".contains(self.mark(floor, x, y)) {
                addPath(id, floor, (column, row), (x, y))
            }
            for (x, y) in [(column - 1, row), (column, row - 1)]
            where self.mark(floor, x, y) == "+" { addPath(id, floor, (column, row), (x, y)) }
        case "1"..."9":
            let point = Self.middle(column, row)
            document.locations.append(
                LocationRecord(
                    id: LocationID(String(mark)), floor: FloorID("\(floor)"),
                    room: room(floor, column, row), point: point))
        default: break
        }
    }

    private func stop(_ floor: Int, _ column: Int, _ row: Int) -> ConnectionStop {
        let point = Self.middle(column, row)
        return ConnectionStop(
            floor: FloorID("\(floor)"), room: room(floor, column, row), point: point)
    }

    private mutating func add(
        _ id: ConnectionID, _ kind: ConnectionRecord.Kind, _ stops: [ConnectionStop],
        _ isOneWay: Bool = false
    ) {
        document.connections.append(
            ConnectionRecord(id: id, kind: kind, stops: stops, isOneWay: isOneWay))
    }

    private mutating func addDoor(_ id: ConnectionID, _ floor: Int, _ column: Int, _ row: Int) {
        let point = Self.middle(column, row)
        let sides = Self.beside.compactMap { step -> ConnectionStop? in
            let (x, y) = (column + step.0, row + step.1)
            if let room = room(floor, x, y) {
                return ConnectionStop(
                    floor: FloorID("\(floor)"), room: room, point: point)
            }
            return "= ".contains(mark(floor, x, y))
                ? ConnectionStop(floor: nil, point: point) : nil
        }
        add(id, .door, sides)
    }

    private mutating func addPath(
        _ id: ConnectionID, _ floor: Int, _ from: (Int, Int), _ to: (Int, Int)
    ) {
        let stops = [from, to].map { square in
            let point = Self.middle(square.0, square.1)
            return ConnectionStop(floor: nil, point: point)
        }
        let suffix = to.0 != from.0 ? (to.0 > from.0 ? "e" : "w") : (to.1 > from.1 ? "s" : "n")
        add(ConnectionID(id.text + suffix), .walk, stops)
    }
}

struct Square: Hashable {
    var column: Int
    var row: Int
}

/// The outlines of adjacent squares: the outer one first, then those of the parts that it encloses.
enum SquareOutline {
    static func rings(of squares: Set<Square>) -> [Ring] {
        // The edges, with the squares on their left, by their start.
        var next: [Corner: [Corner]] = [:]
        func add(_ fromX: Int, _ fromY: Int, _ toX: Int, _ toY: Int) {
            next[Corner(x: fromX, y: fromY), default: []].append(Corner(x: toX, y: toY))
        }
        for square in squares {
            let (x, y) = (square.column, -square.row)
            func has(_ column: Int, _ row: Int) -> Bool {
                squares.contains(Square(column: column, row: row))
            }
            if !has(square.column, square.row + 1) { add(x, y - 1, x + 1, y - 1) }
            if !has(square.column + 1, square.row) { add(x + 1, y - 1, x + 1, y) }
            if !has(square.column, square.row - 1) { add(x + 1, y, x, y) }
            if !has(square.column - 1, square.row) { add(x, y, x, y - 1) }
        }
        var rings: [Ring] = []
        // The lowest of the leftmost corners is on the outer outline.
        while let start = next.keys.min(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
            var corners: [Corner] = []
            var corner = start
            repeat {
                corners.append(corner)
                guard let following = next[corner]?.popLast() else { break }
                if next[corner]?.isEmpty == true { next[corner] = nil }
                corner = following
            } while corner != start
            rings.append(Ring(straightened(corners).map { [Double($0.x), Double($0.y)] }))
        }
        return rings
    }

    private struct Corner: Hashable {
        var x: Int
        var y: Int
    }

    private static func straightened(_ corners: [Corner]) -> [Corner] {
        corners.indices.filter { index in
            let before = corners[(index + corners.count - 1) % corners.count]
            let (here, after) = (corners[index], corners[(index + 1) % corners.count])
            return (here.x - before.x) * (after.y - here.y)
                != (here.y - before.y) * (after.x - here.x)
        }.map { corners[$0] }
    }
}

extension Double {
    fileprivate var signum: Double { self > 0 ? 1 : self < 0 ? -1 : 0 }
}
