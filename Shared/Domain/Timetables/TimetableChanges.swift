public import Events

/// A booking that the feed's rows hold.
public struct KnownBooking: Hashable, Sendable {
    public var booking: RoomBooking
    /// Whether the last event about it says that it is cancelled.
    public var isCancelled: Bool

    public init(_ booking: RoomBooking, isCancelled: Bool = false) {
        self.booking = booking
        self.isCancelled = isCancelled
    }
}

/// The marks by which a row that is not cancelled is read whole, or left alone.
public struct BookingMark: Hashable, Sendable {
    public var id: EventID
    public var ends: Timestamp
    /// A hash of the booking.
    public var digest: [UInt8]

    public init(id: EventID, ends: Timestamp, digest: [UInt8]) {
        self.id = id
        self.ends = ends
        self.digest = digest
    }
}

/// The rows of a feed, as far as they matter for what it says now.
public struct ConcernedRows: Hashable, Sendable {
    /// Rows that have to be read whole.
    public private(set) var open: [EventID] = []
    /// Bookings that are as their rows say.
    public private(set) var unchanged: Set<EventID> = []

    /// - Parameters:
    ///   - rows: the rows of the feed that are not cancelled, each id once. A booking that comes
    ///     back is booked like a new one.
    ///   - digest: the hash of a booking, as rows have it.
    public init(
        _ rows: [BookingMark], found: FeedContent, horizon: TimetableHorizon, at now: Timestamp,
        mostOfWeek: Int = FeedContent.mostOfWeek, digest: (RoomBooking) -> [UInt8]
    ) {
        var shown: [EventID: RoomBooking] = [:]
        for booking in found.bookings where horizon.meets(booking.starts, booking.ends) {
            shown[booking.id] = booking
        }
        var past: [EventID] = []
        for row in rows {
            if let booking = shown[row.id] {
                if digest(booking) == row.digest {
                    unchanged.insert(row.id)
                } else {
                    open.append(row.id)
                }
            } else if row.ends > now || found.cancelled.contains(row.id)
                || row.ends < TimetableHorizon.forgotten(at: now)
            {
                open.append(row.id)
            } else if row.ends > horizon.begins {
                past.append(row.id)
            }
        }
        // They stay, unless a week has too many of them with the others. Those that begin later
        // share no week with them.
        let later = now.advanced(byMicroseconds: 7 * TimetableHorizon.microsecondsPerDay)
        let near = shown.values.reduce(0) { $1.starts < later ? $0 + 1 : $0 }
        if past.count + open.count + near > mostOfWeek { open += past }
    }
}

/// The difference between a feed's rows and what it says now.
public struct TimetableChanges: Hashable, Sendable {
    /// New bookings, and those with another title, kind, people or certainty.
    public var booked: [RoomBooked] = []
    public var moved: [BookingMoved] = []
    public var cancelled: [BookingCancelled] = []
    /// Bookings that ended over a month ago: their rows go, and their keys get a tombstone.
    public var forgotten: [EventID] = []
    /// Whether the feed lost all its future bookings at once. They stay until a second fetch says
    /// the same.
    public var isSuddenlyEmpty = false
    /// Whether bookings that are missing are cancelled although the feed is incomplete, since they
    /// are too many.
    public var cancelsMissing = false
    /// Whether rows that the feed does not show are cancelled because their week has too many.
    public private(set) var isCrowded = false
    /// Whether bookings that were left out of an earlier answer may still be there.
    public private(set) var isStillCrowded = false
    /// The time of all bookings that are left out, by the feed's content, the rows and earlier
    /// answers.
    public private(set) var crowded: CrowdedTime?

    /// From this number of future bookings on, an empty answer is taken only the second time.
    static let manyBookings = 5
    /// An incomplete feed may lack so many bookings if most of what it has is new. Its source gives
    /// other ids at each export, and rows would be added without limit.
    static let mostMissing = 10_000

    public init() {}

    /// The number of events.
    public var count: Int { booked.count + moved.count + cancelled.count }

