import Events
import Geometry
import Site
import Testing

@testable import RoomAvailability

@Suite("Free rooms") struct FreeRoomsTests {
    private static let site = SiteID("bush")
    /// 2026-11-27T10:00:00Z, a Friday.
    private static let now = Timestamp(milliseconds: 1_795_773_600_000)

    private static func minute(_ minutes: Int) -> Timestamp {
        now.advanced(byMicroseconds: Int64(minutes) * 60_000_000)
    }

    private static func query(
        _ from: Int, _ until: Int, kind: String? = nil, computers: Int = 0
    ) -> FreeRoomsQuery {
        FreeRoomsQuery(
            from: minute(from), until: minute(until), now: now, utcOffsetSeconds: 0, kind: kind,
            computers: computers)
    }

    private static func facts(
        _ id: String, booked: [Range<Int>]? = [], knownUntil: Int? = nil, way: RoomWay? = nil,
        hours: String? = nil, isRestricted: Bool = false, kind: String = "laboratory",
        computers: ComputerCount? = nil
    ) -> RoomFacts {
        let room = RoomRecord(
            id: RoomID(id), floor: FloorID("1"), name: id, kind: kind, outline: [],
            isRestricted: isRestricted, openingHours: hours)
        let bookings = booked?.map { minutes in
            RoomBooking(
                site: site, id: EventID(high: 0, low: 1), feed: FeedID("f"), rooms: [RoomID(id)],
                starts: minute(minutes.lowerBound), ends: minute(minutes.upperBound), title: "T")
        }
        return RoomFacts(
            room: room, bookings: bookings, knownUntil: knownUntil.map { minute($0) },
            computers: computers, way: way)
    }

    private static func reason(_ facts: RoomFacts, _ query: FreeRoomsQuery) -> RoomLeftOut.Reason? {
        FreeRooms(query, among: [facts]).leftOut.first?.reason
    }

    @Test("A room is free only for the complete period")
    func booked() {
        let facts = Self.facts("A", booked: [0..<60, 60..<90, 150..<180])
        #expect(Self.reason(facts, Self.query(30, 80)) == .booked(until: Self.minute(90)))
        #expect(Self.reason(facts, Self.query(89, 120)) == .booked(until: Self.minute(90)))
        #expect(Self.reason(facts, Self.query(100, 151)) == .booked(until: Self.minute(180)))
        let free = FreeRooms(Self.query(90, 150), among: [facts]).free
        #expect(free.map(\.freeUntil) == [Self.minute(150)])
    }

    @Test("A booked room is booked until its first gap, also after the period")
    func bookedWithoutGap() {
        let facts = Self.facts("A", booked: [300..<360, 60..<90, 30..<120, 120..<180, 180..<240])
        for (from, until) in [(0, 60), (30, 31), (100, 110), (230, 290)] {
            #expect(Self.reason(facts, Self.query(from, until)) == .booked(until: Self.minute(240)))
        }
        #expect(Self.reason(facts, Self.query(240, 301)) == .booked(until: Self.minute(360)))
        #expect(Self.reason(facts, Self.query(240, 300)) == nil)
    }

    @Test("A room is free until its next booking, or until nobody knows any more")
    func knownUntil() {
        func freeUntil(_ booked: [Range<Int>], _ known: Int?) -> Timestamp? {
            let facts = Self.facts("A", booked: booked, knownUntil: known)
            return FreeRooms(Self.query(0, 60), among: [facts]).free.first?.freeUntil
        }
        #expect(freeUntil([150..<180], 170) == Self.minute(150))
        #expect(freeUntil([150..<180], 140) == Self.minute(140))
        #expect(freeUntil([], 60) == Self.minute(60))
        #expect(freeUntil([], nil) == nil)
    }

