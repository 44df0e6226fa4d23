import Events
import SeededRandomness
import Testing

@testable import Timetables

/// A feed that changes while time goes on, and a reader who has only the events.
@Suite("A timetable over months") struct TimetableSequenceTests {
    fileprivate static let hour: Int64 = 3_600_000_000
    private static let begin = Timestamp(microseconds: 1_800_000_000_000_000)

    /// A compacted topic: it has the last event of each booking.
    private struct Reader {
        var bookings: [EventID: KnownBooking] = [:]

        mutating func read(_ changes: TimetableChanges) {
            for event in changes.booked {
                bookings[event.booking.id] = KnownBooking(event.booking)
            }
            for event in changes.moved {
                let former = bookings[event.booking.id]?.booking
                #expect(former?.rooms == event.formerRooms)
                #expect(former?.starts == event.formerStarts && former?.ends == event.formerEnds)
                bookings[event.booking.id] = KnownBooking(event.booking)
            }
            for event in changes.cancelled {
                #expect(bookings[event.booking.id] == KnownBooking(event.booking))
                bookings[event.booking.id] = KnownBooking(event.booking, isCancelled: true)
            }
            for id in changes.forgotten { bookings[id] = nil }
        }
    }

    /// The feed, as its owners change it.
    private struct Feed {
        var random: SeededRandom
        var bookings: [EventID: RoomBooking] = [:]
        /// Whether it has only what is to come.
        let hidesPast: Bool
        private var number: UInt64 = 0

        init(seed: Int) {
            random = SeededRandom(seed: seed)
            hidesPast = seed.isMultiple(of: 2)
        }

        mutating func change(at now: Timestamp) {
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let id = bookings.keys.sorted { $0.low < $1.low }.randomElement(using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: id.map { bookings[$0] = nil }
                case 1: id.map { bookings[$0]?.title += "!" }
                case 2:
                    guard let id else { continue }
                    let other = booking(at: now, id)
                    bookings[id]?.starts = other.starts
                    bookings[id]?.ends = other.ends
                default:
                    number += 1
                    let id = EventID(high: 1, low: number)
                    bookings[id] = booking(at: now, id)
                }
            }
        }

        private mutating func booking(at now: Timestamp, _ id: EventID) -> RoomBooking {
            let hours = [-300, -20, -1, 0, 1, 30, 700, 9_500, 9_700].randomElement(using: &random)
            let starts = now.advanced(
                byMicroseconds: Int64(hours ?? 0) * TimetableSequenceTests.hour)
            return RoomBooking(
                site: SiteID("campus"), id: id, feed: FeedID("labs"), rooms: [RoomID("7.01")],
                starts: starts,
                ends: starts.advanced(
                    byMicroseconds: Int64.random(in: 1...40, using: &random)
                        * TimetableSequenceTests.hour),
                title: "Logic")
        }

        func content(at now: Timestamp) -> FeedContent {
            var content = FeedContent()
            content.bookings = bookings.values.filter { !hidesPast || $0.ends > now }
                .sorted { $0.id.low < $1.id.low }
            return content
        }
    }

    @Test(
        "The events alone give the rows; no change gives none; each tombstone comes after a month",
        arguments: 0..<100)
    func months(seed: Int) {
        var (feed, reader) = (Feed(seed: seed), Reader())
        var (now, wasEmpty, events, forgotten) = (Self.begin, false, 0, 0)
        for _ in 0..<120 {
            now = now.advanced(
                byMicroseconds: Int64.random(in: 1...60, using: &feed.random) * Self.hour)
            if Int.random(in: 0..<3, using: &feed.random) > 0 { feed.change(at: now) }
            let horizon = TimetableHorizon(around: now)
            let content = feed.content(at: now)
            func fetch(_ wasEmpty: Bool) -> TimetableChanges {
                .between(
                    known: Array(reader.bookings.values), found: content, horizon: horizon,
                    wasEmpty: wasEmpty, at: now)
            }
            let before = reader.bookings
            let changes = fetch(wasEmpty)
            reader.read(changes)
            (events, forgotten) = (events + changes.count, forgotten + changes.forgotten.count)
            let isDoubted = changes.isSuddenlyEmpty && !wasEmpty
            expect(reader, content, horizon, now, isDoubted: isDoubted)
            for id in changes.forgotten {
                let ended = before[id]?.booking.ends ?? now
                #expect(now - ended > 31 * 24 * Self.hour)
            }
            wasEmpty = isDoubted
            if !isDoubted {
                let again = fetch(false)
                #expect(again.count == 0 && again.forgotten.isEmpty, "seed \(seed)")
            }
        }
        #expect(events > 100 && forgotten > 10)
    }

    private func expect(
        _ reader: Reader, _ content: FeedContent, _ horizon: TimetableHorizon, _ now: Timestamp,
        isDoubted: Bool
    ) {
        var shown: Set<EventID> = []
        for booking in content.bookings where horizon.meets(booking.starts, booking.ends) {
            shown.insert(booking.id)
            #expect(reader.bookings[booking.id] == KnownBooking(booking))
        }
        for (id, known) in reader.bookings where !shown.contains(id) {
            #expect(now - known.booking.ends <= 31 * 24 * Self.hour)
            let isToCome =
                known.booking.ends > now
                && horizon.meets(known.booking.starts, known.booking.ends)
            #expect(known.isCancelled || !isToCome || isDoubted)
        }
    }
}
