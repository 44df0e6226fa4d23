import Events
import Site

/// A connection between outdoors and a floor of a building: a door, or a path, a ramp or stairs.
struct WayOut: Sendable {
    var building: BuildingID
    /// The node at the connection's end outdoors.
    var outside: NodeIndex
    /// The node at its end on the floor, and the room there if it is known.
    var inside: NodeIndex
    var room: RoomIndex?
}

extension WayNetwork {
    /// All connections between outdoors and floors, in the order of the document. A stop without a
    /// floor is outdoors. A door counts only if one of its stops is outdoors.
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

    /// The ways out of one building, or out of all buildings if nil.
    func waysOut(of building: BuildingID?) -> [WayOut] {
        guard let building else { return waysOut }
        return waysOut.filter { $0.building == building }
    }
}
