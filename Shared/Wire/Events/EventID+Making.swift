public import Cryptography
public import Events

extension EventID {
    /// The same 128 bits as an event id. Domain and adapters don't know each other's type.
    public init(_ identifier: UniqueIdentifier) {
        self.init(high: identifier.high, low: identifier.low)
    }

    /// A new id of version 7.
    public init(at moment: Timestamp) {
        self.init(UniqueIdentifier(millisecondsSinceEpoch: moment.milliseconds))
    }

    /// The id of the position that a positioner estimates for a scan: a UUID of version 5 made from
    /// both.
    public init(positionOf scan: EventID, by positioner: String) {
        let namespace = UniqueIdentifier(high: scan.high, low: scan.low)
        self.init(UniqueIdentifier(namespace: namespace, name: positioner))
    }

    /// The id of the position that smooths another: a UUID of version 5 made from that one.
    public init(smoothingOf position: EventID) {
        let namespace = UniqueIdentifier(high: position.high, low: position.low)
        self.init(UniqueIdentifier(namespace: namespace, name: "smoothed"))
    }

    /// The id of a device's visit to a zone: a UUID of version 5 made from both and the time of
    /// entry.
    public init(visitOf device: DeviceID, at site: SiteID, to zone: Zone, entered: Timestamp) {
        let name =
            "\(site)/\(device)/\(zone.kind.rawValue)/\(zone.id)/\(entered.microseconds)"
        self.init(UniqueIdentifier(namespace: Self.visits, name: name))
    }

    /// The same for a group of beacons.
    public init(
        visitOf device: DeviceID, at site: SiteID, to group: BeaconGroupID, entered: Timestamp
    ) {
        let name = "\(site)/\(device)/group/\(group)/\(entered.microseconds)"
        self.init(UniqueIdentifier(namespace: Self.visits, name: name))
    }

    /// The id of the scan that joins the reports of a device within a window. It is a UUID of
    /// version 5 made from the device, and the window's beginning and length.
    public init(
        scanOf device: DeviceKey, windowFrom start: Timestamp, lasting microseconds: Int64
    ) {
        let name = "\(device.site)/\(device.device)/\(start.microseconds)/\(microseconds)"
        self.init(UniqueIdentifier(namespace: Self.sightings, name: name))
    }

    /// The namespace of the ids of joined scans for version 5; a random number.
    private static let sightings = UniqueIdentifier(
        high: 0x52e8_41a7_c06b_4d19, low: 0xb37c_98f0_2e15_6ad4)

    /// The id of a booking: a UUID of version 5 made from its feed and its key there.
    public init(bookingOf key: String, feed: FeedID, at site: SiteID) {
        self.init(
            UniqueIdentifier(namespace: Self.bookings, name: "\(site)/\(feed)/\(key)"))
    }

    /// The id of a scan that FIND3's sender made. It is a UUID of version 5 made from its family,
    /// device and time, as FIND3 tells scans apart. So a retry is the same scan.
    public init(find3 family: String, _ device: String, milliseconds: Int) {
        self.init(
            UniqueIdentifier(namespace: Self.find3, name: "\(family)/\(device)/\(milliseconds)"))
    }

    /// The namespace of FIND3's scans for version 5; a random number.
    private static let find3 = UniqueIdentifier(
        high: 0x51c8_0f6e_7ab3_4d19, low: 0xa4e2_9d07_36c5_1f8b)

    /// The namespace of booking ids for version 5; a random number.
    private static let bookings = UniqueIdentifier(
        high: 0x3b0c_9e57_d1a2_4c86, low: 0x8f65_1ab4_07de_29c3)

    /// The namespace of visit ids for version 5; a random number.
    private static let visits = UniqueIdentifier(
        high: 0x6f1d_7c52_90b4_4e0a, low: 0x9a37_2d8e_51c6_b4f3)
}
