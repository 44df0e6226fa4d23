import Events
import Geometry
import Site

/// The nesting of rooms. A booth in a hall is an obstacle in it; a marked area of the hall is not.
struct RoomNesting {
    private let site: SiteIndex
    /// For each room, the smallest room around it.
    private var container: [RoomIndex?]
    /// For each room, the rooms with walls within it.
    private var inner: [RoomIndex: [RoomIndex]] = [:]

    init(_ site: SiteIndex) {
        self.site = site
        container = site.rooms.indices.map { Self.container(of: RoomIndex($0), site) }
        for index in site.rooms.indices {
            let room = RoomIndex(index)
            guard !isOpen(room) else { continue }
            var around = container[index]
            // An area within a hall belongs to the hall, and so do the obstacles in the area.
            while let next = around {
                inner[next, default: []].append(room)
                guard isOpen(next) else { break }
                around = container[next.value]
            }
        }
    }

    /// The room that an open area is part of; the room itself if it is no such area.
    func whole(_ room: RoomIndex) -> RoomIndex {
        var whole = room
        while isOpen(whole), let around = container[whole.value] { whole = around }
        return whole
    }

    /// Rooms with walls within the room, and the holes in its outline.
    func obstacles(_ room: RoomIndex) -> [Polygon] {
        let holes = site.room(room).holes.compactMap(\.polygon)
        return holes + (inner[room] ?? []).compactMap { site.outline($0) }
    }

    private func isOpen(_ room: RoomIndex) -> Bool {
        WayNetwork.openKinds.contains(site.room(room).kind)
    }

    private static func container(of room: RoomIndex, _ site: SiteIndex) -> RoomIndex? {
        guard let outline = site.outline(room), let floor = site.floorIndex(site.room(room).floor)
        else { return nil }
        let candidates = site.rooms(at: outline.corners[0], on: floor)
        let area = outline.area
        return candidates.first { other in
            guard other != room, let around = site.outline(other) else { return false }
            // Two rooms with the same outline are one room with two names, and neither is in the
            // other.
            guard around.area > area * 1.02 else { return false }
            return outline.corners.allSatisfy { around.contains($0) }
                && around.contains(outline.centroid)
        }
    }
}
