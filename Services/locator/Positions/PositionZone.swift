import Events
import Geometry
import Positioning
import Postgres
import Site

/// A zone in a query for positions: one of the site's own, a room, or a building, as published now.
enum PositionZone: Sendable {
    case building(BuildingID)
    case room(RoomID)
    case zone(ZoneRecord)
    /// A room or a building that is published no more, perhaps as its whole site.
    case former(String)

    init(_ id: String, site: SiteIndex) {
        if let zone = site.document.zones.first(where: { $0.id.text == id }) {
            self = .zone(zone)
        } else if site.room(RoomID(id)) != nil {
            self = .room(RoomID(id))
        } else if site.building(BuildingID(id)) != nil {
            self = .building(BuildingID(id))
        } else {
            self = .former(id)
        }
    }

    /// Whether the condition needs the position's point.
    var hasOutline: Bool {
        if case .zone(let zone) = self { !zone.outline.isEmpty } else { false }
    }

    /// The condition on rows of positions.
    /// - Parameter add: adds a value to the query, and returns its placeholder.
    func condition(_ add: (PostgresValue) -> String) -> String {
        switch self {
        case .building(let id): return "building = \(add(.text(id.text)))"
        case .room(let id): return "room = \(add(.text(id.text)))"
        case .former(let id):
            let id = add(.text(id))
            return "(building = \(id) OR room = \(id))"
        case .zone(let zone):
            let isInRoom = "room = ANY(\(add(.textArray(zone.rooms.map(\.text))))::text[])"
            guard !zone.outline.isEmpty else { return isInRoom }
            let floor = add(.text((zone.floor ?? .outdoors).text))
            let corners = zone.outline.corners.map { "(\($0.x),\($0.y))" }.joined(separator: ",")
            let outline = add(.text("(\(corners))"))
            return "(\(isInRoom) OR (floor = \(floor) AND \(outline)::polygon @> point(x, y)))"
        }
    }
}
