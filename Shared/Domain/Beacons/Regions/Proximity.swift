/// How near a beacon is. Metres from one beacon mislead: three kinds of them showed 3.2, 5.1 and
/// 13.3 at 20 m, and a farther one could seem nearer (visitor guide 2.5.3). What held for two of
/// the three was a threshold that tells two metres from more, another for each kind; so this is a
/// decision.
public enum Proximity: String, Hashable, Sendable, CaseIterable {
    case near
    case around
    case far

    /// The decision after a level that was smoothed or is trusted as it is.
    /// - Parameters:
    ///   - previous: nil where nothing was decided yet.
    ///   - attenuationDecibels: decibels lost since the first metre.
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

/// Where near ends and far begins, in decibels lost since the first metre.
public struct ProximityThresholds: Hashable, Sendable {
    /// Near at this or less.
    public var nearDecibels: Double
    /// Far at this or more.
    public var farDecibels: Double
    /// How far beyond its threshold a level must go to end what was decided.
    public var hysteresisDecibels: Double

    /// Usual figures: 6 dB are lost at 2 m and 20 dB at 10 m in free space.
    public init(
        nearDecibels: Double = 6, farDecibels: Double = 20, hysteresisDecibels: Double = 3
    ) {
        self.nearDecibels = nearDecibels
        self.farDecibels = farDecibels
        self.hysteresisDecibels = hysteresisDecibels
    }

    /// Whether there is an around between near and far even while one of them holds on.
    public var isConsistent: Bool {
        hysteresisDecibels >= 0
            && nearDecibels + hysteresisDecibels < farDecibels - hysteresisDecibels
    }
}
