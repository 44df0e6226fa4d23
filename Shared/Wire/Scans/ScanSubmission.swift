public import Events

/// A scan or survey as a sender sends it, checked field by field. The service adds missing fields
/// from the token.
@dynamicMemberLookup
public struct ScanSubmission: Hashable, Sendable {
    /// The sender's own id, which makes a retry harmless; nil when it made none.
    public var id: EventID?
    /// Nil stands for the token's site.
    public var site: SiteID?
    /// Where only one of device and scanner is given, it stands for both.
    public var device: DeviceID?
    public var scanner: ScannerID?
    /// The time of the scan by the sender's clock. Without one it is the time of arrival, or in a
    /// file the time of sending.
    public var at: Timestamp
    /// The time of sending by the same clock; nil also where `at` is not the sender's.
    public var sentAt: Timestamp?
    /// The time of arrival by the server's clock.
    public var receivedAt: Timestamp
    public var content = ScanContent()
    /// The place of a survey; nil for a scan.
    public var place: SurveyPlace?
    /// Whether the place may be a location that only the site's draft has yet.
    public var mayBeOfDraft = false
    /// The true place of the device, in files that have it.
    public var truth: ScanTruth?
    /// The request for a scan that this answers.
    public var request: EventID?

    public init(at: Timestamp, receivedAt: Timestamp) {
        self.at = at
        self.receivedAt = receivedAt
    }

    /// A scan file's line for an event that was recorded earlier.
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

    /// Gives access to readings and sensor values as members of the scan.
    @inlinable
    public subscript<Value>(
        dynamicMember member: WritableKeyPath<ScanContent, Value>
    ) -> Value {
        @inline(__always) get { content[keyPath: member] }
        @inline(__always) _modify { yield &content[keyPath: member] }
    }

    /// The time of the scan by the server's clock: `at` corrected by the sender's skew, arrival -
    /// sentAt.
    public var correctedAt: Timestamp {
        guard let sentAt else { return at }
        return at.advanced(byMicroseconds: receivedAt - sentAt)
    }

    /// The event, with the fields that the sender left out.
    public func recorded(id: EventID, site: SiteID, device: DeviceID) -> ScanRecorded {
        ScanRecorded(
            id: id, site: site, device: device, scanner: scanner ?? ScannerID(device.text), at: at,
            sentAt: sentAt, receivedAt: receivedAt, content: content)
    }
}

/// The true place of a device at a scan.
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
