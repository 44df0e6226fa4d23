public import Geometry

/// A beacon whose place is known, with its apparent distance.
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

    /// Orders by distance, nearest first. Equal distances are in the order of the map, so that
    /// results do not depend on the order of readings.
    public static func < (left: Self, right: Self) -> Bool {
        (left.distanceMetres, left.beacon) < (right.distanceMetres, right.beacon)
    }
}

extension [BeaconSighting] {
    /// The nearest `count` of them, nearest first.
    func nearest(_ count: Int) -> ArraySlice<BeaconSighting> { sorted().prefix(count) }
}
