import Events
import Geometry
import Site
import Testing

@testable import Wayfinding

/// A lift that the map has as a connection is a place to go to only where it can be used then.
@Suite("The nearest lift that one can use") struct NearestLiftTests {
    private static let building = DrawnBuilding(
        """
        #################
        #hLhhhhhhhhhhhLh#
        #1hhhhhhhhhhhhhh#
        #################
        """,
        """
        #################
        #hLhhhhhhhhhhhLh#
        #hhhhhhhhhhhhhhh#
        #################
        """)
    private static let (near, far) = ("L0.2.1", "L0.14.1")
    private static let workdays = "Mo-Fr 08:00-18:00"

    /// The id of the lift at which the route ends, or the reason why there is none.
    private static func end(
        _ building: DrawnBuilding = building, _ kind: RoutePlace = .kind("lift"),
        by profile: TravelProfile = .walking, at moment: Timestamp = Drawn.noon,
        outages: [WayOutage] = []
    ) throws -> String {
        var query = Drawn.query(Drawn.at("1"), kind, by: profile)
        query.departAt = moment
        let answer = try building.finder().answer(query, outages: outages)
        guard case .found(let routes) = answer,
            let last = routes[0].legs.last?.paths.last?.points.last
        else { return Drawn.words(answer) }
        let lift = building.document.connections.first { record in
            record.stops[0].point.distance(to: last) < 1e-6
        }
        return lift?.id.text ?? "\(last)"
    }

    private static func barriers(
        _ query: RouteQuery, in building: DrawnBuilding = building, outages: [WayOutage] = []
    ) throws -> [Barrier] {
        guard
            case .none(.barriers(let found)) = try building.finder().answer(
                query, outages: outages)
        else { return [] }
        return found
    }

    private static func out(_ id: String, from moment: Timestamp) -> WayOutage {
        WayOutage(connection: ConnectionID(id), from: moment)
    }

    @Test("One that is out of order is none; if all are, the answer says so")
    func outages() throws {
        let since = Drawn.noon.advanced(byMicroseconds: -1_000_000)
        let near = Self.out(Self.near, from: since)
        let far = Self.out(Self.far, from: since)
        #expect(try Self.end() == Self.near)
        #expect(try Self.end(outages: [near]) == Self.far)
        let query = Drawn.query(Drawn.at("1"), .kind("lift"))
        let barrier = Barrier(
            connection: near.connection, kind: .lift,
            rules: [.outage(since: since, until: nil, reason: nil)], floor: FloorID("0"),
            point: DrawnBuilding.middle(2, 1), rooms: [RoomID("h0"), RoomID("h1")])
        #expect(try Self.barriers(query, outages: [near, far]) == [barrier])
        // The outage begins on the way.
        let soon = Self.out(Self.near, from: Drawn.noon.advanced(byMicroseconds: 500_000))
        #expect(try Self.end(outages: [soon]) == Self.far)
    }

