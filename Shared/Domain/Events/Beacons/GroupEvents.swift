/// A device has entered a group of beacons (topic `visits`, key `site/device`).
public struct GroupEntered: Hashable, Sendable {
    /// UUIDv5 of the device, the group and `entered`; the same in `GroupLeft`.
    public var visit: EventID
    public var site: SiteID
    public var device: DeviceID
    public var group: BeaconGroupID
    /// The floor of the beacon that was received first, or best among the first.
    public var floor: FloorID
    /// The time of the first scan that received a beacon of the group.
    public var entered: Timestamp

    public init(
        visit: EventID, site: SiteID, device: DeviceID, group: BeaconGroupID, floor: FloorID,
        entered: Timestamp
    ) {
        self.visit = visit
        self.site = site
        self.device = device
        self.group = group
        self.floor = floor
        self.entered = entered
    }
}

/// A device has left a group of beacons, because it received none of them for too long.
public struct GroupLeft: Hashable, Sendable {
    public var visit: EventID
    public var site: SiteID
    public var device: DeviceID
    public var group: BeaconGroupID
    /// The floor of the beacon that was received first, or best among the first.
    public var floor: FloorID
    public var entered: Timestamp
    /// The time of the last scan that received a beacon of the group.
    public var left: Timestamp

    public init(
        visit: EventID, site: SiteID, device: DeviceID, group: BeaconGroupID, floor: FloorID,
        entered: Timestamp, left: Timestamp
    ) {
        self.visit = visit
        self.site = site
        self.device = device
        self.group = group
        self.floor = floor
        self.entered = entered
        self.left = left
    }
}
