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
    /// Metres; satellites give hardly any fix indoors that claims to be this accurate.
    static let goodMetres = 15.0
    /// Metres beyond all that a site draws. A device there is none of the site's business, or its
    /// fix is wrong: a place that was set by hand, or two mixed-up numbers.
    static let farthestMetres = 10_000.0

    let point: Point
    /// The radius that contains the true point with 68 %, as telephones report it; in metres.
    let accuracyMetres: Double

    /// Nil for a fix that states no radius, a radius of 0 or a large one. Nil, too, for a fix far
    /// from the site.
    init?(_ fix: SatelliteFix?, site: SiteIndex) {
        guard let fix, let accuracy = fix.accuracyMetres, accuracy > 0,
            accuracy <= Self.poorestMetres
        else { return nil }
        let point = site.frame.point(
            GeographicPoint(latitude: fix.latitude, longitude: fix.longitude))
        // A site without an outline still has the limits of all coordinates.
        guard max(abs(point.x), abs(point.y)) <= SiteLimits.coordinateMetres,
            !site.extent.isFarOutside(point, metres: Self.farthestMetres)
        else { return nil }
        self.init(
            point: point,
            accuracyMetres: max(accuracy, RadiusCalibration.leastRadiusMetres))
    }

    init(point: Point, accuracyMetres: Double) {
        self.point = point
        self.accuracyMetres = accuracyMetres
    }

    var isGood: Bool { accuracyMetres <= Self.goodMetres }

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
