public import Events
import Geometry
public import HTTP
public import Site
import Wire

extension SiteIndex {
    /// Refuses a place that is too far outside to be meant. A place that is not found passes: its
    /// own check names the reason.
    ///
    /// Surveys are taken there, and kept aside until an administrator decides about them.
    public func checkIsNear(_ place: SurveyPlace) throws(Problem) {
        guard let point = try? resolve(place).point, extent.isFarOutside(point) else { return }
        throw Self.farOutside("the place")
    }

    /// The same for the corners of a line that is recorded.
    public func checkIsNear(_ corners: [MagneticRoutePoint]) throws(Problem) {
        for (number, corner) in corners.enumerated()
        where extent.isFarOutside(Point(x: corner.x, y: corner.y)) {
            throw Self.farOutside("polyline[\(number)]")
        }
    }

    private static func farOutside(_ subject: String) -> Problem {
        Problem(
            .coordinatesOutOfRange,
            "\(subject) is more than \(Int(SiteExtent.farMetres)) m outside of the site")
    }
}
