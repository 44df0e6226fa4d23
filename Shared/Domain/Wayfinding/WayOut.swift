import Events
import Site

/// A way between outdoors and a floor of a building: a door, or a path, a ramp or stairs that lead
/// in.
struct WayOut: Sendable {
    var building: BuildingID
    /// Where it ends outdoors.
    var outside: NodeIndex
    /// Where it ends on the floor, and the room there where it is known.
    var inside: NodeIndex
    var room: RoomIndex?
}

extension WayNetwork {
    /// All ways between outdoors and floors, in the order of the connections. A stop that is on no
    /// floor is outdoors; a door that nobody has said to lead there does not count.
    static func waysOut(of site: SiteIndex, _ junctions: WayJunctions) -> [WayOut] {
        var ways: [WayOut] = []
        for (index, record) in site.document.connections.enumerated() {
            let nodes = junctions.nodeOfStop[index]
            guard let outside = record.stops.firstIndex(where: { $0.floor == nil }) else {
                continue
            }
            for (number, stop) in record.stops.enumerated() {
                guard let floor = stop.floor.flatMap({ site.floor($0) }) else { continue }
                ways.append(
                    WayOut(
                        building: floor.building, outside: nodes[outside], inside: nodes[number],
                        room: stop.room.flatMap { site.roomIndex($0) }))
            }
        }
        return ways
    }

    /// The ways out of one building, or of all.
    func waysOut(of building: BuildingID?) -> [WayOut] {
        guard let building else { return waysOut }
        return waysOut.filter { $0.building == building }
    }
}
