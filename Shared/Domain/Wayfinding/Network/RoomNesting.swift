import Events
import Geometry
import Site

/// Which rooms lie in which: a booth in a hall stands in the way, a marked area of it does not.
struct RoomNesting {
    private let site: SiteIndex
    /// The smallest room around each.
    private var container: [RoomIndex?]
    /// Rooms with walls, by the whole around them.
    private var inner: [RoomIndex: [RoomIndex]] = [:]

    init(_ site: SiteIndex) {
        self.site = site
        container = site.rooms.indices.map { Self.container(of: RoomIndex($0), site) }
        for index in site.rooms.indices {
            let room = RoomIndex(index)
            guard !isOpen(room) else { continue }
            var around = container[index]
            // An area within a hall is the hall's, and so is what stands in it.
            while let next = around {
                inner[next, default: []].append(room)
                guard isOpen(next) else { break }
                around = container[next.value]
            }
        }
    }

    /// What an open area is a part of; the room itself where it stands for itself.
    func whole(_ room: RoomIndex) -> RoomIndex {
        var whole = room
        while isOpen(whole), let around = container[whole.value] { whole = around }
        return whole
    }

    /// Rooms within it that have walls, and what is cut out of it.
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
            // Twice the same outline is two names for one room, and neither lies in the other.
            guard around.area > area * 1.02 else { return false }
            return outline.corners.allSatisfy { around.contains($0) }
                && around.contains(outline.centroid)
        }
    }
}