    /// The changes from the rows of a feed to its present content.
    ///
    /// A booking that is no longer found is cancelled if it has not ended and lies in the
    /// horizon. One that has ended stays, since many sources only show what is to come. If the feed
    /// is incomplete, all stay unless they are too many. Those of crowded weeks never stay. Rows
    /// that stay count in their weeks, and are cancelled beyond the limit: those that start last.
    ///
    /// - Parameters:
    ///   - known: all rows of the feed, each id once; at least those of `ConcernedRows`.
    ///   - found: the feed's present content.
    ///   - unchanged: bookings that are as their rows say, which `known` need not have.
    ///   - former: the crowded time after the answer before. It counts until it is over, or until
    ///     an answer shows by absence that bookings are gone.
    ///   - wasEmpty: whether the fetch before this one was suddenly empty, too.
    public static func between(
        known: [KnownBooking], found: FeedContent, unchanged: Set<EventID> = [],
        crowded former: CrowdedTime? = nil, horizon: TimetableHorizon, wasEmpty: Bool,
        at now: Timestamp, mostOfWeek: Int = FeedContent.mostOfWeek
    ) -> TimetableChanges {
        var changes = TimetableChanges()
        var left: [EventID: RoomBooking] = [:]
        for booking in found.bookings where horizon.meets(booking.starts, booking.ends) {
            left[booking.id] = booking
        }
        changes.isSuddenlyEmpty = isSuddenlyEmpty(known, left, horizon, now)
        let trustsAbsence =
            (!changes.isSuddenlyEmpty || wasEmpty)
            && (!found.isIncomplete || lacksTooMany(known, left, unchanged, horizon, now))
        changes.cancelsMissing = found.isIncomplete && trustsAbsence
        if let time = found.crowded { changes.include(time) }
        if !trustsAbsence, let former, former.ends > now {
            changes.isStillCrowded = true
            changes.include(former)
        }
        let shown = left
        var staying: [RoomBooking] = []
        for id in unchanged { left[id] = nil }
        for row in known where !unchanged.contains(row.booking.id) {
            let former = row.booking
            if let booking = left.removeValue(forKey: former.id) {
                changes.add(booking, after: row, at: now)
            } else if former.ends < TimetableHorizon.forgotten(at: now) {
                changes.forgotten.append(former.id)
            } else if !row.isCancelled {
                let isGone =
                    (trustsAbsence || found.crowdedOut.contains(former.id)) && former.ends > now
                    && horizon.meets(former.starts, former.ends)
                if isGone || found.cancelled.contains(former.id) {
                    changes.cancelled.append(BookingCancelled(booking: former, foundAt: now))
                } else if horizon.meets(former.starts, former.ends) {
                    staying.append(former)
                }
            }
        }
        if staying.count + shown.count > mostOfWeek {
            changes.cancelCrowds(staying, beside: shown, horizon, mostOfWeek, at: now)
        }
        for booking in found.bookings {
            guard let new = left.removeValue(forKey: booking.id) else { continue }
            changes.booked.append(RoomBooked(booking: new, foundAt: now))
        }
        return changes
    }

    /// Cancels rows that stay in weeks that have too many bookings.
    private mutating func cancelCrowds(
        _ staying: [RoomBooking], beside shown: [EventID: RoomBooking],
        _ horizon: TimetableHorizon, _ most: Int, at now: Timestamp
    ) {
        var counts = WeekCounts(horizon)
        for booking in shown.values { counts.add(counts.weeks(of: booking)) }
        for booking in staying.sorted(by: { ($0.starts, $0.id) < ($1.starts, $1.id) }) {
            let weeks = counts.weeks(of: booking)
            guard counts.has(most, in: weeks) else {
                counts.add(weeks)
                continue
            }
            isCrowded = true
            if booking.ends > now { include(CrowdedTime(booking)) }
            cancelled.append(BookingCancelled(booking: booking, foundAt: now))
        }
    }

    private mutating func include(_ time: CrowdedTime) {
        crowded = CrowdedTime(spanning: [crowded, time].compactMap(\.self))
    }

    private mutating func add(_ booking: RoomBooking, after row: KnownBooking, at now: Timestamp) {
        let former = row.booking
        if row.isCancelled {
            booked.append(RoomBooked(booking: booking, foundAt: now))
        } else if former.rooms != booking.rooms || former.starts != booking.starts
            || former.ends != booking.ends
        {
            moved.append(
                BookingMoved(
                    booking: booking, formerRooms: former.rooms, formerStarts: former.starts,
                    formerEnds: former.ends, foundAt: now))
        } else if former != booking {
            booked.append(RoomBooked(booking: booking, foundAt: now))
        }
    }

    private static func isSuddenlyEmpty(
        _ known: [KnownBooking], _ found: [EventID: RoomBooking], _ horizon: TimetableHorizon,
        _ now: Timestamp
    ) -> Bool {
        guard !found.values.contains(where: { $0.ends > now }) else { return false }
        var future = 0
        for row in known where !row.isCancelled && row.booking.ends > now {
            if horizon.meets(row.booking.starts, row.booking.ends) { future += 1 }
            if future >= manyBookings { return true }
        }
        return false
    }

    /// Whether so many bookings to come are missing that their absence counts all the same. Where
    /// most of what the feed shows is known, it may lack as many as a feed can have.
    private static func lacksTooMany(
        _ known: [KnownBooking], _ shown: [EventID: RoomBooking], _ unchanged: Set<EventID>,
        _ horizon: TimetableHorizon, _ now: Timestamp
    ) -> Bool {
        var (kept, missing) = (unchanged.count, 0)
        for row in known where !row.isCancelled && !unchanged.contains(row.booking.id) {
            let booking = row.booking
            if shown[booking.id] != nil {
                kept += 1
            } else if booking.ends > now, horizon.meets(booking.starts, booking.ends) {
                missing += 1
            }
        }
        let isMostlyNew = 2 * kept < shown.count
        return missing > (isMostlyNew ? mostMissing : FeedSize.mostBookings)
    }
}
