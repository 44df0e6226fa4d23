public import Events
import Geometry
public import Positioning
public import Site

/// What a position says beside the scan and the estimate.
public struct LocatingContext: Hashable, Sendable {
    /// Named in the position.
    public var positioner: String
    public var siteVersion: Int
    public var radioMapVersion: Int?
    /// The radio map whose choice the positioner followed.
    public var choiceVersion: Int?

    public init(
        positioner: String, siteVersion: Int, radioMapVersion: Int?, choiceVersion: Int? = nil
    ) {
        self.positioner = positioner
        self.siteVersion = siteVersion
        self.radioMapVersion = radioMapVersion
        self.choiceVersion = choiceVersion
    }
}

/// The position event of a scan: one scan, one event, also for a device that is lost.
///
/// - Parameters:
///   - id: UUIDv5 of the scan's id and the positioner's name.
///   - site: where the estimate's floor is looked up; nil for a site that was never published,
///     whose devices are all lost.
public func locateScan(
    _ scan: ScanRecorded, estimate: Estimate, id: EventID, locatedAt: Timestamp, isLate: Bool,
    site: SiteIndex?, context: LocatingContext
) -> PositionEstimated {
    var position = PositionEstimated(
        id: id, scan: scan.id, at: scan.correctedAt, locatedAt: locatedAt, device: scan.device,
        site: scan.site, siteVersion: context.siteVersion, state: estimate.state, late: isLate,
        positioner: context.positioner, radioMapVersion: context.radioMapVersion)
    position.choiceVersion = context.choiceVersion
    // Whatever a positioner makes of it, a place that is no number is none.
    guard let place = estimate.place, estimate.state != .lost, place.isFinite else {
        position.state = .lost
        return position
    }
    position.building = site?.floor(place.floor)?.building
    position.floor = place.floor
    position.room = place.room
    position.rooms = estimate.rooms
    position.x = place.point.x
    position.y = place.point.y
    let geographic = site?.frame.geographic(place.point)
    position.latitude = geographic?.latitude
    position.longitude = geographic?.longitude
    position.covariance = [place.covariance.xx, place.covariance.xy, place.covariance.yy]
    position.radius68 = place.radius68
    position.radius95 = place.radius95
    return position
}
