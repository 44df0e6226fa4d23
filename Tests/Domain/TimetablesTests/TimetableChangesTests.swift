import Events
import SeededRandomness
import Testing

@testable import Timetables

/// Bookings on a scale of hours, `now` being hour 0.
private let hour: Int64 = 3_600_000_000
private let now = Timestamp(microseconds: 1_800_000_000_000_000)

private func booking(
    _ id: Int, from starts: Int, hours: Int = 1, rooms: [String] = ["7.01"],
    title: String = "Logic"
) -> RoomBooking {
    RoomBooking(
        site: SiteID("campus"), id: EventID(high: 1, low: UInt64(id)), feed: FeedID("labs"),
        rooms: rooms.map { RoomID($0) }, starts: now.advanced(byMicroseconds: Int64(starts) * hour),
        ends: now.advanced(byMicroseconds: Int64(starts + hours) * hour), title: title)
}

private func content(_ bookings: [RoomBooking], cancelled: Set<EventID> = []) -> FeedContent {
    var content = FeedContent()
    content.bookings = bookings
    content.cancelled = cancelled
    return content
}

@Suite struct TimetableChangesTests {
    private let horizon = TimetableHorizon(around: now)

    private func changes(
        _ known: [KnownBooking], _ found: FeedContent, wasEmpty: Bool = false
    ) -> TimetableChanges {
        .between(known: known, found: found, horizon: horizon, wasEmpty: wasEmpty, at: now)
    }

    @Test("New, moved, changed and lost bookings each give one event, unchanged ones none")
    func kinds() {
        let known = [
            booking(1, from: 5), booking(2, from: 6), booking(3, from: 7), booking(4, from: 8),
        ].map { KnownBooking($0) }
        let found = [
            booking(1, from: 5), booking(2, from: 9), booking(3, from: 7, title: "Logic 2"),
            booking(5, from: 1),
        ]
        let changes = changes(known, content(found))
        #expect(changes.moved.map(\.booking.id.low) == [2])
        #expect(changes.moved.first?.formerStarts == known[1].booking.starts)
        #expect(changes.booked.map(\.booking.id.low) == [3, 5])
        #expect(changes.cancelled.map(\.booking.id.low) == [4])
    }

    @Test("Too many bookings of a room in a week are left out, and those in rows are cancelled")
    func crowds() {
        var found = content(
            [booking(3, from: 3), booking(1, from: 1), booking(2, from: 2)]
                + [booking(4, from: 4, rooms: ["7.02"]), booking(5, from: 40 * 24)])
        let few = found.leaveOutCrowds(in: horizon, at: now)
        #expect(few.isEmpty && found.crowded == nil)
        var later = found
        let crowded = found.leaveOutCrowds(in: horizon, at: now, mostOfRoom: 2)
        #expect(crowded == ["7.01: more than 2 bookings in a week"])
        #expect(found.bookings.map(\.id.low) == [1, 2, 4, 5])
        let third = booking(3, from: 3)
        #expect(found.crowded == CrowdedTime(third))
        let rows = [third, booking(6, from: 3)].map { KnownBooking($0) }
        #expect(changes(rows, found).cancelled.map(\.booking.id.low) == [3, 6])
        found.isIncomplete = true
        #expect(changes(rows, found).cancelled.map(\.booking.id.low) == [3])
        // One that is over says nothing of the time to come.
        #expect(!later.leaveOutCrowds(in: horizon, at: third.ends, mostOfRoom: 2).isEmpty)
        #expect(later.crowded == nil)
    }

    @Test("Too many bookings of all rooms in a week are left out, and those of a campus are not")
    func fullWeeks() {
        var found = content(
            (1...6).map { booking($0, from: $0, rooms: ["\($0)"]) } + [booking(7, from: 40 * 24)])
        let lines = found.leaveOutCrowds(in: horizon, at: now, mostOfAll: 4)
        #expect(lines == ["all rooms: more than 4 bookings in a week"])
        #expect(found.bookings.map(\.id.low) == [1, 2, 3, 4, 7])
        #expect(found.crowded?.begins == booking(5, from: 5).starts)
        #expect(found.crowded?.ends == booking(6, from: 6).ends)
        // Four hundred rooms with forty bookings in the week.
        var campus = content(
            (0..<16_000).map { booking($0, from: $0 % 40, rooms: ["\($0 / 40)"]) })
        #expect(campus.leaveOutCrowds(in: horizon, at: now).isEmpty)
        // An answer of 50,000 touches three weeks.
        #expect(3 * FeedContent.mostOfWeek < 50_000)
        #expect(FeedContent.mostOfRoomAndWeek < FeedContent.mostOfWeek)
    }

