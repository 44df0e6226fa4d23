public import Events
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
        throw Problem(
            .coordinatesOutOfRange,
            "the place is more than \(Int(SiteExtent.farMetres)) m outside of the site")
    }
}
