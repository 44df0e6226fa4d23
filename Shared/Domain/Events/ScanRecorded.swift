/// One raw scan of one device, as scan-ingest accepted it (topic `scans`, key `site/device`).
@dynamicMemberLookup
public struct ScanRecorded: Hashable, Sendable {
    public var id: EventID
    public var site: SiteID
    public var device: DeviceID
    public var scanner: ScannerID
    /// The time of the scan, by the sender's clock.
    public var at: Timestamp
    /// The time of sending, by the sender's clock. With `receivedAt` it gives the clock's skew.
    public var sentAt: Timestamp?
    /// The time of arrival, by the server's clock.
    public var receivedAt: Timestamp
    public var content: ScanContent

    public init(
        id: EventID, site: SiteID, device: DeviceID, scanner: ScannerID, at: Timestamp,
        sentAt: Timestamp? = nil, receivedAt: Timestamp, content: ScanContent
    ) {
        self.id = id
        self.site = site
        self.device = device
        self.scanner = scanner
        self.at = at
        self.sentAt = sentAt
        self.receivedAt = receivedAt
        self.content = content
    }

    /// Creates a scan from the members that tests and callers set most often.
    public init(
        id: EventID, site: SiteID, device: DeviceID, scanner: ScannerID, at: Timestamp,
        sentAt: Timestamp? = nil, receivedAt: Timestamp, wifi: [WiFiReading] = [],
        ble: [BluetoothReading] = [], heardBy: [NodeReading] = [], steps: Int? = nil,
        headingDegrees: Double? = nil, speedMetresPerSecond: Double? = nil,
        pressureHectopascals: Double? = nil,
        magneticMicrotesla: MagneticField? = nil, magneticSamples: [MagneticSample] = [],
        stepsAtMilliseconds: [Int] = [], gnss: SatelliteFix? = nil
    ) {
        self.init(
            id: id, site: site, device: device, scanner: scanner, at: at, sentAt: sentAt,
            receivedAt: receivedAt,
            content: ScanContent(
                wifi: wifi, ble: ble, heardBy: heardBy, steps: steps,
                headingDegrees: headingDegrees, speedMetresPerSecond: speedMetresPerSecond,
                pressureHectopascals: pressureHectopascals,
                magneticMicrotesla: magneticMicrotesla, magneticSamples: magneticSamples,
                stepsAtMilliseconds: stepsAtMilliseconds, gnss: gnss))
    }

    /// Reads the readings and sensor values of `content` as if they were members of the scan.
    @inlinable
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<ScanContent, Value>
    ) -> Value {
        @inline(__always) get { content[keyPath: member] }
        @inline(__always) _modify { yield &content[keyPath: member] }
    }

    /// The time of the scan by the server's clock: `at` + `receivedAt` - `sentAt`.
    public var correctedAt: Timestamp {
        guard let sentAt else { return at }
        return at.advanced(byMicroseconds: receivedAt - sentAt)
    }
}
