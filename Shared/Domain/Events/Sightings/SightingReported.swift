/// A node has heard a device (topic `sightings`, key `site/device`). scan-ingest joins these to one
/// scan of each device and window of time.
public struct SightingReported: Hashable, Sendable {
    public var id: EventID
    public var site: SiteID
    /// An enrolled device, or the pseudonym of a stranger's.
    public var device: DeviceID
    /// The node that heard the device.
    public var scanner: ScannerID
    /// When it was heard.
    public var at: Timestamp
    /// The time of arrival, by the server's clock.
    public var receivedAt: Timestamp
    /// The strength in dBm, -120 to 0.
    public var rssi: Int
    public var distance: MeasuredDistance?

    public init(
        id: EventID, site: SiteID, device: DeviceID, scanner: ScannerID, at: Timestamp,
        receivedAt: Timestamp, rssi: Int, distance: MeasuredDistance? = nil
    ) {
        self.id = id
        self.site = site
        self.device = device
        self.scanner = scanner
        self.at = at
        self.receivedAt = receivedAt
        self.rssi = rssi
        self.distance = distance
    }
}
