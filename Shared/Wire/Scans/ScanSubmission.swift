public import Events

/// A scan or survey as a sender hands it in, checked field by field. The
/// service fills from the token what the sender left out.
@dynamicMemberLookup
public struct ScanSubmission: Hashable, Sendable {
    /// Made by the sender, so that a retry is harmless; nil when it made none.
    public var id: EventID?
    /// Nil stands for the token's site.
    public var site: SiteID?
    /// Where only one of device and scanner is given, both are that one.
    public var device: DeviceID?
    public var scanner: ScannerID?
    /// When the scan was made, by the sender's clock; where it isn't given, when it arrived, and in
    /// a file when it was sent.
    public var at: Timestamp
    /// When it was sent, by the same clock; nil also where `at` is not the sender's.
    public var sentAt: Timestamp?
    /// When it arrived, by our clock.
    public var receivedAt: Timestamp
    public var content = ScanContent()
    /// Where a survey was made.
    public var place: SurveyPlace?
    /// Where the device really was, in files that know it.
    public var truth: ScanTruth?

    public init(at: Timestamp, receivedAt: Timestamp) {
        self.at = at
        self.receivedAt = receivedAt
    }

    /// What a scan file says about an event that was recorded earlier.
    public init(_ scan: ScanRecorded, place: SurveyPlace? = nil, truth: ScanTruth? = nil) {
        id = scan.id
        site = scan.site
        device = scan.device
        scanner = scan.scanner
        at = scan.at
        sentAt = scan.sentAt
        receivedAt = scan.receivedAt
        content = scan.content
        self.place = place
        self.truth = truth
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

    /// The event, once the service knows what the sender left out.
    public func recorded(id: EventID, site: SiteID, device: DeviceID) -> ScanRecorded {
        ScanRecorded(
            id: id, site: site, device: device, scanner: scanner ?? ScannerID(device.text), at: at,
            sentAt: sentAt, receivedAt: receivedAt, content: content)
    }
}

/// Where a device really was when it scanned.
public struct ScanTruth: Hashable, Sendable {
    public var building: BuildingID?
    public var floor: FloorID
    public var room: RoomID?
    /// Metres in the site's frame.
    public var x: Double
    public var y: Double

    public init(
        building: BuildingID? = nil, floor: FloorID, room: RoomID? = nil, x: Double, y: Double
    ) {
        self.building = building
        self.floor = floor
        self.room = room
        self.x = x
        self.y = y
    }
}
