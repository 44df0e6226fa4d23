public import Events
import Geometry
import Site

extension FloorID {
    /// Where positions outside of all buildings are: no building has this floor, so they have no
    /// building either.
    public static let outdoors = FloorID("outdoors")
}

/// What a satellite fix says about a place.
struct SatelliteEvidence: Sendable {
    /// Fixes with a larger accuracy say nothing of use.
    static let poorestMetres = 50.0
    /// Indoors hardly any fix claims to be as good.
    static let goodMetres = 15.0

    let point: Point
    /// Metres: holds the truth with 68 %, as telephones report it.
    let accuracyMetres: Double

    init?(_ fix: SatelliteFix?, site: SiteIndex) {
        guard let fix, let accuracy = fix.accuracyMetres, accuracy > 0,
            accuracy <= Self.poorestMetres
        else { return nil }
        point = site.frame.point(
            GeographicPoint(latitude: fix.latitude, longitude: fix.longitude))
        accuracyMetres = max(accuracy, RadiusCalibration.leastRadiusMetres)
    }

    var isGood: Bool { accuracyMetres <= Self.goodMetres }

    /// Whether the point is in a building by the site's shapes, for somebody who was in `before`,
    /// or outdoors for nil. A fix through a glass roof is good, but says nothing of being out of
    /// doors.
    func isInBuilding(before: BuildingID?, site: SiteIndex) -> Bool {
        site.buildingShapes.building(at: point, before: before) != nil
    }

    /// Metres, of each coordinate.
    var deviation: Double { accuracyMetres / RadiusCalibration.radius68PerDeviation }

    /// Of a device out of doors.
    var estimate: Estimate {
        let place = Estimate.Place(
            floor: .outdoors, point: point, room: nil,
            covariance: .round(radius68: accuracyMetres), radius68: accuracyMetres,
            radius95: deviation * RadiusCalibration.radius95PerDeviation)
        return Estimate(state: isGood ? .located : .uncertain, place: place)
    }
}

/// Whether a device is out of doors: with a good fix outside of all buildings' shapes, where the
/// radio map is hardly heard. It stays what it was until the evidence has been for the other for a
/// while.
enum Outdoors {
    static let dwellSeconds: Float = 10

    static func decide(
        _ before: TrackState.Outdoors?, isRadioPoor: Bool, fix: SatelliteEvidence?,
        isFixInBuilding: Bool, seconds: Double
    ) -> TrackState.Outdoors {
        let says: Bool? =
            if !isRadioPoor { false } else if fix?.isGood == true, !isFixInBuilding { true } else {
                nil
            }
        guard let before else { return TrackState.Outdoors(isOutdoors: says ?? false) }
        guard let says, says != before.isOutdoors else {
            return TrackState.Outdoors(isOutdoors: before.isOutdoors)
        }
        let waited = before.otherSeconds + Float(seconds)
        // Without a fix there is nothing to say of a place out of doors.
        let isOver = waited > dwellSeconds || (before.isOutdoors && fix == nil)
        return isOver
            ? TrackState.Outdoors(isOutdoors: says)
            : TrackState.Outdoors(isOutdoors: before.isOutdoors, otherSeconds: waited)
    }
}