    @Test("An incomplete feed that gives other ids at each export has a limited number of rows")
    func otherIDs() {
        let count = 4_000
        var (rows, most, cancelled): ([KnownBooking], Int, Int) = ([], 0, 0)
        for export in 0..<12 {
            var found = content((0..<count).map { booking(export * count + $0, from: 5) })
            found.isIncomplete = true
            let changes = changes(rows, found)
            #expect(changes.cancelsMissing == !changes.cancelled.isEmpty)
            cancelled += changes.cancelled.count
            rows = applied(changes, to: rows).filter { !$0.isCancelled }
            most = max(most, rows.count)
        }
        #expect(most <= TimetableChanges.mostMissing + 2 * count && cancelled > 0)
    }

    @Test("An incomplete feed that has lost many of its bookings cancels none of them")
    func lostParts() {
        let rows = (0..<12_000).map { KnownBooking(booking($0, from: 5)) }
        var found = content(rows.prefix(1_000).map(\.booking) + [booking(20_000, from: 5)])
        found.isIncomplete = true
        let changes = changes(rows, found)
        #expect(changes.cancelled.isEmpty && !changes.cancelsMissing && changes.booked.count == 1)
        found.bookings = []
        #expect(self.changes(rows, found, wasEmpty: true).count == 0)
    }

    @Test("Rows that stay count in their weeks, and those beyond the limit are cancelled")
    func stayingCrowds() {
        let rows = (1...4).map { KnownBooking(booking($0, from: $0 - 3)) }
        var found = content([booking(9, from: 3)])
        found.isIncomplete = true
        func changes(_ most: Int) -> TimetableChanges {
            .between(
                known: rows, found: found, horizon: horizon, wasEmpty: false, at: now,
                mostOfWeek: most)
        }
        #expect(changes(5).cancelled.isEmpty && !changes(5).isCrowded)
        let few = changes(4)
        #expect(few.cancelled.map(\.booking.id.low) == [4] && few.isCrowded)
        #expect(few.crowded == CrowdedTime(rows[3].booking) && !few.cancelsMissing)
        #expect(changes(2).cancelled.map(\.booking.id.low) == [2, 3, 4])
        // Rows that are over are read whole only where they may fill a week.
        let marks = rows.map {
            BookingMark(id: $0.booking.id, ends: $0.booking.ends, digest: [])
        }
        func open(_ most: Int) -> Set<UInt64> {
            Set(
                ConcernedRows(
                    marks, found: found, horizon: horizon, at: now, mostOfWeek: most,
                    digest: { _ in [] }
                ).open.map(\.low))
        }
        #expect(open(5) == [3, 4] && open(4) == [1, 2, 3, 4])
    }

    @Test("Bookings that were left out stay unknown until they are over, or seen to be gone")
    func stillCrowded() {
        let former = CrowdedTime(booking(4, from: 1, hours: 2))
        let rows = (1...6).map { KnownBooking(booking($0, from: $0)) }
        func crowded(
            _ found: FeedContent, at time: Timestamp = now, wasEmpty: Bool = false
        ) -> CrowdedTime? {
            let changes = TimetableChanges.between(
                known: rows, found: found, crowded: former, horizon: horizon, wasEmpty: wasEmpty,
                at: time)
            #expect(changes.isStillCrowded == (changes.crowded != nil))
            return changes.crowded
        }
        var found = content([booking(9, from: 7)])
        #expect(crowded(found) == nil)
        found.isIncomplete = true
        #expect(crowded(found) == former)
        #expect(crowded(found, at: former.ends) == nil)
        #expect(crowded(content([])) == former)
        #expect(crowded(content([]), wasEmpty: true) == nil)
    }

