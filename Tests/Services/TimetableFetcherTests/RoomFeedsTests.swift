import Events
import RoomAnswers
import Testing
import Timetables

@testable import TimetableFetcher

@Suite("What the feeds of a room say") struct RoomFeedsTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let house = BuildingID("house")

    /// - Parameters:
    ///   - room: nil for a feed of the building.
    ///   - minutes: the time since the last good fetch; nil where there was none.
    private static func feed(
        _ id: String, room: String? = nil, readBefore minutes: Int?, isEnabled: Bool = true,
        coversUntil: Timestamp? = nil
    ) -> FeedStore.Row {
        var report = FeedReport()
        report.goodAt = minutes.map { now.advanced(byMicroseconds: Int64($0) * -60_000_000) }
        report.coversUntil = coversUntil
        return FeedStore.Row(
            feed: TimetableFeed(
                site: SiteID("site"), id: FeedID(id), kind: .table, address: "", name: "",
                isEnabled: isEnabled, building: room == nil ? house : nil,
                room: room.map { RoomID($0) }),
            report: report)
    }

    private static func schedule(
        _ feeds: [FeedStore.Row], bookedBy: [String] = [], hasUnread: Bool = false
    ) -> KnownSchedule? {
        RoomFeeds(
            of: RoomID("a"), in: house, among: feeds,
            bookedBy: Set(bookedBy.map { FeedID($0) })
        ).schedule([], hasUnread: hasUnread, now: now)
    }

    @Test("A disabled feed makes no room of its building old, and ends no time that is covered")
    func disabled() throws {
        let former = Self.feed(
            "former", readBefore: 100_000, isEnabled: false, coversUntil: Self.now)
        let current = Self.feed("current", readBefore: 5)
        let both = try #require(Self.schedule([former, current], bookedBy: ["former", "current"]))
        #expect(!both.isOld && both.isComplete && both.isNamed && both.knownUntil == nil)
        #expect(both.asOf == current.report.goodAt)
        // Without an enabled feed its bookings are shown, with their age.
        let alone = try #require(Self.schedule([former], bookedBy: ["former"]))
        #expect(alone.isOld && alone.isNamed && alone.knownUntil == Self.now)
        #expect(alone.asOf == former.report.goodAt)
        let unread = Self.feed("current", readBefore: nil)
        let waiting = try #require(Self.schedule([former, unread], bookedBy: ["former"]))
        #expect(waiting.isOld && !waiting.isComplete && waiting.asOf == former.report.goodAt)
    }

    @Test("A room is not known before each enabled feed of its building was read")
    func neverRead() throws {
        let read = Self.feed("lectures", readBefore: 5)
        let failing = Self.feed("events", readBefore: nil)
        for booking: [String] in [[], ["lectures"]] {
            let known = try #require(Self.schedule([read, failing], bookedBy: booking))
            #expect(!known.isComplete && !known.isOld)
            // The answer does not list each kitchen of the building meanwhile.
            #expect(known.isOfRoom == !booking.isEmpty)
            let alone = try #require(Self.schedule([read], bookedBy: booking))
            #expect(alone.isComplete)
        }
        let disabled = Self.feed("events", readBefore: nil, isEnabled: false)
        #expect(Self.schedule([read, disabled])?.isComplete == true)
        #expect(Self.schedule([failing]) == nil)
    }

    @Test("A feed of its own that was never read makes its room alone incomplete")
    func own() throws {
        let building = Self.feed("building", readBefore: 5)
        let own = try #require(
            Self.schedule([building, Self.feed("own", room: "a", readBefore: nil)]))
        #expect(!own.isComplete && own.isOfRoom && !own.isNamed)
        let other = try #require(
            Self.schedule([building, Self.feed("other", room: "b", readBefore: nil)]))
        #expect(other.isComplete && !other.isOfRoom)
        #expect(Self.schedule([building], hasUnread: true)?.isComplete == false)
    }
}