    @Test("One that is shut is none, also if it shuts before the arrival")
    func hours() throws {
        let building = Self.building.with(Self.near) { $0.openingHours = Self.workdays }
        // A Saturday, and a Monday half a second before six.
        #expect(try Self.end(building) == Self.far)
        let monday = Timestamp(milliseconds: 1_764_007_199_500)
        #expect(try Self.end(building, at: monday) == Self.far)
        #expect(
            try Self.end(building, at: monday.advanced(byMicroseconds: -60_000_000)) == Self.near)
        let all = building.with(Self.far) { $0.openingHours = Self.workdays }
        var query = Drawn.query(Drawn.at("1"), .kind("lift"))
        query.departAt = monday
        #expect(
            try Self.barriers(query, in: all).first?.rules == [.shut(openingHours: Self.workdays)])
    }

    @Test("One that is closed to the profile is none for it")
    func profiles() throws {
        let narrow = Self.building.with(Self.near) { $0.widthMetres = 0.6 }
        #expect(try Self.end(narrow, by: .wheelchair) == Self.far)
        #expect(try Self.end(narrow) == Self.near)
        let inaccessible = Self.building.with(Self.near) { $0.accessible = .no }
        #expect(try Self.end(inaccessible, by: .wheelchair) == Self.far)
        var without = TravelProfile.walking
        without.avoided = [.liftsUp, .liftsDown]
        let lift = Drawn.query(Drawn.at("1"), .kind("lift"), by: without)
        #expect(try Self.barriers(lift).first?.connection.text == Self.near)
        let stairs = Drawn.query(Drawn.at("1"), .kind("stairs"), by: .wheelchair)
        #expect(try Self.barriers(stairs, in: DrawnTowerTests.tower).first?.rules == [.steps])
        let onFoot = Drawn.query(Drawn.at("1"), .kind("stairs"))
        #expect(try Self.barriers(onFoot, in: DrawnTowerTests.tower).isEmpty)
    }

    @Test("A platform lift is one for each profile that can use it")
    func platformLifts() throws {
        let building = Self.building.with(Self.near) { $0.kind = .platformLift }
        #expect(try Self.end(building) == Self.near)
        #expect(try Self.end(building, by: .wheelchair) == Self.near)
        #expect(try Self.end(building, .kind("Aufzug")) == Self.near)
        #expect(try Self.end(building, .kind("platform-lift")) == Self.near)
        #expect(try !Self.end(Self.building, .kind("platform-lift")).hasPrefix("L"))
        let narrow = building.with(Self.near) { $0.widthMetres = 0.6 }
        #expect(try Self.end(narrow, by: .wheelchair) == Self.far)
        var without = TravelProfile.walking
        without.avoided = [.platformLiftsUp, .platformLiftsDown]
        #expect(try Self.end(building, by: without) == Self.far)
        // The kept network leads to it by the same word.
        let only = building.with(Self.far) { $0.kind = .platformLift }
        let network = try #require(HandedNetwork(only.finder().network))
        let lifts = try #require(network.places.first { $0.name == "kind:lift" })
        #expect(lifts.nodes.count == 4)
        // A room of the kind is one, too, and its stop is none beside it.
        var room = building
        room.edit(RoomID("h0")) { $0.kind = "platform-lift" }
        #expect(try room.finder().network.places(of: .kind("lift")) == [.room(RoomID("h0"))])
    }

    @Test("An accessible one is stated to be so, or else not stated not to be")
    func accessible() throws {
        let kind = RoutePlace.kind("lift", accessible: true)
        #expect(try Self.end(Self.building, kind) == Self.near)
        let no = Self.building.with(Self.near) { $0.accessible = .no }
        #expect(try Self.end(no, kind) == Self.far)
        #expect(try Self.end(no) == Self.near)
        let yes = Self.building.with(Self.far) { $0.accessible = .yes }
        #expect(try Self.end(yes, kind) == Self.far)
        let none = no.with(Self.far) { $0.accessible = .no }
        guard
            case .none(.unknownPlace) = try none.finder().answer(
                Drawn.query(Drawn.at("1"), kind))
        else {
            Issue.record("no lift is accessible")
            return
        }
        // A room that is stated to be accessible comes before lifts of which nobody said anything.
        var room = Self.building
        room.edit(RoomID("h0")) {
            $0.kind = "elevator"
            $0.accessible = .yes
        }
        let network = try room.finder().network
        #expect(network.stops(of: kind).isEmpty)
        #expect(network.places(of: kind) == [.room(RoomID("h0"))])
        let mixed = room.with(Self.far) { $0.accessible = .yes }
        let stops = try mixed.finder().network.stops(of: kind).count
        #expect(stops == 1, "the stop on the floor above")
        room.edit(RoomID("h0")) { $0.accessible = .unknown }
        let stated = room.with(Self.far) { $0.accessible = .yes }
        #expect(try stated.finder().network.places(of: kind).isEmpty)
    }
}