    @Test("Another room is a move that names the former room")
    func otherRoom() throws {
        let changes = changes(
            [KnownBooking(booking(1, from: 5))], content([booking(1, from: 5, rooms: ["7.02"])]))
        let moved = try #require(changes.moved.first)
        #expect(moved.formerRooms == [RoomID("7.01")])
        #expect(changes.count == 1)
    }

    @Test("What has ended stays although the feed no longer shows it, unless the feed cancels it")
    func past() {
        let known = [KnownBooking(booking(1, from: -5)), KnownBooking(booking(2, from: -9))]
        #expect(changes(known, content([])).count == 0)
        let cancelled = changes(known, content([], cancelled: [known[1].booking.id]))
        #expect(cancelled.cancelled.map(\.booking.id.low) == [2])
    }

    @Test("A known booking beyond the horizon stays")
    func beyond() {
        let known = [KnownBooking(booking(1, from: 500 * 24))]
        #expect(changes(known, content([])) == TimetableChanges())
    }

    @Test("What ended over a month ago is forgotten, cancelled or not")
    func forgotten() {
        let known = [
            KnownBooking(booking(1, from: -32 * 24)), KnownBooking(booking(2, from: -30 * 24)),
            KnownBooking(booking(3, from: -40 * 24), isCancelled: true),
        ]
        #expect(changes(known, content([])).forgotten.map(\.low) == [1, 3])
    }

    @Test("A cancelled booking that comes back is booked again")
    func comesBack() {
        let known = [KnownBooking(booking(1, from: 5), isCancelled: true)]
        #expect(changes(known, content([booking(1, from: 5)])).booked.count == 1)
        #expect(changes(known, content([])).count == 0)
    }

    @Test("A feed that is suddenly empty is believed the second time")
    func suddenlyEmpty() {
        let known = (1...6).map { KnownBooking(booking($0, from: $0)) }
        let first = changes(known, content([]))
        #expect(first.isSuddenlyEmpty)
        #expect(first.count == 0)
        let second = changes(known, content([]), wasEmpty: true)
        #expect(second.cancelled.count == 6)
        let few = changes(Array(known.prefix(4)), content([]))
        #expect(few.cancelled.count == 4)
    }

    /// Decides about each id alone, from all pairs.
    private func plain(
        _ known: [KnownBooking], _ found: FeedContent, wasEmpty: Bool
    ) -> [UInt64: String] {
        let within = { (one: RoomBooking) in
            one.starts < horizon.ends && one.ends > horizon.begins
        }
        let shown = found.bookings.filter(within)
        let future = known.filter { !$0.isCancelled && $0.booking.ends > now && within($0.booking) }
        let doubts = future.count >= 5 && !shown.contains { $0.ends > now } && !wasEmpty
        var result: [UInt64: String] = [:]
        for id in Set(known.map(\.booking.id) + shown.map(\.id)) {
            let row = known.first { $0.booking.id == id }
            let new = shown.first { $0.id == id }
            var what = "nothing"
            if let new {
                if row == nil || row!.isCancelled {
                    what = "booked"
                } else if row!.booking != new {
                    let isSame =
                        row!.booking.rooms == new.rooms && row!.booking.starts == new.starts
                        && row!.booking.ends == new.ends
                    what = isSame ? "booked" : "moved"
                }
            } else if let row {
                if now - row.booking.ends > 31 * 24 * hour {
                    what = "forgotten"
                } else if row.isCancelled {
                    what = "nothing"
                } else if found.cancelled.contains(id) {
                    what = "cancelled"
                } else if row.booking.ends > now, within(row.booking), !doubts {
                    what = "cancelled"
                }
            }
            if what != "nothing" { result[id.low] = what }
        }
        return result
    }

