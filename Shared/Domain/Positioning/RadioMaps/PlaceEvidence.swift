public import Events
public import Geometry

/// A place where a device may be, told by something other than its radio, such as the magnetic
/// field that it felt.
public struct PlaceEvidence: Hashable, Sendable {
    public var floor: FloorID
    /// Metres in the site's frame.
    public var point: Point
    /// Standard deviation of each coordinate, metres.
    public var deviationMetres: Double
    /// The chance that it is there. Those of one scan's evidence make at most 1; what is missing to
    /// 1 is the chance that it is anywhere else, or that all this is wrong.
    public var weight: Double

    public init(floor: FloorID, point: Point, deviationMetres: Double, weight: Double) {
        self.floor = floor
        self.point = point
        self.deviationMetres = deviationMetres
        self.weight = weight
    }
}
