extension FloorPlan {
    /// The house: two wings of labs along corridors, joined by a block with the stairs and lifts.
    ///
    ///     55 +-----+-----+-----+-----+-----+-----+
    ///        | N01 | N02 | N03 | N04 | N05 | N06 |   labs, 8 x 10 m
    ///     45 +-----+-----+-----+-----+-----+-----+
    ///        |             corridor N            |   2.5 m
    ///   42.5 +-----+-----+-----+- -+-+-----+-----+
    ///        | N07 | N08 | N09 |   |S| N10 | N11 |   S stairs, L lift
    ///   32.5 +-----+-----+-----+ l +L+-----+-----+
    ///                          | i |K|               K kitchen
    ///   22.5 +-----+-----+-----+ n +L+-----+-----+
    ///        | S07 | S08 | S09 | k |S| S10 | S11 |
    ///   12.5 +-----+-----+-----+- -+-+-----+-----+
    ///        |             corridor S            |
    ///     10 +-----+-----+-----+-----+-----+-----+
    ///        | S01 | S02 | S03 | S04 | S05 | S06 |
    ///      0 +-----+-----+-----+-----+-----+-----+
    ///        0     8    16    24  27 32    40    48
    static let house: FloorPlan = {
        let link = 0
        var rooms = [
            PlanRoom(name: "link", kind: .corridor, x: 24...27, y: 12.5...42.5),
            PlanRoom(name: "K", kind: .room, x: 27...32, y: 22.5...32.5),
        ]
        var doors = [PlanDoor(first: link, second: 1, point: PlanPoint(x: 27, y: 24))]
        var walls: [PlanWall] = [
            PlanWall(direction: .alongY, position: 24, span: 22.5...32.5, thickness: .thick),
            PlanWall(direction: .alongY, position: 27, span: 22.5...32.5, thickness: .thin),
            PlanWall(direction: .alongY, position: 32, span: 22.5...32.5, thickness: .thick),
        ]
        for wing in Wing.allCases {
            add(wing, joinedBy: link, to: &rooms, &doors)
            walls += southWalls.map(wing.placed)
        }
        return FloorPlan(rooms: rooms, doors: doors, walls: walls)
    }()

    /// The house's extent in metres, along x and along y.
    static let houseX = 0.0...48.0
    static let houseY = 0.0...55.0

    /// A wing of the house. The wings are mirror images; both are written down as the southern one.
    enum Wing: String, CaseIterable {
        case south = "S"
        case north = "N"

        func placed(_ y: Double) -> Double { self == .south ? y : 55 - y }
        func placed(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
            self == .south ? range : 55 - range.upperBound...55 - range.lowerBound
        }
        func placed(_ wall: PlanWall) -> PlanWall {
            PlanWall(
                direction: wall.direction,
                position: wall.direction == .alongX ? placed(wall.position) : wall.position,
                span: wall.direction == .alongY ? placed(wall.span) : wall.span,
                thickness: wall.thickness)
        }
    }

    static let labWidthMetres = 8.0
    static let columns = 6
    /// The column of the inner row where the link, stairs and lift are instead of labs.
    static let coreColumn = 3

    private static func add(
        _ wing: Wing, joinedBy link: Int, to rooms: inout [PlanRoom], _ doors: inout [PlanDoor]
    ) {
        let corridor = rooms.count
        func addRoom(
            _ name: String, _ kind: PlanRoom.Kind, x: ClosedRange<Double>, y: ClosedRange<Double>,
            from neighbour: Int, doorX: Double, doorY: Double
        ) {
            let door = PlanPoint(x: doorX, y: wing.placed(doorY))
            doors.append(PlanDoor(first: neighbour, second: rooms.count, point: door))
            rooms.append(PlanRoom(name: name, kind: kind, x: x, y: wing.placed(y)))
        }
        addRoom(
            "\(wing.rawValue)C", .corridor, x: 0...48, y: 10...12.5, from: link, doorX: 25.5,
            doorY: 12.5)
        var number = 0
        for (rowY, doorY) in [(0.0...10.0, 10.0), (12.5...22.5, 12.5)] {
            for column in 0..<columns where !(doorY == 12.5 && column == coreColumn) {
                number += 1
                let x = Double(column) * labWidthMetres
                addRoom(
                    "\(wing.rawValue)\(number < 10 ? "0" : "")\(number)", .room,
                    x: x...x + labWidthMetres, y: rowY, from: corridor, doorX: x + 1.5,
                    doorY: doorY)
            }
        }
        addRoom(
            "\(wing.rawValue)S", .stairs, x: 27...32, y: 12.5...18.5, from: link, doorX: 27,
            doorY: 15.5)
        addRoom(
            "\(wing.rawValue)L", .lift, x: 27...32, y: 18.5...22.5, from: link, doorX: 27,
            doorY: 20.5)
    }

    /// Outer walls and those around the core are thick; walls between rooms are thin.
    private static let southWalls: [PlanWall] =
        thick(.alongX, 0, 0...48) + thick(.alongY, 0, 0...22.5) + thick(.alongY, 48, 0...22.5)
        + thick(.alongX, 22.5, 0...24) + thick(.alongX, 22.5, 27...48)
        + thick(.alongX, 12.5, 27...32) + thick(.alongX, 18.5, 27...32)
        + thick(.alongY, 27, 12.5...22.5) + thick(.alongY, 32, 12.5...22.5)
        + thin(.alongX, 10, 0...48) + thin(.alongX, 12.5, 0...24) + thin(.alongX, 12.5, 32...48)
        + [8, 16, 24, 32, 40].flatMap { thin(.alongY, $0, 0...10) }
        + [8, 16, 24, 40].flatMap { thin(.alongY, $0, 12.5...22.5) }

    private static func thick(
        _ direction: PlanWall.Direction, _ position: Double, _ span: ClosedRange<Double>
    ) -> [PlanWall] {
        [PlanWall(direction: direction, position: position, span: span, thickness: .thick)]
    }

    private static func thin(
        _ direction: PlanWall.Direction, _ position: Double, _ span: ClosedRange<Double>
    ) -> [PlanWall] {
        [PlanWall(direction: direction, position: position, span: span, thickness: .thin)]
    }
}
