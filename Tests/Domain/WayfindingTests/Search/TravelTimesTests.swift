import Events
import Geometry
import SeededRandomness
import Site
import Testing

@testable import Wayfinding

@Suite("Travel times") struct TravelTimesTests {
    /// 2026-11-27T10:00:00Z, a Friday.
    private static let morning = Timestamp(milliseconds: 1_795_773_600_000)

    @Test(
        "From one place to many rooms are those of a route to each room alone, on three sites",
        arguments: TravelProfile.Name.allCases)
    func equalToRoutes(name: TravelProfile.Name) throws {
        let sites = [try RealSites.house(), try RealSites.moorgate(), try RealSites.polytech()]
        var (found, missed) = (0, 0)
        for (seed, finder) in sites.enumerated() {
            guard let finder else { continue }
            var random = SeededRandom(seed: seed)
            for isDisturbed in [false, true] {
                let outages = isDisturbed ? Self.outages(finder.network.site, &random) : []
                let rooms = (0..<30).compactMap { _ in
                    finder.network.site.rooms.randomElement(using: &random)?.id
                }
                let from = try #require(finder.network.site.rooms.randomElement(using: &random))
                let query = TravelTimesQuery(
                    from: .room(from.id), to: rooms, profile: .named(name),
                    departAt: Self.morning)
                let times = try #require(finder.travelTimes(query, outages: outages))
                #expect(times.count == rooms.count)
                for (room, time) in zip(rooms, times) {
                    let answer = finder.answer(
                        RouteQuery(
                            from: .room(from.id), to: [.room(room)], profile: .named(name),
                            departAt: Self.morning), outages: outages)
                    #expect(time == TravelTime(answer), "seed \(seed): \(from.id) to \(room)")
                    if case .found = time { found += 1 } else { missed += 1 }
                }
            }
        }
        #expect(found > 20)
        #expect(name != .stepFreeStrict || missed > 0)
    }

    /// A tenth of the connections is out of service, or will be in a minute.
    private static func outages(
        _ site: SiteIndex, _ random: inout SeededRandom
    ) -> [WayOutage] {
        site.document.connections.compactMap { connection in
            guard Int.random(in: 0..<10, using: &random) == 0 else { return nil }
            let delay = Int64.random(in: 0...1, using: &random) * 60_000_000
            return WayOutage(
                connection: connection.id, from: morning.advanced(byMicroseconds: delay))
        }
    }

    @Test("A closed room, a room of its own and one behind stairs each have their own answer")
    func reasons() throws {
        var building = DrawnBuilding(
            """
            ####################
            #hhhhhhhhhhhhhhhhhh#
            #1hhhhhhhhhhhhhhhhh#
            ###+###########+####
            #bbbbbb#cccc##aaaaa#
            #bbbbbb#cccc##aa2aa#
            ####################
            """)
        building.edit { document in
            for index in document.rooms.indices where document.rooms[index].id.text == "b0" {
                document.rooms[index].openingHours = "Mo-Fr 18:00-20:00"
            }
        }
        let finder = try building.finder()
        let rooms = ["h0", "a0", "b0", "c0", "nowhere"].map { RoomID($0) }
        let query = TravelTimesQuery(from: Drawn.at("1"), to: rooms, departAt: Self.morning)
        let times = try #require(finder.travelTimes(query))
        for (room, time) in zip(rooms, times) {
            let route = RouteQuery(from: Drawn.at("1"), to: [.room(room)], departAt: Self.morning)
            #expect(time == TravelTime(finder.answer(route)), "\(room)")
        }
        #expect(times[0] == .found(seconds: 0, metres: 0, approximate: nil))
        guard case .found(let seconds, let metres, nil) = times[1] else {
            Issue.record("no way to a0")
            return
        }
        #expect(metres > 10 && seconds > 5)
        #expect(times[4] == .none(.unknownPlace(.room(RoomID("nowhere")))))
    }

    @Test("Too many rooms and impossible speeds have no answer")
    func malformed() throws {
        let finder = try DrawnBuilding(
            """
            #####
            #h1h#
            #####
            """
        ).finder()
        let most = TravelTimesQuery.mostRooms
        func times(_ count: Int, _ speed: Double = 1) -> [TravelTime]? {
            var profile = TravelProfile.walking
            profile.walkingSpeed = speed
            return finder.travelTimes(
                TravelTimesQuery(
                    from: Drawn.at("1"), to: Array(repeating: RoomID("h0"), count: count),
                    profile: profile, departAt: Self.morning))
        }
        #expect(times(most)?.count == most)
        #expect(times(most + 1) == nil)
        #expect(times(1, 0) == nil)
        #expect(times(0) == [])
    }

    @Test("A room without an outline has its card at the nearest of its locations on the floor")
    func cards() throws {
        var building = DrawnBuilding(
            """
            ####################
            #hhhhhhhhhhhhhhhhhh#
            #1hhhhhhhhhhhhhhhhh#
            ####################
            """)
        let floor = FloorID("0")
        building.edit { document in
            document.rooms.append(
                RoomRecord(id: RoomID("bare"), floor: floor, name: "", kind: "room", outline: []))
            for (id, x) in [("far", 17.0), ("near", 9.0)] {
                document.locations.append(
                    LocationRecord(
                        id: LocationID(id), name: id, floor: floor, room: RoomID("bare"),
                        point: [x, -1.5]))
            }
        }
        let finder = try building.finder()
        let position = TravellerPosition(floor: floor, point: [5, -1.5], radiusMetres: 1)
        let cards = finder.guidance(for: position, on: nil, cardsWithinMetres: 8).cards
        #expect(cards.map(\.room.text) == ["h0", "bare"])
        #expect(cards.last?.distanceMetres == 4)
        #expect(cards.last?.middle == [9, -1.5])
        #expect(cards.last.map { abs($0.bearingDegrees - 90) < 0.01 } == true)
        let close = finder.guidance(for: position, on: nil, cardsWithinMetres: 3).cards
        #expect(close.map(\.room.text) == ["h0"])
    }
}
