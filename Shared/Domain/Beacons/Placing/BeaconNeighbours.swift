/// The nearest received beacon, and the received beacons just before and after it in its group.
struct BeaconNeighbours: Hashable, Sendable {
    let nearest: BeaconSighting
    let predecessor: BeaconSighting?
    let successor: BeaconSighting?

    /// Nil where no beacon was received. In a ring the last beacon comes before the first. A beacon
    /// that is both before and after the nearest counts only as its successor.
    init?(_ sightings: [BeaconSighting], on map: BeaconMap) {
        guard let nearest = sightings.min() else { return nil }
        let group = map[nearest.beacon].group
        let way = map.beacons(of: group)
        let heard = Dictionary(
            sightings.map { ($0.beacon, $0) }, uniquingKeysWith: { min($0, $1) })
        let isRing = map.groups[group.value].isRing
        let start = nearest.beacon.value - way[0].value
        /// The next received beacon in the group, forwards (1) or backwards (-1).
        func neighbour(_ direction: Int) -> BeaconSighting? {
            for steps in 1..<max(2, way.count) {
                var place = start + direction * steps
                if isRing { place = (place + way.count) % way.count }
                guard way.indices.contains(place) else { return nil }
                if let sighting = heard[way[place]] { return sighting }
            }
            return nil
        }
        let before = neighbour(-1)
        let after = neighbour(1)
        self.nearest = nearest
        predecessor = before?.beacon == after?.beacon ? nil : before
        successor = after
    }
}
