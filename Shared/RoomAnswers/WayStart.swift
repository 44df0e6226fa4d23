import Events
import HTTP
import ServiceHost
import Site
import Wire

/// The place from which ways to free rooms are looked for: `?near=` and `?stepFree=` of a request.
struct WayStart {
    private let near: String
    private let isStepFree: Bool

    /// Nil where the request names no place.
    ///
    /// - Throws: a `Problem` for another form, and for a room or a location that the site lacks. A
    ///   place in a building that the caller may not see is answered like one that the site lacks.
    init?(of request: HTTPRequest, at site: SiteID, in index: SiteIndex) throws(Problem) {
        isStepFree = try request.flag("stepFree")
        guard let near = request.firstQuery("near") else { return nil }
        self.near = near
        _ = try question(to: [], at: site, departAt: Timestamp(microseconds: 0))
        let parts = near.split(separator: ":", maxSplits: 1).map(String.init)
        let id = parts.last ?? ""
        switch parts.count == 2 ? parts[0] : "room" {
        case "room":
            guard let room = index.room(RoomID(id)),
                request.maySee(room.floor, at: site, in: index)
            else {
                throw Problem(.roomUnknown, "near: the site has no room \(id).")
            }
        case "location":
            guard let location = index.location(LocationID(id)),
                request.maySee(location.floor, at: site, in: index)
            else {
                throw Problem(.locationUnknown, "near: the site has no location \(id).")
            }
        default: break
        }
    }

    /// - Throws: a `Problem` for a place of another form.
    func question(
        to rooms: [RoomID], at site: SiteID, departAt: Timestamp
    ) throws(Problem) -> RoomWaysQuestion {
        do throws(WireFault) {
            return try RoomWaysQuestion(
                site: site, near: near, rooms: rooms, isStepFree: isStepFree, departAt: departAt)
        } catch {
            throw Problem(error)
        }
    }
}
