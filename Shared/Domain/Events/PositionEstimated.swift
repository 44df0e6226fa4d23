/// The position of a device at one scan (topic `positions`, key `site/device`). Every scan gives
/// one event, even if the device could not be located.
public struct PositionEstimated: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case located, uncertain, lost
    }

    /// The reason why a device is lost, where the scan itself is not the reason.
    public enum LostReason: String, Hashable, Sendable, CaseIterable {
        /// The site has a radio map, but it could not be loaded.
        case mapMissing = "radio-map-missing"
        /// The site's document could not be read.
        case siteMissing = "site-missing"
    }

    /// In place of a room or a floor that is not for the reader.
    public enum Area: String, Hashable, Sendable, CaseIterable {
        case staff, hidden
    }

    public struct RoomProbability: Hashable, Sendable {
        public var id: RoomID
        public var probability: Double
        public init(id: RoomID, probability: Double) {
            self.id = id
            self.probability = probability
        }
    }

    /// UUIDv5 of the scan's id and the positioner's name.
    public var id: EventID
    public var scan: EventID
    /// The time of the scan, corrected by the skew of the sender's clock.
    public var at: Timestamp
    public var locatedAt: Timestamp
    public var device: DeviceID
    public var site: SiteID
    public var siteVersion: Int
    public var building: BuildingID?
    public var floor: FloorID?
    public var room: RoomID?
    /// The most probable room first. The probability that is missing to 1 is outside every room.
    public var rooms: [RoomProbability] = []
    /// Metres in the site's frame.
    public var x: Double?
    public var y: Double?
    public var latitude: Double?
    public var longitude: Double?
    /// Square metres, in the order xx, xy, yy.
    public var covariance: [Double]?
    /// Metres: the device is within this distance with 68 % (or 95 %) probability.
    public var radius68: Double?
    public var radius95: Double?
    /// The walker's pace, if the scan has steps or a speed.
    public var motion: MotionPeriod?
    public var state: State
    /// Whether the scan is more than five minutes older than the device's newest scan, or than its
    /// own arrival.
    public var late: Bool
    public var positioner: String
    public var radioMapVersion: Int?
    /// The version of the radio map whose chosen positioner was used. Nil for a fixed positioner,
    /// and before one is chosen.
    public var choiceVersion: Int?
    /// Nil where the device is not lost, or is lost because its scan has too few readings.
    public var lostBecause: LostReason?
    /// Set in answers alone, where the room or the floor is left out because it is not for the
    /// reader.
    public var area: Area?

    public init(
        id: EventID, scan: EventID, at: Timestamp, locatedAt: Timestamp, device: DeviceID,
        site: SiteID, siteVersion: Int, state: State, late: Bool, positioner: String,
        radioMapVersion: Int?
    ) {
        self.id = id
        self.scan = scan
        self.at = at
        self.locatedAt = locatedAt
        self.device = device
        self.site = site
        self.siteVersion = siteVersion
        self.state = state
        self.late = late
        self.positioner = positioner
        self.radioMapVersion = radioMapVersion
    }
}
