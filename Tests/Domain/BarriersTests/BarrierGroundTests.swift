import Events
import Geometry
import SeededRandomness
import Site
import Testing

@testable import Barriers

@Suite("Places of barriers") struct BarrierGroundTests {
    private static let ground = FloorID("ground")

    private static func stop(
        _ x: Double, _ y: Double, _ room: String? = nil, floor: FloorID? = ground
    ) -> ConnectionStop {
        ConnectionStop(floor: floor, room: room.map(RoomID.init), point: Point(x: x, y: y))
    }

    private static func room(_ id: String, _ x: Double) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: ground, name: id, kind: "room",
            outline: [[x, 0], [x + 10, 0], [x + 10, 8], [x, 8]])
    }

    /// Rooms A and B with a door between them. B has a second door. A lift at (25, 4) leads to the
    /// first floor, and a path lies outdoors.
    private static func site(_ more: [ConnectionRecord] = []) throws -> SiteIndex {
        let first = FloorID("first")
        let house = BuildingID("house")
        return try SiteIndex(
            SiteDocument(
                name: "House", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
                buildings: [BuildingRecord(id: house, name: "House", timeZone: "Europe/London")],
                floors: [
                    FloorRecord(id: ground, building: house, ordinal: 0, level: "G"),
                    FloorRecord(id: first, building: house, ordinal: 1, level: "1"),
                ], rooms: [room("A", 0), room("B", 10)],
                locations: [],
                connections: [
                    ConnectionRecord(
                        id: ConnectionID("door-ab"), kind: .door,
                        stops: [stop(10, 4, "A"), stop(10, 4, "B")]),
                    ConnectionRecord(
                        id: ConnectionID("door-b"), kind: .door,
                        stops: [stop(20, 4, "B"), stop(20, 4)]),
                    ConnectionRecord(
                        id: ConnectionID("lift"), kind: .lift,
                        stops: [stop(25, 4), stop(25, 4, floor: first)]),
                    ConnectionRecord(
                        id: ConnectionID("path"), kind: .walk,
                        stops: [stop(0, 50, floor: nil), stop(40, 50, floor: nil)],
                        line: [Point(x: 20, y: 60)]),
                ] + more))
    }

    private func found(_ place: BarrierPlace, _ kind: BarrierKind) throws -> [String] {
        try BarrierGround(Self.site()).connections(at: place, kind).map(\.id.text)
    }

    @Test("A point means the nearest connection that suits the kind")
    func points() throws {
        let floor = Self.ground
        #expect(try found(.metres(floor: floor, x: 21, y: 4), .lift) == ["lift"])
        #expect(
            try found(.metres(floor: floor, x: 21, y: 4), .way) == ["door-b", "lift"],
            "two that are about as near")
        #expect(try found(.metres(floor: floor, x: 12, y: 4), .door) == ["door-ab", "door-b"])
        #expect(try found(.metres(floor: nil, x: 10, y: 53), .way) == ["path"])
        #expect(
            try found(.metres(floor: FloorID("first"), x: 25, y: 1), .other) == ["lift"])
        let degrees = try Self.site().frame.geographic(Point(x: 25, y: 5))
        #expect(
            try found(
                .geographic(
                    floor: floor, latitude: degrees.latitude, longitude: degrees.longitude),
                .lift) == ["lift"])
    }

    @Test("A room means its only door; what fits nothing is refused")
    func refusals() throws {
        #expect(try found(.room(RoomID("A")), .door) == ["door-ab"])
        func fault(_ place: BarrierPlace, _ kind: BarrierKind) -> BarrierPlaceFault? {
            do {
                _ = try BarrierGround(Self.site()).connections(at: place, kind)
                return nil
            } catch { return error as? BarrierPlaceFault }
        }
        #expect(fault(.room(RoomID("B")), .door) == .notOnlyOne(2, RoomID("B"), .door))
        #expect(fault(.room(RoomID("A")), .lift) == .notOnlyOne(0, RoomID("A"), .lift))
        #expect(fault(.room(RoomID("Z")), .lift) == .unknownRoom(RoomID("Z")))
        let (door, none) = (ConnectionID("door-ab"), ConnectionID("none"))
        #expect(fault(.connection(door), .lift) == .unsuited(door, .lift))
        #expect(fault(.connection(none), .other) == .unknownConnection(none))
        #expect(
            fault(.metres(floor: FloorID("third"), x: 0, y: 0), .other)
                == .unknownFloor(FloorID("third")))
        #expect(fault(.metres(floor: Self.ground, x: 90, y: 0), .other) == .nothingNear(.other))
        #expect(fault(.metres(floor: nil, x: 25, y: 4), .lift) == .nothingNear(.lift))
    }

    @Test("Visitors close a lift or a way of sixty metres, and no long street")
    func lengths() throws {
        let connections = try Self.site().document.connections
        #expect(connections.allSatisfy(BarrierGround.isShort))
        let street = ConnectionRecord(
            id: ConnectionID("street"), kind: .walk,
            stops: [Self.stop(0, 50, floor: nil), Self.stop(50, 50, floor: nil)],
            line: [Point(x: 25, y: 80)])
        #expect(!BarrierGround.isShort(street), "78 metres by its bend")
    }

    @Test("The nearest way is that of a slow walk along all ways", arguments: 0..<20)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func point() -> Point {
            Point(
                x: Double.random(in: 100...160, using: &random),
                y: Double.random(in: 100...160, using: &random))
        }
        let ways = (0..<12).map { number in
            ConnectionRecord(
                id: ConnectionID("way-\(number)"), kind: .walk,
                stops: [
                    ConnectionStop(floor: nil, point: point()),
                    ConnectionStop(floor: nil, point: point()),
                ], line: (0..<(number % 3)).map { _ in point() })
        }
        let ground = BarrierGround(try Self.site(ways))
        for _ in 0..<8 {
            let here = point()
            let near = ways.map { way in
                let line = [way.stops[0].point] + way.line + [way.stops[1].point]
                let least = zip(line, line.dropFirst()).map { start, end in
                    (0...600).map { part in
                        let share = Double(part) / 600
                        return here.distance(
                            to: Point(
                                x: start.x + share * (end.x - start.x),
                                y: start.y + share * (end.y - start.y)))
                    }.min()!
                }.min()!
                return (least, way.id)
            }.min { $0.0 < $1.0 }!
            let place = BarrierPlace.metres(floor: nil, x: here.x, y: here.y)
            let first = try? ground.connections(at: place, .way).first
            // A walk in steps is a little longer.
            if near.0 < BarrierGround.reachMetres - 0.1 {
                #expect(first?.id == near.1, "\(near)")
            } else if near.0 > BarrierGround.reachMetres + 0.1 {
                #expect(first == nil)
            }
        }
    }
}
