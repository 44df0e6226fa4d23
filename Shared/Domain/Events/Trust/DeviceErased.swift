/// Somebody erased a device: nothing of it from before may be shown or kept (topic `erasures`, key
/// `site/device`).
///
/// The same event is in `scans`, behind the device's scans, so that the locator forgets the device
/// in its turn. The locator passes it on to `positions`, `positions-smoothed` and `visits`. A view
/// that reads it there has all earlier rows of the device and can delete them.
public struct DeviceErased: Hashable, Sendable {
    public var id: EventID
    public var site: SiteID
    public var device: DeviceID
    /// Everything up to this time is erased.
    public var at: Timestamp

    public init(id: EventID, site: SiteID, device: DeviceID, at: Timestamp) {
        self.id = id
        self.site = site
        self.device = device
        self.at = at
    }

    public var key: DeviceKey { DeviceKey(site, device) }
}
