public import Geometry

/// Makes a position of the beacons that one device hears.
public protocol BeaconPositioning: Sendable {
    /// - Parameter sightings: at most one for each beacon, in any order.
    /// - Returns: nil where nothing that is needed was heard.
    func position(of sightings: [BeaconSighting]) -> BeaconPosition?
}

/// A position in the site's frame, and how far around it the device may be.
public struct BeaconPosition: Hashable, Sendable {
    public enum Extent: Hashable, Sendable {
        case circle(radiusMetres: Double)
        /// Along a way, from one end to the other (Flair 5.0.2).
        case bar(from: Point, to: Point)
    }

    public var centre: Point
    public var extent: Extent

    public init(centre: Point, extent: Extent) {
        self.centre = centre
        self.extent = extent
    }

    /// At the one beacon that was heard.
    init(at sighting: BeaconSighting) {
        self.init(
            centre: sighting.point, extent: .circle(radiusMetres: sighting.distanceMetres))
    }
}
