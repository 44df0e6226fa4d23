/// The nearest beacon heard, and those heard just before and after it on its group's way.
struct BeaconNeighbours: Hashable, Sendable {
    let nearest: BeaconSighting
    let predecessor: BeaconSighting?
    let successor: BeaconSighting?

    /// Nil where nothing was heard. In a ring the last beacon comes before the first; what is both
    /// before and after is taken on the shorter way, and as the successor if both are as long.
    init?(_ sightings: [BeaconSighting], on map: BeaconMap) {
        guard let nearest = sightings.min() else { return nil }
        let group = map[nearest.beacon].group
        let way = map.beacons(of: group)
        let heard = Dictionary(
            sightings.map { ($0.beacon, $0) }, uniquingKeysWith: { min($0, $1) })
        let isRing = map.groups[group.value].isRing
        let start = nearest.beacon.value - way[0].value
        /// The first one heard at some steps from the nearest, forwards (1) or backwards (-1).
        func neighbour(_ direction: Int) -> (sighting: BeaconSighting, steps: Int)? {
            for steps in 1..<max(2, way.count) {
                var place = start + direction * steps
                if isRing { place = (place + way.count) % way.count }
                guard way.indices.contains(place) else { return nil }
                if let sighting = heard[way[place]] { return (sighting, steps) }
            }
            return nil
        }
        let before = neighbour(-1)
        let after = neighbour(1)
        self.nearest = nearest
        guard let before, let after, before.sighting.beacon == after.sighting.beacon else {
            predecessor = before?.sighting
            successor = after?.sighting
            return
        }
        let isShorterBefore = before.steps < after.steps
        predecessor = isShorterBefore ? before.sighting : nil
        successor = isShorterBefore ? nil : after.sighting
    }
}
