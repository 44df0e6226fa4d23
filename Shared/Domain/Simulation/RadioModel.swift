import Glibc

/// The constants of the simulated radio. They are frozen: accuracy is measured with them, so a
/// change would make old and new results incomparable. docs/simulator.md gives the reason for each.
enum RadioModel {
    /// The level one metre from an access point, in dBm. 15 dBm are sent, 47 dB are lost in the
    /// first metre at 5.2 GHz, and 6 dB in a small antenna.
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
    /// Metres above the floor of its storey.
    static let accessPointHeightMetres = 2.5
    /// Metres above the floor, for a device in the hand.
    static let deviceHeightMetres = 1.2

    /// Access points below this level are skipped, before shadowing and noise are added. It lies
    /// 4.5 standard deviations of these and the largest offset below the weakest received level.
    /// Only three in a million skipped ones would have been received.
    static func hopelessLevel(noiseSigma: Double) -> Double {
        let sigma = (shadowSigmaDecibels * shadowSigmaDecibels + noiseSigma * noiseSigma)
            .squareRoot()
        return Double(weakestHeard) - deviceOffsetDecibels - 4.5 * sigma
    }

    /// The level by distance, walls and floors, before shadowing, noise, body and device. Nil when
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

    /// The loss through the carrier's body: none when facing the access point, all of it with the
    /// back to it.
    static func bodyLoss(from point: AccessPoint, to place: PlacedDevice) -> Double {
        let deltaX = point.x - place.x
        let deltaY = point.y - place.y
        let distance = (deltaX * deltaX + deltaY * deltaY).squareRoot()
        guard distance > 0 else { return bodyLossDecibels / 2 }
        let facing = (deltaX * sin(place.heading) + deltaY * cos(place.heading)) / distance
        return bodyLossDecibels * (1 - facing) / 2
    }

    /// The storey that contains a height. Slabs lie at whole multiples of the storey height.
    static func storey(_ height: Double) -> Int { Int((height / storeyMetres).rounded(.down)) }
}

/// The place of a device, and the direction in which its carrier faces.
struct PlacedDevice: Sendable, Hashable {
    var x: Double
    var y: Double
    /// Metres above the lowest floor.
    var z: Double
    /// Radians clockwise from the y axis.
    var heading: Double
}
