/// Where a device was at one scan (topic `positions`, key `site/device`). One scan, one event, also
/// when the device could not be located.
public struct PositionEstimated: Hashable, Sendable {
    public enum State: String, Hashable, Sendable, CaseIterable {
        case located, uncertain, lost
    }

    /// Why a device is lost where the scan is not the reason.
    public enum LostReason: String, Hashable, Sendable, CaseIterable {
        /// The site has a radio map that could not be loaded.
        case mapMissing = "radio-map-missing"
        /// The site's own document could not be read.
        case siteMissing = "site-missing"
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
    /// When the scan was made, corrected by the sender's clock skew.
    public var at: Timestamp
    public var locatedAt: Timestamp
    public var device: DeviceID
    public var site: SiteID
    public var siteVersion: Int
    public var building: BuildingID?
    public var floor: FloorID?
    public var room: RoomID?
    /// Most probable first; what is missing to 1 is outside every room.
    public var rooms: [RoomProbability] = []
    /// Metres in the site's frame.
    public var x: Double?
    public var y: Double?
    public var latitude: Double?
    public var longitude: Double?
    /// Square metres: xx, xy, yy.
    public var covariance: [Double]?
    /// Metres: the true place is within with 68 and 95 % probability.
    public var radius68: Double?
    public var radius95: Double?
    /// How fast the device's bearer walked, where the scan tells by its steps or its speed.
    public var motion: MotionPeriod?
    public var state: State
    /// Older than the device's newest scan, or than its own arrival, by more than five minutes.
    public var late: Bool
    public var positioner: String
    public var radioMapVersion: Int?
    /// The radio map whose choice the positioner followed; nil for one that follows none, and while
    /// nothing was chosen.
    public var choiceVersion: Int?
    /// Nil where the scan itself says too little, and where the device is not lost.
    public var lostBecause: LostReason?

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
