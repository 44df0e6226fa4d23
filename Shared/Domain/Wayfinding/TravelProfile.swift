/// How somebody travels: what they can use, how quickly, and what they would rather not.
///
/// A profile turns facts about ways into costs; the graph knows nothing of it. The four named ones
/// are starting points, every figure of theirs can be changed for one query.
public struct TravelProfile: Hashable, Sendable {
    public enum Name: String, Hashable, Sendable, CaseIterable {
        case walking
        /// No steps, and nothing that nobody has said to be free of steps.
        case stepFreeStrict = "step-free-strict"
        /// Steps only where the detour is long.
        case stepFreePreferred = "step-free-preferred"
        case wheelchair
    }

    /// Whether something is used.
    public enum Use: Hashable, Sendable {
        case allowed
        /// As if it took so many seconds longer.
        case priced(seconds: Double)
        case never
    }

    /// Where it started from.
    public var name: Name
    /// Metres a second on the level.
    public var walkingSpeed: Double
    /// Steps up and down, of stairs that do not move.
    public var stairs: Use
    public var escalators: Use
    /// Metres that a way must be wide; nil for any.
    public var neededWidthMetres: Double?
    /// Rise over run that a way may have at most, up or down; nil for any.
    public var slopeLimit: Double?
    /// Metres that a kerb or threshold may be high; nil for any.
    public var kerbLimitMetres: Double?
    /// Values of OpenStreetMap's key `surface` that are not used.
    public var surfacesLeftOut: Set<String>
    /// How much dearer a way is whose accessibility nobody has stated, 1 for no dearer; nil when it
    /// is never used.
    public var unknownFactor: Double?
    /// Whether ways that somebody has said wheels can't use are left out.
    public var leavesOutInaccessible: Bool
    public var avoided: Set<AvoidedWay>
    public var pace: TravelPace

    public init(
        name: Name, walkingSpeed: Double, stairs: Use, escalators: Use,
        neededWidthMetres: Double? = nil, slopeLimit: Double? = nil,
        kerbLimitMetres: Double? = nil, surfacesLeftOut: Set<String> = [],
        unknownFactor: Double? = 1, leavesOutInaccessible: Bool = false,
        avoided: Set<AvoidedWay> = [], pace: TravelPace = TravelPace()
    ) {
        self.name = name
        self.walkingSpeed = walkingSpeed
        self.stairs = stairs
        self.escalators = escalators
        self.neededWidthMetres = neededWidthMetres
        self.slopeLimit = slopeLimit
        self.kerbLimitMetres = kerbLimitMetres
        self.surfacesLeftOut = surfacesLeftOut
        self.unknownFactor = unknownFactor
        self.leavesOutInaccessible = leavesOutInaccessible
        self.avoided = avoided
        self.pace = pace
    }
}

/// A kind of way, in one direction where up and down differ, that somebody does not want to use.
public enum AvoidedWay: String, Hashable, Sendable, CaseIterable {
    case stairsUp = "stairs-up"
    case stairsDown = "stairs-down"
    case escalatorsUp = "escalators-up"
    case escalatorsDown = "escalators-down"
    case liftsUp = "lifts-up"
    case liftsDown = "lifts-down"
    case platformLiftsUp = "platform-lifts-up"
    case platformLiftsDown = "platform-lifts-down"
    case rampsUp = "ramps-up"
    case rampsDown = "ramps-down"
    /// Dirt, ground, mud, grass, sand and their like, for profiles that use them otherwise.
    case softSurfaces = "soft-surfaces"
    /// Doors that somebody has to open by hand.
    case manualDoors = "manual-doors"
}

/// How long it takes to get along ways that are not walked on the level.
public struct TravelPace: Hashable, Sendable {
    /// Metres a second, horizontally, up and down stairs: means of Weidmann 1993 ("Transporttechnik
    /// der Fussgänger", ETH Zürich, section 2): 0.610 and 0.694.
    public var stairsUpSpeed = 0.610
    public var stairsDownSpeed = 0.694
    /// Metres a second along the steps of an escalator: what EN 115-1 allows at any incline.
    public var escalatorSpeed = 0.5
    /// Seconds until a lift comes and its doors have opened and closed: a good office lift comes
    /// after 20 to 30 seconds on average (CIBSE Guide D, section 3).
    public var liftWaitSeconds = 35.0
    /// Metres a second: the usual rated speed of passenger lifts in low buildings (ISO 8100-30).
    public var liftSpeed = 1.0
    /// Seconds and metres a second of a platform lift: EN 81-41 allows at most 0.15.
    public var platformLiftWaitSeconds = 30.0
    public var platformLiftSpeed = 0.15
    /// Seconds that opening a door takes by hand, and waiting for one that opens by itself.
    public var manualDoorSeconds = 3.0
    public var automaticDoorSeconds = 1.0

    public init() {}
}

extension TravelProfile {
    /// Loose ground, by the values of OpenStreetMap's key `surface`.
    public static let softSurfaces: Set<String> = [
        "dirt", "earth", "grass", "ground", "mud", "sand", "snow", "unpaved", "woodchips",
        "pebblestone", "rock", "gravel", "fine_gravel", "grass_paver",
    ]
    /// Left out for wheels unless asked for.
    public static let surfacesHardForWheels: Set<String> = softSurfaces.subtracting([
        "fine_gravel", "unpaved", "grass_paver",
    ])

    /// The profile of that name, with the figures it starts from.
    public static func named(_ name: Name) -> TravelProfile {
        switch name {
        case .walking: walking
        case .stepFreeStrict: stepFreeStrict
        case .stepFreePreferred: stepFreePreferred
        case .wheelchair: wheelchair
        }
    }

    /// 1.34 m/s is the mean of pedestrians (Weidmann 1993, section 2).
    public static let walking = TravelProfile(
        name: .walking, walkingSpeed: 1.34, stairs: .allowed, escalators: .allowed)

    /// 0.95 m/s is the mean of people whose walking is impaired and who use no aid (Boyce, Shields
    /// and Silcock 1999, "Toward the characterization of building occupancies for fire safety
    /// engineering: capabilities of disabled people moving horizontally and on an incline").
    public static let stepFreeStrict = TravelProfile(
        name: .stepFreeStrict, walkingSpeed: 0.95, stairs: .never, escalators: .never,
        kerbLimitMetres: 0.03, surfacesLeftOut: surfacesHardForWheels, unknownFactor: nil,
        leavesOutInaccessible: true)

    public static let stepFreePreferred = TravelProfile(
        name: .stepFreePreferred, walkingSpeed: 0.95, stairs: .priced(seconds: 300),
        escalators: .priced(seconds: 120), surfacesLeftOut: surfacesHardForWheels,
        unknownFactor: 1.2)

    /// 0.79 m/s is the mean of people in wheelchairs of their own drive (Tolerico et al. 2007,
    /// "Assessing mobility characteristics and activity levels of manual wheelchair users"). 0.80 m
    /// is the clear width of doors in ISO 21542, 1 in 12 the slope of ramps in the ADA standards,
    /// section 405.2, and 3 cm what OpenStreetMap calls a lowered kerb.
    public static let wheelchair = TravelProfile(
        name: .wheelchair, walkingSpeed: 0.79, stairs: .never, escalators: .never,
        neededWidthMetres: 0.80, slopeLimit: 0.083, kerbLimitMetres: 0.03,
        surfacesLeftOut: surfacesHardForWheels, unknownFactor: 1.2, leavesOutInaccessible: true)
}
