import Glibc

/// The constants of the simulated radio. Frozen: accuracy is judged on it, so a change makes old
/// and new results incomparable. docs/simulator.md gives the reason of each.
enum RadioModel {
    /// Level one metre from an access point, dBm: 15 dBm sent, 47 dB lost in the first metre at
    /// 5.2 GHz, 6 dB in a small antenna.
    static let levelAtOneMetre = -38.0
    static let pathLossExponent = 2.0
    static let thinWallDecibels = 5.0
    static let thickWallDecibels = 10.0
    static let floorDecibels = 18.0
    static let shadowSigmaDecibels = 4.0
    static let shadowCorrelationMetres = 3.0
    static let noiseTimeConstantSeconds = 5.0
    static let bodyLossDecibels = 5.0
    static let deviceOffsetDecibels = 5.0
    static let weakestHeard = -92

    static let storeyMetres = 4.0
    /// Above the floor it hangs over.
    static let accessPointHeightMetres = 2.5
    /// In the hand.
    static let deviceHeightMetres = 1.2

    /// An access point is not looked at when its level before shadowing and noise is so far below
    /// the weakest heard that 4.5 of their standard deviations and the largest offset do not bring
    /// it up: three in a million would.
    static func hopelessLevel(noiseSigma: Double) -> Double {
        let sigma = (shadowSigmaDecibels * shadowSigmaDecibels + noiseSigma * noiseSigma)
            .squareRoot()
        return Double(weakestHeard) - deviceOffsetDecibels - 4.5 * sigma
    }

    /// Level before shadowing, noise, body and device: distance, walls and floors. Nil when
    /// distance and floors alone bring it below the hopeless level.
    static func meanLevel(
        from point: AccessPoint, to place: PlacedDevice, in plan: FloorPlan,
        hopeless: Double = -.infinity
    ) -> Double? {
        let deltaX = point.x - place.x
        let deltaY = point.y - place.y
        let deltaZ = point.z - place.z
        let distance = (deltaX * deltaX + deltaY * deltaY + deltaZ * deltaZ).squareRoot()
        var level = levelAtOneMetre - 10 * pathLossExponent * log10(max(1, distance))
        level -= floorDecibels * Double(abs(storey(point.z) - storey(place.z)))
        guard level > hopeless else { return nil }
        let start = PlanPoint(x: point.x, y: point.y)
        let end = PlanPoint(x: place.x, y: place.y)
        for wall in plan.walls where wall.isCrossed(from: start, to: end) {
            level -= wall.thickness == .thin ? thinWallDecibels : thickWallDecibels
        }
        return level > hopeless ? level : nil
    }

    /// Loss by the carrier's body: none facing the access point, all with the back to it.
    static func bodyLoss(from point: AccessPoint, to place: PlacedDevice) -> Double {
        let deltaX = point.x - place.x
        let deltaY = point.y - place.y
        let distance = (deltaX * deltaX + deltaY * deltaY).squareRoot()
        guard distance > 0 else { return bodyLossDecibels / 2 }
        let facing = (deltaX * sin(place.heading) + deltaY * cos(place.heading)) / distance
        return bodyLossDecibels * (1 - facing) / 2
    }

    /// The storey that a height belongs to: slabs lie at whole multiples of the storey height.
    static func storey(_ height: Double) -> Int { Int((height / storeyMetres).rounded(.down)) }
}

/// Where a device is and which way its carrier faces.
struct PlacedDevice: Sendable, Hashable {
    var x: Double
    var y: Double
    /// Metres above the lowest floor.
    var z: Double
    /// Radians clockwise from the y axis.
    var heading: Double
}
