public import Events
import Geometry
public import Positioning
public import Site

/// The fields of a position that come from neither the scan nor the estimate.
public struct LocatingContext: Hashable, Sendable {
    /// The positioner's name in the position.
    public var positioner: String
    public var siteVersion: Int
    public var radioMapVersion: Int?
    /// The version of the radio map whose choice the positioner used.
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

/// The position event of a scan. Each scan gets one event, also when its device is lost.
///
/// - Parameters:
///   - id: the UUIDv5 of the scan's id and the positioner's name.
///   - site: contains the estimate's floor. Nil for a site that was never published, whose devices
///     are all lost.
public func locateScan(
    _ scan: ScanRecorded, estimate: Estimate, id: EventID, locatedAt: Timestamp, isLate: Bool,
    site: SiteIndex?, context: LocatingContext
) -> PositionEstimated {
    var position = PositionEstimated(
        id: id, scan: scan.id, at: scan.correctedAt, locatedAt: locatedAt, device: scan.device,
        site: scan.site, siteVersion: context.siteVersion, state: estimate.state, late: isLate,
        positioner: context.positioner, radioMapVersion: context.radioMapVersion)
    position.choiceVersion = context.choiceVersion
    // A positioner may fail to give finite numbers; then the device counts as lost.
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
