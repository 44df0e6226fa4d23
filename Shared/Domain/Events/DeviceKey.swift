/// A device at a site. Device ids are unique within a site only.
public struct DeviceKey: Hashable, Sendable, Comparable {
    public var site: SiteID
    public var device: DeviceID

    public init(_ site: SiteID, _ device: DeviceID) {
        self.site = site
        self.device = device
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.site, left.device) < (right.site, right.device)
    }
}
