public import Site

/// How near a beacon is, as a decision between steps instead of a distance.
///
/// Metres from one beacon mislead. Three kinds of beacons showed 3.2, 5.1 and 13.3 m at 20 m, and a
/// farther beacon could seem nearer (visitor guide 2.5.3). For two of the three kinds, a threshold
/// for each kind separated two metres from more.
public enum Proximity: String, Hashable, Sendable, CaseIterable {
    case near
    case around
    case far

    /// Decides by a level that was smoothed, or is trusted as it is.
    ///
    /// - Parameters:
    ///   - previous: the decision before; nil for the first one.
    ///   - attenuationDecibels: the decibels below the power at one metre.
    public static func decided(
        after previous: Proximity?, attenuationDecibels attenuation: Double,
        _ thresholds: ProximityThresholds
    ) -> Proximity {
        let isNearby = attenuation <= thresholds.nearDecibels
        let isFar = attenuation >= thresholds.farDecibels
        let staysNear = attenuation <= thresholds.nearDecibels + thresholds.hysteresisDecibels
        let staysFar = attenuation >= thresholds.farDecibels - thresholds.hysteresisDecibels
        return switch previous {
        case _ where isNearby: .near
        case _ where isFar: .far
        case .near where staysNear: .near
        case .far where staysFar: .far
        default: .around
        }
    }
}

/// The limits of near and far, in decibels below the power at one metre.
public struct ProximityThresholds: Hashable, Sendable {
    /// A beacon is near at this value or less.
    public var nearDecibels: Double
    /// A beacon is far at this value or more.
    public var farDecibels: Double
    /// The decibels beyond a threshold at which an earlier decision ends.
    public var hysteresisDecibels: Double

    public init(
        nearDecibels: Double = BeaconProximity.usualNearDecibels,
        farDecibels: Double = BeaconProximity.usualFarDecibels,
        hysteresisDecibels: Double = BeaconProximity.usualHysteresisDecibels
    ) {
        self.nearDecibels = nearDecibels
        self.farDecibels = farDecibels
        self.hysteresisDecibels = hysteresisDecibels
    }

    /// Those of a site's beacon.
    public init(_ stated: BeaconProximity) {
        self.init()
        nearDecibels = stated.nearDecibels ?? nearDecibels
        farDecibels = stated.farDecibels ?? farDecibels
        hysteresisDecibels = stated.hysteresisDecibels ?? hysteresisDecibels
    }

    /// Whether there is a range between near and far, even with the hysteresis of both.
    public var isConsistent: Bool {
        hysteresisDecibels >= 0
            && nearDecibels + hysteresisDecibels < farDecibels - hysteresisDecibels
    }
}
