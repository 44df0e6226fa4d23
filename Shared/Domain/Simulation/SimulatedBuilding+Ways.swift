import Events
import Geometry
import Site

/// The connections of the house for routes. The radio model does not depend on them, so they may
/// change while it is frozen.
extension SimulatedBuilding {
    /// The connections are doors on every storey, stairs between storeys, a lift over all storeys
    /// in each wing, and the front door. The front door opens by itself, at the east end of the
    /// southern corridor.
    static func connections(of plan: FloorPlan) -> [ConnectionRecord] {
        var connections: [ConnectionRecord] = []
        for storey in 0..<storeys {
            for (number, door) in plan.doors.enumerated() {
                connections.append(Self.door(door, number, storey, plan))
            }
        }
        for wing in FloorPlan.Wing.allCases {
            connections += (1..<storeys).map { stairs(wing, to: $0) }
            connections.append(lift(wing))
        }
        connections.append(
            ConnectionRecord(
                id: ConnectionID("front-door"), kind: .door, name: "Front door",
                names: Translations(["cy": "Drws ffrynt", "de": "Haupteingang"]),
                stops: [
                    ConnectionStop(floor: nil, point: [48, 11.25]),
                    ConnectionStop(floor: floor(0), room: RoomID("0.SC"), point: [48, 11.25]),
                ], accessible: .yes, widthMetres: 1.8, isAutomatic: true))
        return connections
    }

    /// Doors have the usual width; the open ends of corridors have that of the corridor.
    private static func door(
        _ door: PlanDoor, _ number: Int, _ storey: Int, _ plan: FloorPlan
    ) -> ConnectionRecord {
        let isOpening = [door.first, door.second].allSatisfy { plan.rooms[$0].kind == .corridor }
        return ConnectionRecord(
            id: ConnectionID("\(storey).D\(number)"), kind: .door,
            stops: [door.first, door.second].map { room in
                ConnectionStop(
                    floor: floor(storey), room: Self.room(plan.rooms[room], storey: storey),
                    point: Point(x: door.point.x, y: door.point.y))
            }, accessible: .yes, widthMetres: isOpening ? 2.5 : 0.9,
            isAutomatic: isOpening ? nil : false)
    }

    /// Stairs with a flight up, a landing at the far wall, and a flight back.
    private static func stairs(_ wing: FloorPlan.Wing, to storey: Int) -> ConnectionRecord {
        let (up, back) = (wing.placed(14.5), wing.placed(16.5))
        func stop(_ storey: Int, _ y: Double) -> ConnectionStop {
            ConnectionStop(
                floor: floor(storey), room: RoomID("\(storey).\(wing.rawValue)S"), point: [28, y])
        }
        return ConnectionRecord(
            id: ConnectionID("stairs-\(wing.rawValue)\(storey)"), kind: .stairs,
            stops: [stop(storey - 1, up), stop(storey, back)], line: [[31.5, up], [31.5, back]],
            accessible: .no, widthMetres: 1.5, steps: 24)
    }

    private static func lift(_ wing: FloorPlan.Wing) -> ConnectionRecord {
        let isSouth = wing == .south
        return ConnectionRecord(
            id: ConnectionID("lift-\(wing.rawValue)"), kind: .lift,
            name: isSouth ? "Lift S" : "Lift N",
            names: Translations(
                isSouth
                    ? ["cy": "Lifft De", "de": "Aufzug Süd"]
                    : ["cy": "Lifft Gogledd", "de": "Aufzug Nord"]),
            stops: (0..<storeys).map { storey in
                ConnectionStop(
                    floor: floor(storey), room: RoomID("\(storey).\(wing.rawValue)L"),
                    point: Point(x: 29.5, y: wing.placed(20.5)))
            }, accessible: .yes, widthMetres: 1.1)
    }

    /// The names of a kind of room in further languages, which stand before the room's id.
    static func titles(of room: PlanRoom) -> (name: String, names: [String: String]) {
        switch room.kind {
        case .room where room.name == "K": ("Kitchen", ["cy": "Cegin", "de": "Küche"])
        case .room: ("Lab", ["cy": "Labordy", "de": "Labor"])
        case .corridor: ("Corridor", ["cy": "Coridor", "de": "Flur"])
        case .stairs: ("Stairs", ["cy": "Grisiau", "de": "Treppenhaus"])
        case .lift: ("Lift", ["cy": "Lifft", "de": "Aufzug"])
        }
    }
}
