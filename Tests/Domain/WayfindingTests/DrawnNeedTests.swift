import Events
import Geometry
import Site
import Testing
import Wayfinding

/// Each building is drawn in characters. The expected routes are those that a person who knows the
/// building would choose.
@Suite("Routes by abilities and by time") struct DrawnNeedTests {
    @Test("On wheels over the ramp, on foot up the two steps")
    func ramp() throws {
        // The ramp is a detour; stairs on one floor join the two halves of the entrance hall.
        let drawn = DrawnBuilding(
            """
            ###############
            #aaaa#bbbbbb2b#
            #1aaa+bbbbbbbb#
            #aaaa#bbbbbbbb#
            #aRaa####bRbbb#
            ###############
            """)
        var building = drawn.with("door0.5.2") { $0.kind = .stairs }
        building = building.with("R0.2.4") { $0.slope = 0.05 }
        building = building.with("door0.5.2") { record in
            record.steps = 2
            // The stairs get a length: their stops are on both sides of the wall.
            record.stops[0].point.x -= 0.5
            record.stops[1].point.x += 0.5
        }
        try Drawn.expect(building, Drawn.query(Drawn.at("1"), Drawn.at("2")), "a0 S b0")
        try Drawn.expect(
            building, Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .wheelchair), "a0 R b0")
        let steep = building.with("R0.2.4") { $0.slope = 0.12 }
        let answer = try steep.finder().answer(
            Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .wheelchair))
        #expect(Drawn.words(answer).contains("steps"))
        var noSteps = steep
        noSteps.edit { $0.connections.removeAll { $0.kind == .stairs } }
        let other = try noSteps.finder().answer(
            Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .wheelchair))
        #expect(Drawn.words(other).contains("tooSteep(slope: 0.12, limit: 0.083)"))
    }

    @Test("Around the desk in the foyer, and not through the wing when it is closed")
    func hours() throws {
        let building = DrawnBuilding(
            """
            ###############
            #aaaa+bbb+cccc#
            #1aaa#bbb#cc2c#
            #aaaa#####cccc#
            #aaaa+ddd+cccc#
            ###############
            """
        ).with("door0.5.1") { $0.openingHours = "Mo-Fr 08:00-10:00" }
        let finder = try building.finder()
        // 2025-11-22 was a Saturday, the 24th a Monday.
        let saturday = Timestamp(milliseconds: 1_763_802_000_000)
        let monday = saturday.advanced(byMicroseconds: 2 * 86_400_000_000)
        var query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        query.departAt = saturday
        #expect(Drawn.words(finder.answer(query)) == "a0 + d0 + c0")
        query.departAt = monday
        #expect(Drawn.words(finder.answer(query)) == "a0 + b0 + c0")
        query.utcOffsetSeconds = 2 * 3_600
        #expect(Drawn.words(finder.answer(query)) == "a0 + d0 + c0")
    }

    @Test("The nearest toilet is the one down the corridor, the nearest for wheels another")
    func toilets() throws {
        var building = DrawnBuilding(
            """
            #####################
            #tt#hhhhhhhhhhhhh#uu#
            #tt+h1hhhhhhhhhhh+uu#
            #####################
            """)
        building.edit(RoomID("t0")) { room in
            room.kind = "toilet"
            room.accessible = .no
        }
        building.edit(RoomID("u0")) { room in
            room.kind = "toilet"
            room.accessible = .yes
        }
        let finder = try building.finder()
        let any = finder.answer(Drawn.query(Drawn.at("1"), .kind("Toilet")))
        let wheels = finder.answer(
            Drawn.query(Drawn.at("1"), .kind("toilet", accessible: true), by: .wheelchair))
        guard case .found(let near) = any, case .found(let far) = wheels else {
            Issue.record("\(any) \(wheels)")
            return
        }
        #expect(near[0].endRoom == RoomID("t0"))
        #expect(far[0].endRoom == RoomID("u0"))
        #expect(near[0].destination == 0)
    }

    @Test("The nearest of a department's several places")
    func department() throws {
        var building = DrawnBuilding(
            """
            #####################
            #ttt#hhhhhhhhhhhh#uu#
            #ttt+hhhhhhh1hhhh+uu#
            #####################
            """)
        building.edit { document in
            document.directory = [
                DirectoryEntry(
                    id: DirectoryID("physics"), kind: "department", name: "Physics",
                    places: [.room(RoomID("t0")), .room(RoomID("u0"))])
            ]
        }
        let finder = try building.finder()
        let answer = finder.answer(Drawn.query(Drawn.at("1"), .entry(DirectoryID("physics"))))
        guard case .found(let routes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(routes[0].endRoom == RoomID("u0"))
        let unknown = RoutePlace.entry(DirectoryID("alchemy"))
        let none = finder.answer(Drawn.query(Drawn.at("1"), unknown))
        #expect(none == .none(.unknownPlace(unknown)))
    }

    @Test("Wide doors on wheels, even when they are further")
    func wideDoors() throws {
        let building = DrawnBuilding(
            """
            ###############
            #aaaaaaaaaaaaa#
            #1aaaaaaaaaaaa#
            ##+##########+#
            #b2bbbbbbbbbbb#
            ###############
            """
        ).with("door0.2.3") { $0.widthMetres = 0.7 }
            .with("door0.13.3") { $0.widthMetres = 0.9 }
        let finder = try building.finder()
        let query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        guard case .found(let walking) = finder.answer(query),
            case .found(let rolling) = finder.answer(
                Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .wheelchair))
        else {
            Issue.record("no route")
            return
        }
        #expect(walking[0].distanceMetres < 6)
        #expect(rolling[0].distanceMetres > 20)
        #expect(rolling[0].unknownFacts.isEmpty)
        #expect(rolling[0].legs.compactMap(\.narrowestMetres) == [0.9])
    }

    @Test("Paved ways on wheels, even when they are longer, and for others who ask for them")
    func softGround() throws {
        var building = DrawnBuilding(
            """
            ###############
            #aaaaaaaaaaaaa#
            #1aaaaaaaaaaaa#
            ##+##########+#
            #b2bbbbbbbbbbb#
            ###############
            """
        ).with("door0.2.3") { $0.surface = "mud" }
        building.edit { document in
            for index in document.connections.indices {
                document.connections[index].widthMetres = 0.9
            }
        }
        let finder = try building.finder()
        var avoiding = TravelProfile.walking
        avoiding.avoided = [.softSurfaces]
        let metres = [.walking, .wheelchair, avoiding].map { profile in
            let answer = finder.answer(Drawn.query(Drawn.at("1"), Drawn.at("2"), by: profile))
            guard case .found(let routes) = answer else { return Double.nan }
            return routes[0].distanceMetres
        }
        #expect(metres[0] < 6 && metres[1] > 20 && metres[2] > 20, "\(metres)")
    }
}
