public import Geometry

/// A beacon whose place is known, and how far it seems to be.
public struct BeaconSighting: Hashable, Sendable, Comparable {
    public var beacon: BeaconIndex
    /// Metres in the site's frame.
    public var point: Point
    public var distanceMetres: Double

    public init(beacon: BeaconIndex, point: Point, distanceMetres: Double) {
        self.beacon = beacon
        self.point = point
        self.distanceMetres = distanceMetres
    }

    /// Nearest first; equal distances in the order of the map, so that answers do not depend on the
    /// order of readings.
    public static func < (left: Self, right: Self) -> Bool {
        (left.distanceMetres, left.beacon) < (right.distanceMetres, right.beacon)
    }
}

extension [BeaconSighting] {
    /// The nearest `count` of them, nearest first.
    func nearest(_ count: Int) -> ArraySlice<BeaconSighting> { sorted().prefix(count) }
}
