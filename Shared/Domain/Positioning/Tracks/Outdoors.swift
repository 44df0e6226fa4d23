public import Events
import Geometry
import Site

extension FloorID {
    /// The floor of positions outside of all buildings. No building has this floor, so these
    /// positions have no building.
    public static let outdoors = FloorID("outdoors")
}

/// A satellite fix that is accurate enough to use.
struct SatelliteEvidence: Sendable {
    /// Fixes with a larger accuracy radius are not used, in metres.
    static let poorestMetres = 50.0
    /// Metres; hardly any fix made indoors claims to be this accurate.
    static let goodMetres = 15.0

    let point: Point
    /// The radius that contains the true point with 68 %, as telephones report it; in metres.
    let accuracyMetres: Double

    init?(_ fix: SatelliteFix?, site: SiteIndex) {
        guard let fix, let accuracy = fix.accuracyMetres, accuracy > 0,
            accuracy <= Self.poorestMetres
        else { return nil }
        self.init(
            point: site.frame.point(
                GeographicPoint(latitude: fix.latitude, longitude: fix.longitude)),
            accuracyMetres: max(accuracy, RadiusCalibration.leastRadiusMetres))
    }

    init(point: Point, accuracyMetres: Double) {
        self.point = point
        self.accuracyMetres = accuracyMetres
    }

    var isGood: Bool { accuracyMetres <= Self.goodMetres }

    /// Whether the point is in a building by the site's outlines. A fix through a glass roof is
    /// accurate, so accuracy alone does not show that a device is outdoors.
    ///
    /// - Parameter before: the building of the device's last position; nil for outdoors.
    func isInBuilding(before: BuildingID?, site: SiteIndex) -> Bool {
        site.buildingShapes.building(at: point, before: before) != nil
    }

    /// The deviation of each coordinate, in metres.
    var deviation: Double { accuracyMetres / RadiusCalibration.radius68PerDeviation }

    /// The estimate of a device that is outdoors.
    var estimate: Estimate {
        let place = Estimate.Place(
            floor: .outdoors, point: point, room: nil,
            covariance: .round(radius68: accuracyMetres), radius68: accuracyMetres,
            radius95: deviation * RadiusCalibration.radius95PerDeviation)
        return Estimate(state: isGood ? .located : .uncertain, place: place)
    }
}

/// Decides whether a device is outdoors: with a good fix outside of all buildings' outlines, and
/// hardly any reading of the radio map. The answer changes only after the evidence has pointed the
/// other way for a while.
enum Outdoors {
    /// The time until a device is outdoors, and until it is back indoors. Radio that is heard again
    /// says more than a fix.
    static let leavingSeconds: Float = 10
    static let enteringSeconds: Float = 6
    /// For this time without a fix a device stays outdoors, around its last one.
    static let longestSilenceSeconds: Float = 30

    static func decide(
        _ before: TrackState.Outdoors?, isRadioPoor: Bool, fix: SatelliteEvidence?,
        isFixInBuilding: Bool, seconds: Double
    ) -> TrackState.Outdoors {
        let says: Bool? =
            if !isRadioPoor { false } else if fix?.isGood == true, !isFixInBuilding { true } else {
                nil
            }
        guard var after = before else { return TrackState.Outdoors(isOutdoors: says ?? false) }
        after.silentSeconds = fix == nil ? after.silentSeconds + Float(seconds) : 0
        guard let says, says != after.isOutdoors else {
            after.otherSeconds = 0
            return after
        }
        after.otherSeconds += Float(seconds)
        let dwell = after.isOutdoors ? enteringSeconds : leavingSeconds
        // An outdoor place needs a fix. Without one, radio puts the device indoors at once.
        guard after.otherSeconds > dwell || (after.isOutdoors && fix == nil) else { return after }
        return TrackState.Outdoors(isOutdoors: says)
    }

    /// The estimate of a device that is outdoors: by its fix, or around its last one; nil after a
    /// long time without.
    ///
    /// - Parameter state: keeps the newest fix.
    static func estimate(_ state: inout TrackState.Outdoors, fix: SatelliteEvidence?) -> Estimate? {
        if let fix {
            state.point = fix.point
            state.accuracyMetres = Float(fix.accuracyMetres)
            return fix.estimate
        }
        guard state.accuracyMetres > 0, state.silentSeconds <= longestSilenceSeconds else {
            return nil
        }
        let reach = TrackSettings.fastestMetresPerSecond * Double(state.silentSeconds)
        let last = SatelliteEvidence(
            point: state.point, accuracyMetres: Double(state.accuracyMetres) + reach)
        var estimate = last.estimate
        estimate.state = .uncertain
        return estimate
    }
}
