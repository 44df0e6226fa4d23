public import Geometry

/// Computes a position from the beacons that one device receives.
public protocol BeaconPositioning: Sendable {
    /// - Parameter sightings: at most one for each beacon, in any order.
    /// - Returns: nil where the beacons that it needs were not received.
    func position(of sightings: [BeaconSighting]) -> BeaconPosition?
}

/// A position in the site's frame, with the extent around it where the device may be.
public struct BeaconPosition: Hashable, Sendable {
    public enum Extent: Hashable, Sendable {
        case circle(radiusMetres: Double)
        /// A bar along a line, from one end to the other (Flair 5.0.2).
        case bar(from: Point, to: Point)
    }

    public var centre: Point
    public var extent: Extent

    public init(centre: Point, extent: Extent) {
        self.centre = centre
        self.extent = extent
    }

    /// A circle around the one beacon that was received.
    init(at sighting: BeaconSighting) {
        self.init(
            centre: sighting.point, extent: .circle(radiusMetres: sighting.distanceMetres))
    }
}
