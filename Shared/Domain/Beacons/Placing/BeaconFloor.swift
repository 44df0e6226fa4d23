import Events

extension [BeaconSighting] {
    /// A floor with a single beacon counts as if it had a second one, so many times as far.
    private static var missingFactor: Double { 4 }

    /// The floor on which the device is, and its sightings in their order. Nil without any.
    ///
    /// It is the floor whose second nearest beacon is nearest: one beacon that was carried to
    /// another floor, or is dead, does not decide.
    ///
    /// - Parameter self: nearest first.
    func onFloor(of map: BeaconMap) -> (floor: FloorID, sightings: [BeaconSighting])? {
        var floors: [FloorID: [BeaconSighting]] = [:]
        for sighting in self {
            guard let floor = map[sighting.beacon].floor else { continue }
            floors[floor, default: []].append(sighting)
        }
        func measure(_ sightings: [BeaconSighting]) -> (Double, Double) {
            let first = sightings[0].distanceMetres
            let second =
                sightings.count > 1 ? sightings[1].distanceMetres : Self.missingFactor * first
            return (second, first)
        }
        let nearest = floors.min {
            let (left, right) = (measure($0.value), measure($1.value))
            return left == right ? $0.key < $1.key : left < right
        }
        return nearest.map { ($0.key, $0.value) }
    }
}
