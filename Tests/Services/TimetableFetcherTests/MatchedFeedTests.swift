import Events
import Geometry
import Site
import Testing
import Timetables
import Wire

@testable import TimetableFetcher

@Suite("A feed's answer with its rooms") struct MatchedFeedTests {
    /// A Tuesday.
    private static let now = Timestamp(text: "2026-12-01T09:00:00Z")!

    private static func minute(_ minutes: Int) -> Timestamp {
        now.advanced(byMicroseconds: Int64(minutes) * 60_000_000)
    }

    private static func day(_ days: Int) -> Timestamp { minute(days * 1_440) }

    private static func matched(
        _ parts: FeedParts, kind: FeedKind = .table
    ) throws -> MatchedFeed {
        let site = SiteDocument(
            name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("h"), name: "House", timeZone: "Europe/London")
            ],
            floors: [
                FloorRecord(id: FloorID("0"), building: BuildingID("h"), ordinal: 0, level: "0")
            ],
            rooms: [
                RoomRecord(
                    id: RoomID("A"), floor: FloorID("0"), name: "A", kind: "lab", outline: [])
            ])
        let feed = TimetableFeed(
            site: SiteID("house"), id: FeedID("f"), kind: kind, address: "", name: "")
        return try MatchedFeed(parts, of: feed, in: site, names: RoomNames(site), at: now)
    }

    @Test("What a grid covers ends at a gap between its weeks, and begins with the next one")
    func gaps() throws {
        var parts = FeedParts()
        parts.covers = [Self.day(-4)..<Self.day(3), Self.day(10)..<Self.day(17)]
        let now = try Self.matched(parts)
        #expect(now.coversFrom == nil && now.coversUntil == Self.day(3))
        parts.covers[0] = Self.day(-11)..<Self.day(-4)
        let next = try Self.matched(parts)
        #expect(next.coversFrom == Self.day(10) && next.coversUntil == Self.day(17))
        let always = try Self.matched(FeedParts())
        #expect(always.coversFrom == nil && always.coversUntil == nil)
    }

    @Test(
        "A room whose number can't be read is named, unknown, and not counted",
        arguments: [
            (nil, 20, ["no number of free computers: A"]),
            (30, 20, ["more free computers than there are, 30 of 20: A"]),
            (20, 20, []), (0, nil, []),
        ] as [(Int?, Int?, [String])])
    func numbers(available: Int?, total: Int?, leftOut: [String]) throws {
        var parts = FeedParts()
        parts.counts = [
            FoundCount(place: "A", available: available, total: total),
            FoundCount(place: "Elsewhere", available: nil, total: nil),
        ]
        let matched = try Self.matched(parts, kind: .computersHTML)
        #expect(matched.parts.reportLines() == leftOut)
        #expect(matched.found == (leftOut.isEmpty ? 1 : 0))
        #expect(matched.counts.map(\.available) == [leftOut.isEmpty ? available : nil])
    }

    @Test("From the first booking on that is left out of a full week, nothing is known")
    func crowds() throws {
        var parts = FeedParts()
        parts.leftOut = ["another line"]
        let most = FeedContent.mostOfRoomAndWeek
        parts.bookings = (0...most).map { number in
            FoundBooking(
                key: "\(number)", places: ["A"], starts: Self.minute(number),
                ends: Self.minute(number + 1), title: "Logic")
        }
        let full = try Self.matched(parts)
        #expect(full.found == most && full.coversUntil == Self.minute(most))
        #expect(
            full.parts.reportLines() == ["A: more than \(most) bookings in a week", "another line"])
        #expect(full.parts.bookings.isEmpty)
        parts.covers = [Self.day(-4)..<Self.day(1)]
        #expect(try Self.matched(parts).coversUntil == Self.day(1))
    }
}
