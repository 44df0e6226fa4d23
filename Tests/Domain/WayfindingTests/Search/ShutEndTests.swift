import Events
import Geometry
import Site
import Testing

@testable import Wayfinding

/// A way leads to a place that is closed, and says so.
@Suite("The end of a way that is closed") struct ShutEndTests {
    private static let hours = "Mo-Fr 08:00-18:00"
    /// A Monday at eight in the morning.
    private static let opening = Timestamp(milliseconds: 1_763_971_200_000)

    /// The closed end of a way that takes 40 seconds or more, begun some seconds after eight.
    private static func end(
        _ place: RoutePlace, after seconds: Int64, offset: Int = 0,
        _ change: (inout RoomRecord) -> Void = { $0.openingHours = hours }
    ) throws -> ShutEnd? {
        var building = DrawnBuilding(
            """
            #########################################################
            #1hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh+b#
            #########################################################
            """)
        building.edit(RoomID("b0"), change)
        building.edit { document in
            document.directory = [
                DirectoryEntry(
                    id: DirectoryID("desk"), kind: "service", name: "Desk",
                    places: [.room(RoomID("b0"))], openingHours: "Mo-Fr 10:00-12:00"),
                DirectoryEntry(
                    id: DirectoryID("team"), kind: "team", name: "Team",
                    places: [.room(RoomID("b0"))]),
            ]
        }
        var query = Drawn.query(Drawn.at("1"), place)
        query.departAt = opening.advanced(byMicroseconds: seconds * 1_000_000)
        query.utcOffsetSeconds = offset
        guard case .found(let routes) = try building.finder().answer(query) else {
            Issue.record("no way")
            return nil
        }
        #expect(routes[0].seconds > 20 && routes[0].seconds < 120)
        return routes[0].shutEnd
    }

    @Test("It is closed if it is at the arrival, by the clocks of the site")
    func rooms() throws {
        let room = RoutePlace.room(RoomID("b0"))
        let shut = ShutEnd(.room(RoomID("b0")), openingHours: Self.hours)
        #expect(try Self.end(room, after: -3_600) == shut)
        #expect(try Self.end(room, after: -3_600, offset: 3_600) == nil)
        #expect(try Self.end(room, after: -10) == nil, "it opens before the arrival")
        #expect(try Self.end(room, after: 0) == nil)
        #expect(try Self.end(room, after: 36_000 - 10) == shut, "it closes before the arrival")
        let lab = try Self.end(.kind("lab"), after: 60) { room in
            (room.kind, room.openingHours) = ("lab", "off")
        }
        #expect(lab?.cause == .hours("off"))
    }

    @Test("Without hours, or with those that can't be read, nothing is said")
    func unknown() throws {
        let room = RoutePlace.room(RoomID("b0"))
        #expect(try Self.end(room, after: -3_600) { $0.openingHours = nil } == nil)
        #expect(try Self.end(room, after: -3_600) { $0.openingHours = "by appointment" } == nil)
    }

    @Test("An entry's own hours count for who asked for the entry, else those of its room")
    func entries() throws {
        let desk = RoutePlace.entry(DirectoryID("desk"))
        #expect(
            try Self.end(desk, after: 60)
                == ShutEnd(.entry(DirectoryID("desk")), openingHours: "Mo-Fr 10:00-12:00"))
        #expect(try Self.end(desk, after: 7_200) == nil)
        let team = RoutePlace.entry(DirectoryID("team"))
        #expect(try Self.end(team, after: 60) == nil)
        #expect(
            try Self.end(team, after: -3_600)
                == ShutEnd(.room(RoomID("b0")), openingHours: Self.hours))
    }
}
