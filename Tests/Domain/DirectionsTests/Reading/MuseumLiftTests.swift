import Events
import Site
import Testing
import Wayfinding

@testable import Directions

/// The museum has its lift and its stairs as rooms, in which the connections stop.
@Suite("The lift of the museum") struct MuseumLiftTests {
    /// A Saturday in November at 12:00.
    private static let noon = Timestamp(milliseconds: 1_763_812_800_000)

    @Test("A room of a lift that is out of order is none; asked for itself, the way says so")
    func rooms() throws {
        let site = try #require(try ReadSite.named("museum"))
        let finder = site.finder
        let since = Self.noon.advanced(byMicroseconds: -1_000_000)
        let outage = WayOutage(connection: ConnectionID("lift"), from: since, reason: "broken")
        func answer(
            _ place: RoutePlace, from: String = "foyer", by profile: TravelProfile = .wheelchair,
            _ outages: [WayOutage] = [outage]
        ) -> RouteAnswer {
            finder.answer(
                RouteQuery(
                    from: .room(RoomID(from)), to: [place], profile: profile,
                    departAt: Self.noon), outages: outages)
        }
        for kind in [RoutePlace.kind("lift"), .kind("Aufzug", accessible: true)] {
            for start in ["foyer", "lift.0"] {
                guard case .none(.barriers(let barriers)) = answer(kind, from: start) else {
                    Issue.record("a way to a broken lift from \(start)")
                    continue
                }
                #expect(barriers.map(\.connection) == [outage.connection])
                #expect(
                    barriers[0].rules
                        == [.outage(since: since, until: nil, reason: "broken")])
            }
            #expect(Self.endRoom(answer(kind, [])) == "lift.0")
        }
        // It breaks on the way.
        let soon = WayOutage(
            connection: outage.connection, from: Self.noon.advanced(byMicroseconds: 5_000_000))
        #expect(Self.endRoom(answer(.kind("lift"), [soon])) == nil)
        // The lift by its id is led to, and the way says that it is out of order.
        guard case .found(let routes) = answer(.room(RoomID("lift.0"))) else {
            Issue.record("no way to the room of the lift")
            return
        }
        #expect(routes[0].shutEnd == ShutEnd(RoomID("lift.0"), outage: outage))
        #expect(routes[0].endRoom == RoomID("lift.0"))
        let stairs = RoutePlace.kind("stairs")
        #expect(Self.endRoom(answer(stairs, from: "gallery", by: .walking)) == "stairs.0")
        guard case .none(.barriers(let steps)) = answer(stairs) else {
            Issue.record("stairs for a wheelchair")
            return
        }
        #expect(steps.map(\.rules).joined().contains(.steps))
    }

    private static func endRoom(_ answer: RouteAnswer) -> String? {
        if case .found(let routes) = answer { routes[0].endRoom?.text } else { nil }
    }
}
