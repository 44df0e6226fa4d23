import Events
import HTTP
import RoomAvailability
import ServiceHost
import Site
import Wire

/// The rooms that a question for free rooms is about, and those of which enough is known.
enum WantedRooms {
    /// The most kinds that a refusal lists.
    private static let mostKinds = 40

    /// A kind of room in one building.
    private struct Kind: Hashable {
        var building: BuildingID?
        var base: String
    }

    /// The rooms of the kind that is asked for; without one, all that are no ways.
    ///
    /// - Throws: a `Problem` for a kind that none of the rooms has.
    static func rooms(
        _ rooms: [RoomRecord], _ query: FreeRoomsQuery
    ) throws(Problem) -> [RoomRecord] {
        guard let text = query.kind else { return rooms.filter { !PlaceKind($0.kind).isWay } }
        let asked = PlaceKind(text)
        let found = rooms.filter { PlaceKind($0.kind).satisfies(asked) }
        guard found.isEmpty, !rooms.isEmpty else { return found }
        let kinds = Set(rooms.map(\.kind)).subtracting([""]).sorted().prefix(mostKinds)
        throw Problem(
            .fieldOutOfRange,
            "kind: no room has this kind; the kinds are: \(kinds.joined(separator: ", ")).")
    }

    /// The schedules of rooms of which it is known that they have no other bookings in a period.
    ///
    /// An old timetable does not say that a room is free, nor does a part of one. A feed of a
    /// building says it only of rooms that it books at times, and of others of their kinds. A
    /// calendar of lecture rooms knows nothing of kitchens, and a grid nothing of later weeks.
    static func known(
        _ schedules: [RoomID: KnownSchedule], of rooms: [RoomRecord], in index: SiteIndex,
        throughout period: Range<Timestamp>
    ) -> [RoomID: KnownSchedule] {
        func kind(_ room: RoomRecord) -> Kind {
            Kind(
                building: index.floor(room.floor)?.building, base: PlaceKind(room.kind).base)
        }
        let named = Set(rooms.filter { schedules[$0.id]?.isNamed == true }.map(kind))
        var known: [RoomID: KnownSchedule] = [:]
        for room in rooms {
            guard let schedule = schedules[room.id], !schedule.isOld, schedule.isComplete,
                schedule.isNamed || named.contains(kind(room)),
                schedule.covers(period)
            else { continue }
            known[room.id] = schedule
        }
        return known
    }
}

extension PlaceKind {
    /// Whether people only pass through such a room. A lobby is none: it may be booked.
    fileprivate var isWay: Bool { Self.ways.contains(base) }

    private static let ways: Set = [
        PlaceKind.corridor, PlaceKind.stairs, PlaceKind.lift, PlaceKind.platformLift,
        PlaceKind.escalator, PlaceKind.ramp,
        PlaceKind.platform,
    ]
}
