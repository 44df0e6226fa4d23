import Events
import Geometry
import Site
import Testing
import Wayfinding

@Suite("Ways for those who find them by touch") struct ByTouchTests {
    private static let ground = FloorID("g")
    private static let upper = FloorID("u")

    private static func room(
        _ id: String, _ floor: FloorID, _ kind: String, _ x: ClosedRange<Double>,
        _ y: ClosedRange<Double>
    ) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: floor, name: id, kind: kind,
            outline: [
                [x.lowerBound, y.lowerBound], [x.upperBound, y.lowerBound],
                [x.upperBound, y.upperBound], [x.lowerBound, y.upperBound],
            ])
    }

    private static func way(
        _ id: String, _ kind: ConnectionRecord.Kind,
        _ stops: (floor: FloorID, room: String, point: Point)...
    ) -> ConnectionRecord {
        ConnectionRecord(
            id: ConnectionID(id), kind: kind,
            stops: stops.map {
                ConnectionStop(floor: $0.floor, room: RoomID($0.room), point: $0.point)
            })
    }

    /// Rooms A and B lie on both sides of a hall. A corridor in the south leads round it, and from
    /// the corridor an escalator and stairs lead up.
    private static func finder(
        _ change: (inout SiteDocument) -> Void = { _ in }
    ) throws -> WayFinder {
        var document = SiteDocument(
            name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
            buildings: [BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Europe/London")],
            floors: [
                FloorRecord(id: ground, building: BuildingID("b"), ordinal: 0, level: "0"),
                FloorRecord(id: upper, building: BuildingID("b"), ordinal: 1, level: "1"),
            ],
            rooms: [
                room("A", ground, "room", -6...0, 0...6),
                room("hall", ground, "lobby", 0...20, 0...20),
                room("B", ground, "room", 20...26, 0...6),
                room("corridor", ground, "corridor", -6...26, -3...0),
                room("C", upper, "corridor", -6...26, -3...0),
            ],
            connections: [
                way("a-hall", .door, (ground, "A", [0, 3]), (ground, "hall", [0, 3])),
                way("hall-b", .door, (ground, "hall", [20, 3]), (ground, "B", [20, 3])),
                way("a-corridor", .door, (ground, "A", [-3, 0]), (ground, "corridor", [-3, 0])),
                way("b-corridor", .door, (ground, "B", [23, 0]), (ground, "corridor", [23, 0])),
                way(
                    "escalator", .escalator, (ground, "corridor", [16, -1]),
                    (upper, "C", [10, -1])),
                way("stairs", .stairs, (ground, "corridor", [2, -1]), (upper, "C", [-2, -1])),
            ])
        change(&document)
        return WayFinder(try WayNetwork(try SiteIndex(document)))
    }

    private static func passed(
        _ finder: WayFinder, _ start: String, _ end: String, _ name: TravelProfile.Name
    ) -> [String] {
        let query = RouteQuery(
            from: .room(RoomID(start)), to: [.room(RoomID(end))], profile: .named(name),
            departAt: Timestamp(milliseconds: 0))
        guard case .found(let routes) = finder.answer(query) else { return [] }
        return routes[0].legs.map { leg in
            switch leg.passage {
            case .room(let room): room.text
            case .connection(let connection, _): connection.text
            case .approach: "approach"
            }
        }
    }

    @Test("An open hall is left for a corridor that is not much longer")
    func hall() throws {
        let finder = try Self.finder()
        #expect(Self.passed(finder, "A", "B", .walking).contains("hall"))
        #expect(Self.passed(finder, "A", "B", .byTouch).contains("corridor"))
    }

    @Test("A hall with tactile paving is walked through")
    func tactileHall() throws {
        let finder = try Self.finder { $0.rooms[1].hasTactilePaving = true }
        #expect(Self.passed(finder, "A", "B", .byTouch).contains("hall"))
    }

    /// Both doors of the hall revolve.
    private static func revolving(_ accessible: Accessibility) throws -> WayFinder {
        try finder { document in
            for index in 0...1 {
                document.connections[index].doorKind = .revolving
                document.connections[index].accessible = accessible
            }
            document.rooms[1].kind = "corridor"
        }
    }

    @Test("A revolving door is left for another, and never used on wheels")
    func revolvingDoor() throws {
        let finder = try Self.revolving(.unknown)
        #expect(Self.passed(finder, "A", "B", .walking).contains("hall"))
        for profile in [TravelProfile.Name.byTouch, .stepFreePreferred, .wheelchair] {
            #expect(Self.passed(finder, "A", "B", profile).contains("corridor"))
        }
        let blocked = try Self.finder { document in
            document.connections.removeAll { $0.id.text.hasSuffix("-corridor") }
            document.connections[0].doorKind = .revolving
        }
        #expect(Self.passed(blocked, "A", "B", .wheelchair).isEmpty)
        #expect(Self.passed(blocked, "A", "B", .byTouch).contains("hall"))
    }

    @Test("A revolving door that wheels can use is used on wheels")
    func wideRevolvingDoor() throws {
        let finder = try Self.revolving(.yes)
        #expect(Self.passed(finder, "A", "B", .wheelchair).contains("hall"))
    }

    @Test("Stairs are taken instead of an escalator")
    func escalator() throws {
        let finder = try Self.finder()
        #expect(Self.passed(finder, "B", "C", .walking).contains("escalator"))
        #expect(Self.passed(finder, "B", "C", .byTouch).contains("stairs"))
    }
}
