/// A scan had the level of a beacon's battery (topic `beacon-batteries`, key `site/beacon`). The
/// event does not name the device.
public struct BeaconBatteryReported: Hashable, Sendable {
    public var site: SiteID
    public var beacon: BeaconID
    /// 0 to 100.
    public var percent: Int
    /// The time of the scan, by the server's clock.
    public var at: Timestamp

    public init(site: SiteID, beacon: BeaconID, percent: Int, at: Timestamp) {
        self.site = site
        self.beacon = beacon
        self.percent = percent
        self.at = at
    }
}
