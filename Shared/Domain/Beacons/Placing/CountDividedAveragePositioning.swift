import Geometry

/// Weighted average positioning with the division of the report (Flair 4.4.3). The weighted
/// distances are divided by their number, so 2, 4, 8 and 18 m make 4.8125 m.
///
/// The weights add up to one less than the number of beacons, so this radius is always too small:
/// by half with two beacons. It exists for comparison; use `WeightedAveragePositioning` instead.
/// Places cannot be divided in this way, because the position would move with the map's origin. So
/// the centre is that of `AveragePositioning`.
public struct CountDividedAveragePositioning: BeaconPositioning {
    public let beacons: Int

    /// - Parameter beacons: the number of nearest beacons that are used, at least 1.
    public init(beacons: Int = AveragePositioning.usualBeacons) {
        precondition(beacons > 0)
        self.beacons = beacons
    }

    public func position(of sightings: [BeaconSighting]) -> BeaconPosition? {
        let nearest = sightings.nearest(beacons)
        guard let frame = BoundingBox(nearest.map(\.point)) else { return nil }
        let sum = zip(nearest, nearest.shareWeights).reduce(0) { sum, pair in
            sum + pair.0.distanceMetres * pair.1
        }
        return BeaconPosition(
            centre: frame.centre, extent: .circle(radiusMetres: sum / Double(nearest.count)))
    }
}
