public import Events
public import Geometry

/// A place where a device may be, told by something other than its radio, such as the magnetic field that
/// it felt.
public struct PlaceEvidence: Hashable, Sendable {
    public var floor: FloorID
    /// Metres in the site's frame.
    public var point: Point
    /// Standard deviation of each coordinate, metres.
    public var deviationMetres: Double
    /// The chance that it is there. Those of one scan's evidence make at most 1; what is missing to 1 is
    /// the chance that it is anywhere else, or that all this is wrong.
    public var weight: Double

    public init(floor: FloorID, point: Point, deviationMetres: Double, weight: Double) {
        self.floor = floor
        self.point = point
        self.deviationMetres = deviationMetres
        self.weight = weight
    }
}

/// What tells places from a device's scans beside their radio, and remembers of the device what it needs.
public protocol EvidenceSource: Sendable {
    /// - Parameter state: what the same source returned for the device's previous scan; else `.empty`.
    func follow(
        _ scan: ScanRecorded, state: PositionerState
    ) -> (evidence: [PlaceEvidence], state: PositionerState)
}
