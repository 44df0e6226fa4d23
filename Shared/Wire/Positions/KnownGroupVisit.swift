public import EventLog
public import Events

/// A device's stay in a group of beacons as the events so far describe it.
public struct KnownGroupVisit: Sendable {
    public var visit: EventID
    public var site: SiteID
    public var device: DeviceID
    public var group: BeaconGroupID
    public var floor: FloorID
    public var entered: Timestamp
    /// Nil while the device is in the group.
    public var left: Timestamp?
    /// The time at which the log received the event; 0 for a row without it.
    public var appendedAtMicroseconds: Int64

    public init(
        visit: EventID, site: SiteID, device: DeviceID, group: BeaconGroupID, floor: FloorID,
        entered: Timestamp, left: Timestamp? = nil, appendedAtMicroseconds: Int64 = 0
    ) {
        self.visit = visit
        self.site = site
        self.device = device
        self.group = group
        self.floor = floor
        self.entered = entered
        self.left = left
        self.appendedAtMicroseconds = appendedAtMicroseconds
    }

    /// Whether the record is such an event.
    public static func isIn(_ record: StoredRecord) -> Bool {
        let type = record.headers["ce_type"]
        return type == EventType.groupEntered.name || type == EventType.groupLeft.name
    }

    /// The stay of an event.
    public init(_ record: StoredRecord) throws(WireFault) {
        if record.headers["ce_type"] == EventType.groupEntered.name {
            let event = try GroupEntered(record: record)
            self.init(
                visit: event.visit, site: event.site, device: event.device, group: event.group,
                floor: event.floor, entered: event.entered)
        } else {
            let event = try GroupLeft(record: record)
            self.init(
                visit: event.visit, site: event.site, device: event.device, group: event.group,
                floor: event.floor, entered: event.entered, left: event.left)
        }
        appendedAtMicroseconds = record.appendedAtMicroseconds
    }
}
