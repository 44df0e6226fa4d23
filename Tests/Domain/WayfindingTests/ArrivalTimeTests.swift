import Events
import Geometry
import Site
import Testing
import Wayfinding

@Suite("Opening hours on arrival") struct ArrivalTimeTests {
    /// Two ways to the room on the right; the upper one is shorter.
    private static let building = DrawnBuilding(
        """
        ###################################
        #1aaaaaaaaaaaaaaaaaaaaaaaa+bbb+cc2#
        #aaaaaaaaaaaaaaaaaaaaaaaaa#bbb#ccc#
        #aaaaaaaaaaaaaaaaaaaaaaaaa+ddd+ccc#
        ###################################
        """)
    /// A Monday, 17:59:50.
    private static let evening = Timestamp(milliseconds: 1_764_007_190_000)

    @Test("A door that closes before the traveller reaches it is avoided")
    func door() throws {
        let building = Self.building.with("door0.30.1") { $0.openingHours = "Mo-Fr 08:00-18:00" }
        let finder = try building.finder()
        var query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        query.departAt = Self.evening.advanced(byMicroseconds: -60_000_000)
        #expect(Drawn.words(finder.answer(query)) == "a0 + b0 + c0")
        query.departAt = Self.evening
        #expect(Drawn.words(finder.answer(query)) == "a0 + d0 + c0")
    }

    @Test("So is a room that closes; without another way the answer gives the reason")
    func room() throws {
        var building = Self.building
        building.edit(RoomID("b0")) { $0.openingHours = "Mo-Fr 08:00-18:00" }
        building.edit(RoomID("d0")) { $0.openingHours = "24/7" }
        var query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        query.departAt = Self.evening
        #expect(Drawn.words(try building.finder().answer(query)) == "a0 + d0 + c0")
        building.edit(RoomID("d0")) { $0.openingHours = "Mo-Fr 08:00-18:00" }
        guard case .none(.barriers(let barriers)) = try building.finder().answer(query) else {
            Issue.record("a way through rooms that are shut")
            return
        }
        let room = barriers[0].rules.compactMap { rule in
            if case .shut("Mo-Fr 08:00-18:00", let room) = rule { room } else { nil }
        }.first
        #expect(room == RoomID("b0") || room == RoomID("d0"))
    }

    @Test("An outage that begins on the way counts too")
    func outage() throws {
        let finder = try Self.building.finder()
        var query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        query.departAt = Self.evening
        let outage = WayOutage(
            connection: ConnectionID("door0.30.1"),
            from: Self.evening.advanced(byMicroseconds: 5_000_000))
        #expect(Drawn.words(finder.answer(query, outages: [outage])) == "a0 + d0 + c0")
        let later = WayOutage(
            connection: ConnectionID("door0.30.1"),
            from: Self.evening.advanced(byMicroseconds: 3_600_000_000))
        #expect(Drawn.words(finder.answer(query, outages: [later])) == "a0 + b0 + c0")
    }

    @Test("A barrier has its floor, its point and the rooms on both sides")
    func place() throws {
        let building = DrawnBuilding(
            """
            #########
            #1aa+bb2#
            #########
            """
        ).with("door0.4.1") { $0.widthMetres = 0.7 }
        let answer = try building.finder().answer(
            Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .wheelchair))
        guard case .none(.barriers(let barriers)) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(barriers[0].floor == FloorID("0"))
        #expect(barriers[0].point?.x == 4.5)
        #expect(barriers[0].rooms == [RoomID("a0"), RoomID("b0")])
    }
}
