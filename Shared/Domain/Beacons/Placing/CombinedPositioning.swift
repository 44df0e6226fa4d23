import Geometry

/// Linear positioning where the nearest beacons stand in a line, weighted average elsewhere, such
/// as in the corner of a triangle of hallways (Flair 4.4.4, 5.0.1).
public struct CombinedPositioning: BeaconPositioning {
    /// Beacons on both walls of a hallway of two metres count as one line.
    public static let usualToleranceMetres = 1.0

    public let toleranceMetres: Double
    private let linear: LinearPositioning
    private let fallback: WeightedAveragePositioning

    /// - Parameter beacons: how many of the nearest are looked at, at least 1.
    public init(
        map: BeaconMap, beacons: Int = AveragePositioning.usualBeacons,
        toleranceMetres: Double = usualToleranceMetres
    ) {
        self.toleranceMetres = toleranceMetres
        linear = LinearPositioning(map: map)
        fallback = WeightedAveragePositioning(beacons: beacons)
    }

    public func position(of sightings: [BeaconSighting]) -> BeaconPosition? {
        isLinear(sightings)
            ? linear.position(of: sightings) : fallback.position(of: sightings)
    }

    /// Whether the nearest beacon has a neighbour and all the nearest ones stand near the line that
    /// linear positioning would use.
    func isLinear(_ sightings: [BeaconSighting]) -> Bool {
        guard let neighbours = BeaconNeighbours(sightings, on: linear.map),
            neighbours.predecessor != nil || neighbours.successor != nil,
            let line = DirectedLine(
                from: (neighbours.predecessor ?? neighbours.nearest).point,
                to: (neighbours.successor ?? neighbours.nearest).point)
        else { return false }
        return sightings.nearest(fallback.beacons).allSatisfy {
            line.distance(to: $0.point) <= toleranceMetres
        }
    }
}
