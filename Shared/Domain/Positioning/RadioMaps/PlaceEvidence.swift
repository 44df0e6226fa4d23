public import Events
public import Geometry

/// A place where a device may be, by evidence other than its radio, such as the magnetic field that
/// it measured.
public struct PlaceEvidence: Hashable, Sendable {
    public var floor: FloorID
    /// Metres in the site's frame.
    public var point: Point
    /// The standard deviation of each coordinate, in metres.
    public var deviationMetres: Double
    /// The probability that the device is there. The weights of one scan's evidence sum up to 1 at
    /// most. The remainder is the probability that it is elsewhere, or that the evidence is wrong.
    public var weight: Double

    public init(floor: FloorID, point: Point, deviationMetres: Double, weight: Double) {
        self.floor = floor
        self.point = point
        self.deviationMetres = deviationMetres
        self.weight = weight
    }
}
