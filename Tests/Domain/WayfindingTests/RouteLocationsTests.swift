import Events
import Geometry
import Site
import Testing
import Wayfinding

@Suite("The locations that a route passes") struct RouteLocationsTests {
    private static let floor = """
        ####################
        #hhhhhhhhhhhhhhhhhh#
        #1hhh3hhhh4hhhhhhhh#
        ###############+####
        #bbbbbbbbbbbbbbaaaa#
        #b5bbbbbbbbbbbba2aa#
        ####################
        """

    private static func passed(_ building: DrawnBuilding, to end: String) throws -> [String] {
        let answer = try building.finder().answer(Drawn.query(Drawn.at("1"), Drawn.at(end)))
        guard case .found(let routes) = answer, let route = routes.first else { return [] }
        return RouteLocations(building.document.locations).passed(by: route).map(\.text)
    }

    @Test("are in the order of the route, with its ends and without those elsewhere")
    func order() throws {
        let building = DrawnBuilding(Self.floor)
        #expect(try Self.passed(building, to: "2") == ["1", "3", "4", "2"])
        let ids = building.document.locations.map(\.id.text)
        #expect(ids.contains("5"))
    }

    @Test("are those on the route's own floor, though others are right above it")
    func floors() throws {
        var building = DrawnBuilding(Self.floor, "ccc")
        building.edit { document in
            let third = document.locations.first { $0.id.text == "3" }
            document.locations.append(
                LocationRecord(
                    id: LocationID("above"), floor: FloorID("1"), room: nil,
                    point: third?.point ?? Point(x: 0, y: 0)))
        }
        #expect(try Self.passed(building, to: "2") == ["1", "3", "4", "2"])
    }

    @Test("count once where the route comes by twice, at their first time")
    func loop() {
        let points = [
            Point(x: 0, y: 0), Point(x: 10, y: 0), Point(x: 10, y: 5), Point(x: 0, y: 0.5),
        ]
        let leg = RouteLeg(
            passage: .approach, startFloor: FloorID("0"), endFloor: FloorID("0"),
            paths: [FloorPath(floor: FloorID("0"), points: points)], distanceMetres: 26,
            seconds: 20)
        let route = IndoorRoute(
            distanceMetres: 26, seconds: 20, arriveAt: Timestamp(microseconds: 0), legs: [leg],
            destination: 0, endRoom: nil, costMilliseconds: 20_000)
        let locations = [("late", 9.0, 4.4), ("early", 1.0, 0.2), ("aside", 5.0, -1.1)].map {
            LocationRecord(
                id: LocationID($0.0), floor: FloorID("0"), room: nil,
                point: Point(x: $0.1, y: $0.2))
        }
        #expect(RouteLocations(locations).passed(by: route).map(\.text) == ["early", "late"])
    }
}
