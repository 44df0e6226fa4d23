/// One raw scan of one device, as scan-ingest accepted it (topic `scans`, key `site/device`).
@dynamicMemberLookup
public struct ScanRecorded: Hashable, Sendable {
    public var id: EventID
    public var site: SiteID
    public var device: DeviceID
    public var scanner: ScannerID
    /// When the scan was made, by the sender's own clock.
    public var at: Timestamp
    /// When the sender sent it, by the same clock; with `receivedAt` it gives the clock's skew.
    public var sentAt: Timestamp?
    /// When it arrived, by our clock.
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

    /// With the members that are most often said by hand.
    public init(
        id: EventID, site: SiteID, device: DeviceID, scanner: ScannerID, at: Timestamp,
        sentAt: Timestamp? = nil, receivedAt: Timestamp, wifi: [WiFiReading] = [],
        ble: [BluetoothReading] = [], heardBy: [NodeReading] = [], steps: Int? = nil,
        headingDegrees: Double? = nil, speedMetresPerSecond: Double? = nil,
        magneticMicrotesla: MagneticField? = nil, magneticSamples: [MagneticSample] = [],
        stepsAtMilliseconds: [Int] = [], gnss: SatelliteFix? = nil
    ) {
        self.init(
            id: id, site: site, device: device, scanner: scanner, at: at, sentAt: sentAt,
            receivedAt: receivedAt,
            content: ScanContent(
                wifi: wifi, ble: ble, heardBy: heardBy, steps: steps,
                headingDegrees: headingDegrees, speedMetresPerSecond: speedMetresPerSecond,
                magneticMicrotesla: magneticMicrotesla, magneticSamples: magneticSamples,
                stepsAtMilliseconds: stepsAtMilliseconds, gnss: gnss))
    }

    /// The members of what was heard and sensed are the scan's own.
    @inlinable
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<ScanContent, Value>
    ) -> Value {
        @inline(__always) get { content[keyPath: member] }
        @inline(__always) _modify { yield &content[keyPath: member] }
    }

    /// When the scan was made by our clock: `at` corrected by the sender's skew, arrival - sentAt.
    public var correctedAt: Timestamp {
        guard let sentAt else { return at }
        return at.advanced(byMicroseconds: receivedAt - sentAt)
    }
}
