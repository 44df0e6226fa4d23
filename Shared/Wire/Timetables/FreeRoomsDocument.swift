public import Events
import JSON
public import RoomAvailability
public import Site

/// The rooms that are free for a period, as JSON, and those that are not, with the reason.
public struct FreeRoomsDocument {
    private let site: SiteID
    private let query: FreeRoomsQuery
    private let rooms: FreeRooms
    private let index: SiteIndex
    private let language: String?
    private let timeZone: String

    /// - Parameters:
    ///   - language: the BCP 47 tag in which rooms are named.
    ///   - timeZone: the IANA zone of opening hours.
    public init(
        at site: SiteID, query: FreeRoomsQuery, rooms: FreeRooms, index: SiteIndex,
        language: String?, timeZone: String
    ) {
        self.site = site
        self.query = query
        self.rooms = rooms
        self.index = index
        self.language = language
        self.timeZone = timeZone
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 256 + 256 * (rooms.free.count + rooms.leftOut.count))
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("from", microseconds: query.from.microseconds)
        writer.field("until", microseconds: query.until.microseconds)
        writer.field("timeZone", timeZone)
        writer.name("rooms")
        writer.beginArray()
        for room in rooms.free { write(room, to: &writer) }
        writer.endArray()
        writer.name("leftOut")
        writer.beginArray()
        for room in rooms.leftOut {
            writer.beginObject()
            name(room.room, to: &writer)
            room.reason.writeMembers(to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private func name(_ id: RoomID, to writer: inout JSONWriter) {
        let room = index.room(id)
        writer.field("room", id.text)
        writer.field("name", room?.names.text(in: language) ?? room?.name)
    }

    private func write(_ free: FreeRoom, to writer: inout JSONWriter) {
        writer.beginObject()
        name(free.room, to: &writer)
        let room = index.room(free.room)
        writer.field("kind", room?.kind)
        writer.field("floor", room?.floor.text)
        writer.field("freeUntil", microseconds: free.freeUntil?.microseconds)
        if case .found(let seconds, let metres)? = free.way {
            writer.field("seconds", seconds, decimals: 1)
            writer.field("distanceMetres", metres, decimals: 2)
        }
        writer.field("arriveAt", microseconds: free.arriveAt?.microseconds)
        if let computers = free.computers {
            writer.name("computers")
            writer.beginObject()
            computers.writeMembers(to: &writer)
            writer.endObject()
        }
        writer.endObject()
    }
}

extension RoomLeftOut.Reason {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .booked(let until):
            writer.field("reason", "booked")
            writer.field("bookedUntil", microseconds: until.microseconds)
        case .closed: writer.field("reason", "closed")
        case .restricted: writer.field("reason", "restricted")
        case .timetableUnknown: writer.field("reason", "timetable-unknown")
        case .fewComputers(let available):
            writer.field("reason", "few-computers")
            writer.field("available", available)
        case .computersUnknown: writer.field("reason", "computers-unknown")
        case .unreachable(let code):
            writer.field("reason", "unreachable")
            writer.field("route", code)
        case .tooFar(let arriveAt):
            writer.field("reason", "too-far")
            writer.field("arriveAt", microseconds: arriveAt.microseconds)
        }
    }
}
