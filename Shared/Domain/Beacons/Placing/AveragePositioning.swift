import Geometry

/// The middle of the rectangle around the nearest beacons. The radius is the mean of their
/// distances (Flair 4.4.2: 2, 4, 8 and 18 m make 8 m).
public struct AveragePositioning: BeaconPositioning {
    /// The default is four, the number of a rectangle's sides.
    public static let usualBeacons = 4

    public let beacons: Int

    /// - Parameter beacons: the number of nearest beacons that are used, at least 1.
    public init(beacons: Int = usualBeacons) {
        precondition(beacons > 0)
        self.beacons = beacons
    }

    public func position(of sightings: [BeaconSighting]) -> BeaconPosition? {
        let nearest = sightings.nearest(beacons)
        guard let frame = BoundingBox(nearest.map(\.point)) else { return nil }
        let sum = nearest.reduce(0) { $0 + $1.distanceMetres }
        return BeaconPosition(
            centre: frame.centre, extent: .circle(radiusMetres: sum / Double(nearest.count)))
    }
}
