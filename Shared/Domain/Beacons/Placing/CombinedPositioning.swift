import Geometry

/// Uses linear positioning where the nearest beacons stand in a line. Elsewhere it uses the
/// weighted average, such as in the corner of a triangle of hallways (Flair 4.4.4, 5.0.1).
public struct CombinedPositioning: BeaconPositioning {
    /// With this tolerance, beacons on both walls of a hallway of two metres count as one line.
    public static let usualToleranceMetres = 1.0

    public let toleranceMetres: Double
    private let linear: LinearPositioning
    private let fallback: WeightedAveragePositioning

    /// - Parameter beacons: the number of nearest beacons that are examined, at least 1.
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

    /// Whether the nearest beacon has a neighbour, and all the nearest beacons stand near the line
    /// of linear positioning.
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
