import Events
import Site
import Timetables
import Wire

/// An answer with its rooms. It may take seconds, so it is made before the transaction that stores
/// it and holds the feed's row.
struct MatchedFeed: Sendable {
    private(set) var content = FeedContent()
    /// The free computers of rooms, each room once.
    private(set) var counts: [ComputersCounted] = []
    private(set) var unmatched = UnmatchedPlaces()
    /// The answer's parts without bookings and numbers.
    let parts: FeedParts
    /// The answer says nothing of the time before; nil unless that is still to come.
    private(set) var coversFrom: Timestamp?
    /// From then on the answer says nothing, or some of its bookings are left out.
    private(set) var coversUntil: Timestamp?

    /// The number of bookings, or of rooms whose free computers are known.
    var found: Int { content.bookings.count + counts.count { $0.available != nil } }

    /// - Throws: a fault if the search for rooms takes too long, or finds too many.
    init(
        _ parts: FeedParts, of feed: TimetableFeed, in site: SiteDocument, names: RoomNames,
        at now: Timestamp
    ) throws(FeedFault) {
        var matching = RoomMatching(
            site, patterns: feed.patterns, building: feed.building, room: feed.room, names: names)
        var parts = parts
        if feed.kind.countsComputers {
            let read = Self.counts(parts.counts, feed, &matching, now)
            counts = read.counts
            parts.leftOut += read.faults
        } else {
            content = FeedContent(
                parts.bookings, site: feed.site, feed: feed.id, keepsPeople: feed.keepsPeople,
                matching: &matching,
                id: { EventID(bookingOf: $0, feed: feed.id, at: feed.site) })
            guard !content.hasTooManyRooms else {
                throw FeedFault(
                    "its bookings are in more than \(FeedContent.mostRooms) rooms, counting each "
                        + "booking's own")
            }
            content.isIncomplete = parts.isIncomplete
            let crowds = content.leaveOutCrowds(in: TimetableHorizon(around: now), at: now)
            parts.leftOut.insert(contentsOf: crowds, at: 0)
        }
        guard !matching.isExhausted else {
            throw FeedFault("its places take too long: give patterns that match fewer texts")
        }
        unmatched = matching.unmatched
        let covered = parts.covered(at: now)
        coversFrom = covered.flatMap { $0.lowerBound > now ? $0.lowerBound : nil }
        coversUntil = [covered?.upperBound, content.crowded?.begins].compactMap(\.self).min()
        (parts.bookings, parts.counts) = ([], [])
        self.parts = parts
    }

    private static func counts(
        _ counts: [FoundCount], _ feed: TimetableFeed, _ matching: inout RoomMatching,
        _ now: Timestamp
    ) -> (counts: [ComputersCounted], faults: [String]) {
        var found: [RoomID: ComputersCounted] = [:]
        var faults: [String] = []
        for count in counts {
            let (rooms, fault) = (matching.rooms(at: count.place), count.fault)
            // Other places are named as unmatched.
            if let fault, !rooms.isEmpty { faults.append(fault) }
            for room in rooms {
                found[room] = ComputersCounted(
                    site: feed.site, feed: feed.id, room: room,
                    available: fault == nil ? count.available : nil, total: count.total,
                    asOf: now.wholeMilliseconds)
            }
        }
        return (found.values.sorted { $0.room < $1.room }, faults)
    }
}
