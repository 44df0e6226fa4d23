public import Events
public import Site

/// The question which rooms are free for a period.
public struct FreeRoomsQuery: Hashable, Sendable {
    /// The longest period, in seconds.
    public static let mostSeconds: Int64 = 86_400

    public var from: Timestamp
    public var until: Timestamp
    public var now: Timestamp
    /// Local time minus UTC at `from`, for opening hours.
    public var utcOffsetSeconds: Int
    /// Only rooms of this kind, in the words of `PlaceKind`; nil for every kind.
    public var kind: String?
    /// The least number of free computers.
    public var computers: Int

    public init(
        from: Timestamp, until: Timestamp, now: Timestamp, utcOffsetSeconds: Int,
        kind: String? = nil, computers: Int = 0
    ) {
        self.from = from
        self.until = until
        self.now = now
        self.utcOffsetSeconds = utcOffsetSeconds
        self.kind = kind
        self.computers = computers
    }
}

/// All that is known about one room.
public struct RoomFacts: Hashable, Sendable {
    public var room: RoomRecord
    /// Those of the room from `now` or `from` on, in any order; nil where no source has a timetable
    /// of it.
    public var bookings: [RoomBooking]?
    /// Whether a source is for the room or books it, even where too little is known of it.
    public var hasFeed = false
    /// The end of the time of which these are all bookings. Nil for all the time that was read.
    public var knownUntil: Timestamp?
    public var computers: ComputerCount?
    /// The way to the room; nil where nobody asked for one.
    public var way: RoomWay?

    public init(
        room: RoomRecord, bookings: [RoomBooking]?, knownUntil: Timestamp? = nil,
        computers: ComputerCount? = nil, way: RoomWay? = nil
    ) {
        self.room = room
        self.bookings = bookings
        self.knownUntil = knownUntil
        self.computers = computers
        self.way = way
    }
}

/// The way to a room, as the router answers.
public enum RoomWay: Hashable, Sendable {
    case found(seconds: Double, metres: Double)
    /// The code of the reason, such as `barriers`.
    case none(code: String)
}

/// A room that is free for the complete period.
public struct FreeRoom: Hashable, Sendable {
    public var room: RoomID
    /// The beginning of the next booking, or the end of the time of which all are known. Nil where
    /// there is neither.
    public var freeUntil: Timestamp?
    public var way: RoomWay?
    /// Nil where nobody asked for a way.
    public var arriveAt: Timestamp?
    public var computers: ComputerCount?
}

/// A room that is no answer, and why.
public struct RoomLeftOut: Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// Booked without a gap until this time, or for longer. Bookings that were not read may
        /// follow where the time is the end of what was read, or of what is known.
        case booked(until: Timestamp)
        case closed
        /// The public may not enter it.
        case restricted
        /// No source has a timetable of it, so nobody knows.
        case timetableUnknown
        case fewComputers(available: Int)
        case computersUnknown
        /// No way leads there; the router's code.
        case unreachable(code: String)
        /// The traveller arrives only then.
        case tooFar(arriveAt: Timestamp)
    }

    public var room: RoomID
    public var reason: Reason
}

/// The rooms that are free for a period and can be reached before it begins.
public struct FreeRooms: Hashable, Sendable {
    /// The nearest first; without ways in the order of their names.
    public private(set) var free: [FreeRoom] = []
    /// In the order of their names.
    public private(set) var leftOut: [RoomLeftOut] = []

    /// - Parameter facts: a room with neither a timetable, a source nor counted computers is listed
    ///   only where the query names its kind.
    public init(_ query: FreeRoomsQuery, among facts: some Sequence<RoomFacts>) {
        let wanted = facts.filter { facts in
            guard let kind = query.kind else {
                return facts.bookings != nil || facts.hasFeed || facts.computers != nil
            }
            return PlaceKind(facts.room.kind).satisfies(PlaceKind(kind))
        }.sorted { ($0.room.name, $0.room.id) < ($1.room.name, $1.room.id) }
        var found: [(room: FreeRoom, seconds: Double)] = []
        for facts in wanted {
            if let reason = Self.reason(facts, query) {
                leftOut.append(RoomLeftOut(room: facts.room.id, reason: reason))
                continue
            }
            var seconds = 0.0
            var arriveAt: Timestamp?
            if case .found(let needed, _) = facts.way {
                seconds = needed
                arriveAt = Self.arrival(needed, query)
            }
            var next = (facts.bookings ?? []).map(\.starts).filter { $0 >= query.until }.min()
            if let end = facts.knownUntil { next = min(next ?? end, end) }
            let room = FreeRoom(
                room: facts.room.id, freeUntil: next, way: facts.way, arriveAt: arriveAt,
                computers: facts.computers)
            found.append((room, seconds))
        }
        // The sort is stable, so rooms at the same distance stay in the order of their names.
        free = found.enumerated().sorted {
            ($0.element.seconds, $0.offset) < ($1.element.seconds, $1.offset)
        }.map(\.element.room)
    }

    private static func reason(
        _ facts: RoomFacts, _ query: FreeRoomsQuery
    ) -> RoomLeftOut.Reason? {
        if facts.room.isRestricted { return .restricted }
        guard let bookings = facts.bookings else { return .timetableUnknown }
        if let end = busyUntil(bookings, query) { return .booked(until: end) }
        if let hours = facts.room.openingHours.flatMap({ OpeningHours($0) }),
            !hours.isOpen(
                from: query.from, until: query.until, utcOffsetSeconds: query.utcOffsetSeconds)
        {
            return .closed
        }
        if query.computers > 0 {
            guard let available = facts.computers?.available else { return .computersUnknown }
            if available < query.computers { return .fewComputers(available: available) }
        }
        switch facts.way {
        case .none(let code)?: return .unreachable(code: code)
        case .found(let seconds, _)?:
            let arrival = arrival(seconds, query)
            // A traveller who wants a room at once is on the way while its time begins.
            let latest = query.from <= query.now ? query.until : query.from
            return arrival > latest ? .tooFar(arriveAt: arrival) : nil
        case nil: return nil
        }
    }

    private static func arrival(_ seconds: Double, _ query: FreeRoomsQuery) -> Timestamp {
        query.now.advanced(byMicroseconds: Int64((min(max(0, seconds), 31_536_000) * 1e6)))
    }

    /// The end of the first bookings in the period that follow each other without a gap. It may lie
    /// after the period. Nil if no booking touches the period.
    private static func busyUntil(
        _ bookings: [RoomBooking], _ query: FreeRoomsQuery
    ) -> Timestamp? {
        var end: Timestamp?
        for booking in bookings.sorted(by: { $0.starts < $1.starts })
        where booking.ends > query.from {
            guard let busy = end else {
                guard booking.starts < query.until else { return nil }
                end = booking.ends
                continue
            }
            guard booking.starts <= busy else { break }
            end = max(busy, booking.ends)
        }
        return end
    }
}