    @Test(
        "Equals the decision about each booking alone, and a second look finds nothing new",
        arguments: 0..<200)
    func random(seed: Int) {
        var random = SeededRandom(seed: seed)
        func one(_ id: Int) -> RoomBooking {
            let starts = [
                Int.random(in: -1_000...1_000, using: &random),
                Int.random(in: -9...9, using: &random),
                Int.random(in: 9_000...10_200, using: &random),
            ].randomElement(using: &random)!
            return booking(
                id, from: starts, hours: Int.random(in: 1...3, using: &random),
                rooms: [["7.01"], ["7.01", "7.02"]].randomElement(using: &random)!,
                title: ["Logic", "Sets"].randomElement(using: &random)!)
        }
        let known = (0..<Int.random(in: 0...30, using: &random)).map {
            KnownBooking(one($0), isCancelled: Int.random(in: 0..<5, using: &random) == 0)
        }
        var bookings: [RoomBooking] = []
        if Int.random(in: 0..<4, using: &random) > 0 {
            for id in 0..<40 where Bool.random(using: &random) {
                let same = known.first { $0.booking.id.low == id }?.booking
                bookings.append(Bool.random(using: &random) ? same ?? one(id) : one(id))
            }
        }
        let ids = Set(bookings.map(\.id))
        let cancelled = Set(
            known.map(\.booking.id).filter {
                !ids.contains($0) && Int.random(in: 0..<6, using: &random) == 0
            })
        let found = content(bookings, cancelled: cancelled)
        let wasEmpty = Bool.random(using: &random)
        let changes = changes(known, found, wasEmpty: wasEmpty)
        let result = outcomes(changes)
        #expect(result == plain(known, found, wasEmpty: wasEmpty))
        #expect(result.count == changes.count + changes.forgotten.count)
        expectSame(changes, known, found, wasEmpty: wasEmpty)

        // The next fetch may believe what this one doubts.
        guard !changes.isSuddenlyEmpty else { return }
        let second = self.changes(applied(changes, to: known), found, wasEmpty: wasEmpty)
        #expect(second.count == 0)
    }

    /// The kind of change of each id.
    private func outcomes(_ changes: TimetableChanges) -> [UInt64: String] {
        var kinds: [UInt64: String] = [:]
        for event in changes.booked { kinds[event.booking.id.low] = "booked" }
        for event in changes.moved { kinds[event.booking.id.low] = "moved" }
        for event in changes.cancelled { kinds[event.booking.id.low] = "cancelled" }
        for id in changes.forgotten { kinds[id.low] = "forgotten" }
        return kinds
    }

    /// The same changes, from those rows alone that are not as the feed says. Rows of cancelled
    /// bookings are not among them, and are forgotten without the feed.
    private func expectSame(
        _ changes: TimetableChanges, _ known: [KnownBooking], _ found: FeedContent, wasEmpty: Bool
    ) {
        let digest = { (one: RoomBooking) in Array("\(one)".utf8) }
        let rows = known.filter { !$0.isCancelled }
        let concerned = ConcernedRows(
            rows.map {
                BookingMark(
                    id: $0.booking.id, ends: $0.booking.ends, digest: digest($0.booking))
            }, found: found, horizon: horizon, at: now, digest: digest)
        let open = Set(concerned.open)
        #expect(open.isDisjoint(with: concerned.unchanged))
        let some = TimetableChanges.between(
            known: rows.filter { open.contains($0.booking.id) }, found: found,
            unchanged: concerned.unchanged, horizon: horizon, wasEmpty: wasEmpty, at: now)
        #expect(some.moved == changes.moved && some.cancelled == changes.cancelled)
        #expect(some.isSuddenlyEmpty == changes.isSuddenlyEmpty)
        var expected = changes
        expected.forgotten.removeAll { id in !rows.contains { $0.booking.id == id } }
        #expect(outcomes(some) == outcomes(expected))
        #expect(some.booked.count == changes.booked.count)
    }

    private func applied(
        _ changes: TimetableChanges, to known: [KnownBooking]
    ) -> [KnownBooking] {
        var rows = Dictionary(uniqueKeysWithValues: known.map { ($0.booking.id, $0) })
        for event in changes.booked { rows[event.booking.id] = KnownBooking(event.booking) }
        for event in changes.moved { rows[event.booking.id] = KnownBooking(event.booking) }
        for event in changes.cancelled {
            rows[event.booking.id] = KnownBooking(event.booking, isCancelled: true)
        }
        for id in changes.forgotten { rows[id] = nil }
        return Array(rows.values)
    }
}
