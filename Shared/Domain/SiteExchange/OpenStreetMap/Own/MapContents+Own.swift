import Events
import Geometry
import Site

/// Reads the things of a file of ours by its own tags. A thing that lacks them, or repeats the id
/// of another, as a copy in an editor does, is read like a thing of others.
extension MapContents {
    /// The farthest that a door's node lies beside the wall, by the rounding of coordinates.
    private static let roundingMetres = 0.03

    /// The id of ours, if it is the first of this kind.
    mutating func ownID(_ tags: OpenStreetMapData.Tags, _ kind: String) -> String? {
        guard let id = OwnTags.id(tags), ownIDs.insert("\(kind) \(id)").inserted else { return nil }
        return id
    }

    func ownFloor(_ tags: OpenStreetMapData.Tags) -> FloorRecord? {
        tags[OwnTags.floor].flatMap { own.floors[FloorID($0)] }
    }

    mutating func ownConnection(
        _ source: String, _ tags: OpenStreetMapData.Tags, _ nodes: [Int64]
    ) -> OwnConnection? {
        guard let places = OwnTags.stops(tags), let id = ownID(tags, "connection") else {
            return nil
        }
        return OwnConnection(
            id: ConnectionID(id), source: source, facts: TagFacts(tags), places: places,
            nodes: nodes)
    }

    /// Doors and lifts. They come before rooms, whose outlines have the doors' nodes.
    mutating func addOwnNodes() {
        for node in nodes.taggedIDs {
            guard let own = ownConnection("n\(node)", nodes.tags(node), [node]) else { continue }
            ownConnections.append(own)
            ownNodes.insert(node)
        }
    }

    /// An entry of the directory, at the places that it states.
    mutating func ownThing(_ tags: OpenStreetMapData.Tags, at node: Int64) -> MapThing? {
        guard let places = OwnTags.places(tags),
            var thing = MapThing("n\(node)", tags, at: .stated(places)),
            let id = ownID(tags, "entry")
        else { return nil }
        thing.id = id
        return thing
    }

    /// The ring without the doors that the export put into its walls.
    func withoutOwnDoors(_ ring: [Int64]) -> [Int64] {
        var kept: [Int64] = []
        for (index, id) in ring.enumerated() {
            guard ownNodes.contains(id), let before = kept.last ?? ring.last,
                let start = nodes.point(before), let door = nodes.point(id),
                let next = ring[(index + 1)...].first(where: { !ownNodes.contains($0) })
                    ?? ring.first,
                let end = nodes.point(next), isBetween(door, start, end)
            else {
                kept.append(id)
                continue
            }
        }
        return kept.count >= 3 ? kept : ring
    }

    private func isBetween(_ point: Point, _ start: Point, _ end: Point) -> Bool {
        let length = start.distance(to: end)
        guard length > 0 else { return false }
        let across =
            ((end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x))
            / length
        let along =
            ((end.x - start.x) * (point.x - start.x) + (end.y - start.y) * (point.y - start.y))
            / length
        return abs(across) <= Self.roundingMetres && along > 0 && along < length
    }
}