    @Test("Nearer rooms come first, and those that nobody reaches in time are left out")
    func ways() {
        let rooms = [
            Self.facts("far", way: .found(seconds: 200, metres: 250)),
            Self.facts("near", way: .found(seconds: 20, metres: 25)),
            Self.facts("late", way: .found(seconds: 301, metres: 400)),
            Self.facts("stairs", way: RoomWay.none(code: "barriers")),
        ]
        let found = FreeRooms(Self.query(5, 60), among: rooms)
        #expect(found.free.map(\.room.text) == ["near", "far"])
        #expect(
            found.leftOut == [
                RoomLeftOut(
                    room: RoomID("late"),
                    reason: .tooFar(arriveAt: Self.now.advanced(byMicroseconds: 301_000_000))),
                RoomLeftOut(room: RoomID("stairs"), reason: .unreachable(code: "barriers")),
            ])
        // At once means: as soon as one is there.
        let atOnce = FreeRooms(Self.query(0, 60), among: rooms)
        #expect(atOnce.free.map(\.room.text) == ["near", "far", "late"])
    }

    @Test("Closed, restricted and unknown rooms are not free")
    func others() {
        #expect(
            Self.reason(Self.facts("A", hours: "Mo-Fr 09:00-11:00"), Self.query(0, 61)) == .closed)
        #expect(
            Self.reason(Self.facts("A", hours: "Mo-Fr 09:00-11:00"), Self.query(0, 60)) == nil)
        #expect(
            Self.reason(
                Self.facts("A", hours: "Mo-Fr 09:00-10:30,10:31-12:00"), Self.query(0, 60))
                == .closed)
        #expect(Self.reason(Self.facts("A", isRestricted: true), Self.query(0, 9)) == .restricted)
        let unknown = Self.facts("A", booked: nil)
        let silent = FreeRooms(Self.query(0, 60), among: [unknown])
        #expect(silent.free.isEmpty && silent.leftOut.isEmpty)
        #expect(Self.reason(unknown, Self.query(0, 60, kind: "laboratory")) == .timetableUnknown)
        let other = FreeRooms(Self.query(0, 60, kind: "toilets"), among: [Self.facts("A")])
        #expect(other.free.isEmpty && other.leftOut.isEmpty)
    }

    private static func count(
        _ feed: String, _ available: Int?, of total: Int? = nil, at minutes: Int = 0
    ) -> ComputersCounted {
        ComputersCounted(
            site: site, feed: FeedID(feed), room: RoomID("A"), available: available, total: total,
            asOf: minute(minutes))
    }

    private static func counted(_ counts: ComputersCounted...) -> ComputerCount {
        ComputerCount(counts.map { believed($0) })
    }

    private static func believed(
        _ count: ComputersCounted, at minutes: Int? = nil
    ) -> ComputersCounted {
        count.confirmed(at: minutes.map { minute($0) }, now: now, mostSeconds: 3_600)
    }

    @Test("No free computer, an unknown number and no source are different")
    func computers() {
        #expect(Self.counted().state == .notCounted)
        #expect(Self.counted(Self.count("a", 0, of: 20)).state == .noneFree)
        #expect(
            Self.counted(Self.count("a", nil, at: -5)).state == .unknown(since: Self.minute(-5)))
        // Older than an hour.
        #expect(
            Self.counted(Self.count("a", 3, at: -61)).state == .unknown(since: Self.minute(-61)))
        let both = Self.counted(
            Self.count("b", 3, of: 10), Self.count("a", 4, of: 10, at: -2),
            Self.count("a", 9, of: 10, at: -3))
        #expect(both.state == .free(7) && both.total == 20)
        #expect(both.asOf == Self.minute(-2))
        #expect(both.sources.map(\.text) == ["a", "b"])
        #expect(
            Self.counted(Self.count("a", 3), Self.count("b", nil, at: -9)).state
                == .unknown(since: Self.minute(-9)))
        let facts = Self.facts("A", computers: both)
        #expect(Self.reason(facts, Self.query(0, 9, computers: 7)) == nil)
        #expect(
            Self.reason(facts, Self.query(0, 9, computers: 8)) == .fewComputers(available: 7))
        #expect(Self.reason(Self.facts("A"), Self.query(0, 9, computers: 1)) == .computersUnknown)
    }

    @Test("A number that has not changed is as old as its feed's last good fetch")
    func confirmed() {
        let free = Self.count("a", 20, of: 20, at: -600)
        #expect(Self.counted(free).state == .unknown(since: Self.minute(-600)))
        let again = ComputerCount([Self.believed(free, at: -1)])
        #expect(again.state == .free(20) && again.asOf == Self.minute(-1))
        let old = Self.believed(free, at: -61)
        #expect(old.available == nil && old.asOf == Self.minute(-61) && old.total == 20)
        #expect(Self.believed(free, at: -60).available == 20)
        #expect(Self.believed(free, at: -700) == Self.believed(free))
        let unknown = Self.count("a", nil, at: -600)
        #expect(Self.believed(unknown, at: -1) == unknown)
    }

    @Test(
        "Sentences in three languages",
        arguments: [
            ("en", "No computers are available.", "Unknown since 10:40."),
            ("cy", "Nid oes cyfrifiaduron ar gael.", "Anhysbys ers 10:40."),
            ("de", "Kein Computer ist frei.", "Unbekannt seit 10:40."),
        ])
    func sentences(language: String, none: String, unknown: String) {
        let words = AvailabilityWords.words(in: language)
        #expect(words.sentence(Self.counted(Self.count("a", 0)), clock: "10:40") == none)
        #expect(words.sentence(Self.counted(Self.count("a", nil)), clock: "10:40") == unknown)
        let some = words.sentence(Self.counted(Self.count("a", 7, of: 20)), clock: "")
        #expect(some.contains("7") && some.contains("20"))
    }
}
