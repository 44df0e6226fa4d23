import Geometry

/// The weighted means of the nearest beacons' places and distances. The weights are those of Flair
/// 4.4.3, scaled to add up to one: 2, 4, 8 and 18 m make 6.417 m.
public struct WeightedAveragePositioning: BeaconPositioning {
    public let beacons: Int

    /// - Parameter beacons: the number of nearest beacons that are used, at least 1.
    public init(beacons: Int = AveragePositioning.usualBeacons) {
        precondition(beacons > 0)
        self.beacons = beacons
    }

    public func position(of sightings: [BeaconSighting]) -> BeaconPosition? {
        let nearest = sightings.nearest(beacons)
        guard !nearest.isEmpty else { return nil }
        let weights = nearest.shareWeights
        var total = 0.0
        var centre = Point(x: 0, y: 0)
        var radius = 0.0
        for (sighting, weight) in zip(nearest, weights) {
            total += weight
            centre.x += weight * sighting.point.x
            centre.y += weight * sighting.point.y
            radius += weight * sighting.distanceMetres
        }
        return BeaconPosition(
            centre: Point(x: centre.x / total, y: centre.y / total),
            extent: .circle(radiusMetres: radius / total))
    }
}

extension ArraySlice<BeaconSighting> {
    /// The weights of Flair 4.4.3: 1 less each sighting's share of all distances. They add up to
    /// one less than the number of sightings. A single sighting, or several with no distance at
    /// all, weigh 1 each.
    var shareWeights: [Double] {
        let total = reduce(0) { $0 + $1.distanceMetres }
        guard count > 1, total > 0 else { return map { _ in 1 } }
        return map { 1 - $0.distanceMetres / total }
    }
}
