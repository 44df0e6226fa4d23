import Events
import HTTP
import ServiceHost
import Site
import Wire

/// The room of a request, of the published site.
struct AskedRoom {
    var site: SiteID
    /// The site as the caller may see it.
    var index: SiteIndex
    var room: RoomRecord
    var reader: Reader

    /// - Throws: a `Problem` for a room that the site lacks, and for one of another building than
    ///   the caller may see.
    init(_ request: HTTPRequest, _ sites: SiteDirectory) throws(Problem) {
        site = try sites.site(of: request)
        let seen = try sites.seen(site, by: request)
        (index, reader) = (seen.index, seen.reader)
        let id = RoomID(request.parameters["id"] ?? "")
        guard let room = index.room(id) else {
            throw Problem(.placeUnknown, "The site has no room \(id).")
        }
        self.room = room
        if let building = index.floor(room.floor)?.building {
            try request.check(at: site, building: building)
        }
    }

    /// Whether the room's bookings may be told to the caller.
    var showsTimetable: Bool { reader.sees(room.timetableVisibility ?? .everybody) }

    func name(in language: String?) -> String { index.name(of: room, in: language) }

    /// The names of a booking's rooms. A room of a building that the caller may not see has none,
    /// like one that the site lacks.
    func names(
        of rooms: Set<RoomID>, in language: String?, for request: HTTPRequest
    ) -> [RoomID: String] {
        var names: [RoomID: String] = [:]
        for id in rooms {
            guard let other = index.room(id), request.maySee(other.floor, at: site, in: index)
            else { continue }
            names[id] = index.name(of: other, in: language)
        }
        return names
    }

    /// The building and the floor, as signs name them.
    func place(in language: String?) -> String? {
        guard let floor = index.floor(room.floor) else { return nil }
        let building = index.building(floor.building).map {
            $0.names.text(in: language) ?? $0.name
        }
        let level = floor.names.text(in: language) ?? floor.level
        return [building, level].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension SiteIndex {
    func name(of room: RoomRecord, in language: String?) -> String {
        let name = room.names.text(in: language) ?? room.name
        return name.isEmpty ? room.id.text : name
    }
}

extension HTTPRequest {
    /// Whether the caller may see what is on the floor, by the floor's building.
    func maySee(_ floor: FloorID, at site: SiteID, in index: SiteIndex) -> Bool {
        guard let building = index.floor(floor)?.building else { return false }
        return (try? check(at: site, building: building)) != nil
    }

    /// The reader's language: `?language=`, else the first of Accept-Language.
    func readersLanguage() throws(Problem) -> String? {
        guard let text = firstQuery("language") else {
            return header("accept-language").flatMap { field in
                field.split(separator: ",").first.map {
                    String($0.prefix { $0 != ";" }.filter { $0 != " " })
                }
            }
        }
        guard LanguageTag.isOne(text) else {
            throw Problem(.languageMalformed, "Send language as a BCP 47 tag such as cy or de-CH.")
        }
        return text
    }

    /// The name under which costly work waits for its turn: the caller's, or the address of a
    /// visitor without an account.
    var nameOfTurn: String {
        guard let principal, !principal.countsByAddress else { return senderText }
        return principal.id
    }

    /// - Returns: false where it is absent.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch firstQuery(name) {
        case nil, "false": return false
        case "true": return true
        default: throw Problem(.flagMalformed, "Send \(name) as true or false.")
        }
    }

    func moment(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = firstQuery(name) else { return nil }
        guard let moment = Timestamp(text: text) else {
            throw Problem(.timeMalformed, "\(name) is RFC 3339, such as 2026-11-23T09:00:00Z.")
        }
        return moment
    }
}
