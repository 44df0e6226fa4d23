import Events
import Geometry
import SeededRandomness
import Site
import Testing
import Wayfinding

/// Where the map shows no way in, a route leads as near as possible and reports it.
@Suite("Ends without a way") struct NearbyEndTests {
    private static let house = DrawnBuilding(
        """
        #################
        #aaa#bbbb#ccc#ddd#
        #1aa#b2bb#ccc+ddd#
        ##+#######+###+###
        #hhhhhhhhhhhhhhhh#
        #################
        """)

    @Test("A route to a room without a door ends in the corridor beside it")
    func besideTheWall() throws {
        let finder = try Self.house.finder()
        for end in [Drawn.room("b0"), Drawn.at("2")] {
            guard case .found(let routes) = finder.answer(Drawn.query(Drawn.at("1"), end)) else {
                Issue.record("no route to \(end)")
                continue
            }
            #expect(Drawn.words(routes[0]) == "a0 + h0")
            #expect(
                routes[0].approximateEnd
                    == ApproximateEnd(
                        missing: .door, room: RoomID("b0"),
                        straightMetres: routes[0].approximateEnd?.straightMetres ?? -1))
            #expect((0.9...1.5).contains(routes[0].approximateEnd?.straightMetres ?? -1))
            #expect(routes[0].endRoom == RoomID("b0"))
            expectWhole(routes[0], in: finder.network.site)
        }
    }

    @Test("A route from such a room begins in that corridor")
    func fromWithin() throws {
        let finder = try Self.house.finder()
        guard
            case .found(let routes) = finder.answer(Drawn.query(Drawn.at("2"), Drawn.room("a0")))
        else {
            Issue.record("no route")
            return
        }
        #expect(Drawn.words(routes[0]) == "h0 +")
        #expect(routes[0].approximateStart?.missing == .door)
        #expect(routes[0].approximateEnd == nil)
    }

    @Test(
        "A start of several places is the one with the shortest way, as if each were tried",
        arguments: 0..<12)
    func severalStarts(seed: Int) throws {
        let finder = try Self.house.finder()
        var document = finder.network.site.document
        var random = SeededRandom(seed: seed)
        for index in document.rooms.indices {
            document.rooms[index].kind = Bool.random(using: &random) ? "toilet" : "office"
        }
        let marked = WayFinder(try WayNetwork(try SiteIndex(document)))
        let starts = document.rooms.filter { $0.kind == "toilet" }.map(\.id)
        for end in ["a0", "b0", "c0", "d0", "h0"] {
            let costs = starts.compactMap { start -> UInt32? in
                let answer = marked.answer(Drawn.query(.room(start), Drawn.room(end)))
                guard case .found(let routes) = answer, routes[0].approximateStart == nil,
                    routes[0].approximateEnd == nil
                else { return nil }
                return routes[0].costMilliseconds
            }
            let answer = marked.answer(Drawn.query(.kind("toilet"), Drawn.room(end)))
            if case .found(let routes) = answer, let least = costs.min() {
                #expect(routes[0].costMilliseconds == least, "\(end)")
            } else {
                #expect(costs.isEmpty, "\(end): \(answer)")
            }
        }
    }

    @Test("A room that is joined only to another such room lacks a way")
    func island() throws {
        // Sixteen rooms on a corridor, and beside them two rooms that are joined only to each
        // other.
        let letters = "abcdefgijklmnopq"
        let rooms = letters.map { "\($0)\($0)#" }.joined()
        let building = DrawnBuilding(
            [
                "#" + String(repeating: "#", count: rooms.count + 6),
                "#" + rooms + "xx+yy#",
                "#" + letters.map { _ in "+##" }.joined() + "######",
                "#" + String(repeating: "h", count: rooms.count + 4) + "h#",
                "#" + String(repeating: "#", count: rooms.count + 6),
            ].joined(separator: "\n"))
        let answer = try building.finder().answer(
            Drawn.query(Drawn.room("a0"), Drawn.room("x0")))
        guard case .found(let routes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(routes[0].approximateEnd?.missing == .way)
        #expect(Drawn.words(routes[0]) == "a0 + h0")
    }

    @Test("An exact end is preferred to a nearer approximate one")
    func exactFirst() throws {
        let finder = try Self.house.finder()
        let answer = finder.answer(
            Drawn.query(Drawn.at("1"), Drawn.room("b0"), Drawn.room("c0")))
        guard case .found(let routes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(routes[0].destination == 1)
        #expect(routes[0].approximateEnd == nil)
    }

    @Test("A barrier on the way is reported, also if the end is approximate")
    func barriers() throws {
        let shut = Self.house.with("door0.2.3") { $0.openingHours = "Mo-Su off" }
        let answer = try shut.finder().answer(Drawn.query(Drawn.at("1"), Drawn.room("b0")))
        guard case .none(.barriers(let barriers)) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(barriers.map(\.connection.text) == ["door0.2.3"])
    }

    @Test("A route to a shop in a building without a door ends at the building's outline")
    func outline() throws {
        var building = DrawnBuilding(
            """
            #####
            #1aa+====================
            #####
            """)
        building.edit { document in
            document.buildings.append(
                BuildingRecord(
                    id: BuildingID("other"), name: "Other", timeZone: "Europe/London",
                    outline: [[15, -10], [20, -10], [20, -5], [15, -5]]))
            document.directory = [
                DirectoryEntry(
                    id: DirectoryID("coffee"), kind: "coffee", name: "Rosslyn",
                    places: [.building(BuildingID("other"))])
            ]
        }
        let answer = try building.finder().answer(
            Drawn.query(Drawn.at("1"), .entry(DirectoryID("coffee"))))
        guard case .found(let routes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(routes[0].approximateEnd?.missing == .entrance)
        #expect(routes[0].approximateEnd?.building == BuildingID("other"))
        let last = routes[0].legs.last?.paths.last?.points.last
        #expect(abs((last?.y ?? 0) + 5) < 0.001)
    }

    @Test(
        "Nearly all entries of Moorgate's directory have a route, and none is unknown"
    )
    func moorgate() throws {
        guard let finder = try RealSites.moorgate() else { return }
        let start = RoutePlace.geographic(
            GeographicPoint(latitude: 51.51835, longitude: -0.0893), level: nil)
        var (exact, near, lost) = (0, 0, 0)
        for entry in finder.network.site.document.directory {
            switch finder.answer(Drawn.query(start, .entry(entry.id))) {
            case .found(let routes):
                if routes[0].approximateEnd == nil { exact += 1 } else { near += 1 }
            case .none(.island): lost += 1
            case .none(let reason): Issue.record("\(entry.name): \(reason)")
            }
        }
        // These entries are on levels far below or above all connections of the map.
        #expect(lost <= 5, "\(exact) exact, \(near) near, \(lost) lost")
        #expect(exact > 5 && near > 60, "\(exact) exact, \(near) near, \(lost) lost")
    }

    @Test("Rooms of Moorgate have routes between them, exact or approximate")
    func roomsOfMoorgate() throws {
        guard let finder = try RealSites.moorgate() else { return }
        let rooms = finder.network.site.rooms.map(\.id)
        var (found, islands) = (0, 0)
        for from in rooms {
            for to in rooms where to != from {
                switch finder.answer(Drawn.query(.room(from), .room(to))) {
                case .found(let routes):
                    found += 1
                    expectWhole(routes[0], in: finder.network.site)
                case .none: islands += 1
                }
            }
        }
        #expect(found > 9 * islands, "\(found) found, \(islands) not")
    }
}
