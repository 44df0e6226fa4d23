/// A traveller's abilities and preferences: usable ways, speeds and ways to avoid.
///
/// A profile turns facts about connections into costs; the graph does not depend on it. The five
/// named profiles are starting points. A query may change each of their figures.
public struct TravelProfile: Hashable, Sendable {
    public enum Name: String, Hashable, Sendable, CaseIterable {
        case walking
        /// No steps, and no connection that may have steps because nobody stated its facts.
        case stepFreeStrict = "step-free-strict"
        /// Steps only where the detour without them is long.
        case stepFreePreferred = "step-free-preferred"
        case wheelchair
        /// For those who find their way by touch: along walls and corridors, without escalators.
        case byTouch = "by-touch"
    }

    /// Whether the traveller uses a kind of connection.
    public enum Use: Hashable, Sendable {
        case allowed
        /// Used, at a cost equal to this many extra seconds.
        case priced(seconds: Double)
        case never
    }

    /// The named profile that this one started from.
    public var name: Name
    /// The walking speed on level ground, in metres a second.
    public var walkingSpeed: Double
    /// Stairs, up and down; escalators are separate.
    public var stairs: Use
    public var escalators: Use
    /// Seconds that a detour around a revolving door may take.
    public var revolvingDoorSeconds: Double
    /// The least width of a usable connection, in metres; nil for any width.
    public var neededWidthMetres: Double?
    /// The steepest usable slope, up or down, as rise over run; nil for any slope.
    public var slopeLimit: Double?
    /// The highest usable kerb or threshold, in metres; nil for any height.
    public var kerbLimitMetres: Double?
    /// Values of OpenStreetMap's key `surface` that the traveller can't use.
    public var surfacesLeftOut: Set<String>
    /// The factor on the cost of a connection whose accessibility nobody stated; 1 adds nothing.
    /// Nil if such a connection is never used.
    public var unknownFactor: Double?
    /// Whether connections that are marked as unusable for wheels are left out.
    public var leavesOutInaccessible: Bool
    public var avoided: Set<AvoidedWay>
    public var pace: TravelPace
    /// The factor on the cost of a walk through an open hall, where neither a wall nor tactile
    /// paving leads; 1 adds nothing.
    public var hallFactor: Double

    public init(
        name: Name, walkingSpeed: Double, stairs: Use, escalators: Use,
        revolvingDoorSeconds: Double = 0, neededWidthMetres: Double? = nil,
        slopeLimit: Double? = nil,
        kerbLimitMetres: Double? = nil, surfacesLeftOut: Set<String> = [],
        unknownFactor: Double? = 1, leavesOutInaccessible: Bool = false,
        avoided: Set<AvoidedWay> = [], pace: TravelPace = TravelPace(), hallFactor: Double = 1
    ) {
        self.name = name
        self.walkingSpeed = walkingSpeed
        self.stairs = stairs
        self.escalators = escalators
        self.revolvingDoorSeconds = revolvingDoorSeconds
        self.neededWidthMetres = neededWidthMetres
        self.slopeLimit = slopeLimit
        self.kerbLimitMetres = kerbLimitMetres
        self.surfacesLeftOut = surfacesLeftOut
        self.unknownFactor = unknownFactor
        self.leavesOutInaccessible = leavesOutInaccessible
        self.avoided = avoided
        self.pace = pace
        self.hallFactor = hallFactor
    }
}

/// A kind of connection that the traveller wants to avoid, in one direction if up and down differ.
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
    /// Dirt, ground, mud, grass, sand and the like, for profiles that otherwise use them.
    case softSurfaces = "soft-surfaces"
    /// Doors that must be opened by hand.
    case manualDoors = "manual-doors"
}

/// Speeds and waiting times on ways other than walks on the level.
public struct TravelPace: Hashable, Sendable {
    /// Horizontal metres a second up and down stairs. The figures are means of Weidmann 1993
    /// ("Transporttechnik der Fussgänger", ETH Zürich, section 2): 0.610 and 0.694.
    public var stairsUpSpeed = 0.610
    public var stairsDownSpeed = 0.694
    /// Metres a second along the steps of an escalator, as EN 115-1 allows at any incline.
    public var escalatorSpeed = 0.5
    /// Seconds until a lift arrives and its doors have opened and closed. A good office lift
    /// arrives after 20 to 30 seconds on average (CIBSE Guide D, section 3).
    public var liftWaitSeconds = 35.0
    /// Metres a second. It is the usual rated speed of passenger lifts in low buildings (ISO
    /// 8100-30).
    public var liftSpeed = 1.0
    /// Seconds of waiting, and metres a second, of a platform lift. EN 81-41 allows at most 0.15
    /// m/s.
    public var platformLiftWaitSeconds = 30.0
    public var platformLiftSpeed = 0.15
    /// Seconds to open a door by hand, and to wait for one that opens by itself.
    public var manualDoorSeconds = 3.0
    public var automaticDoorSeconds = 1.0

    public init() {}
}

extension TravelProfile {
    /// Loose ground, as values of OpenStreetMap's key `surface`.
    public static let softSurfaces: Set<String> = [
        "dirt", "earth", "grass", "ground", "mud", "sand", "snow", "unpaved", "woodchips",
        "pebblestone", "rock", "gravel", "fine_gravel", "grass_paver",
    ]
    /// Surfaces that profiles for wheels leave out by default.
    public static let surfacesHardForWheels: Set<String> = softSurfaces.subtracting([
        "fine_gravel", "unpaved", "grass_paver",
    ])

    /// The named profile with its original figures.
    public static func named(_ name: Name) -> TravelProfile {
        switch name {
        case .walking: walking
        case .stepFreeStrict: stepFreeStrict
        case .stepFreePreferred: stepFreePreferred
        case .wheelchair: wheelchair
        case .byTouch: byTouch
        }
    }

    /// The mean speed of pedestrians is 1.34 m/s (Weidmann 1993, section 2).
    public static let walking = TravelProfile(
        name: .walking, walkingSpeed: 1.34, stairs: .allowed, escalators: .allowed)

    /// The mean speed of people with impaired walking and without aids is 0.95 m/s (Boyce, Shields
    /// and Silcock 1999). The paper is "Toward the characterization of building occupancies for
    /// fire safety engineering: capabilities of disabled people moving horizontally and on an
    /// incline".
    public static let stepFreeStrict = TravelProfile(
        name: .stepFreeStrict, walkingSpeed: 0.95, stairs: .never, escalators: .never,
        kerbLimitMetres: 0.03, surfacesLeftOut: surfacesHardForWheels, unknownFactor: nil,
        leavesOutInaccessible: true)

    /// The speed is that of `stepFreeStrict`. The prices are not measured. An escalator is worth a
    /// detour of three minutes, a revolving door one of a minute, and an open hall half of its
    /// length.
    public static let byTouch = TravelProfile(
        name: .byTouch, walkingSpeed: 0.95, stairs: .allowed, escalators: .priced(seconds: 180),
        revolvingDoorSeconds: 60, hallFactor: 1.5)

    public static let stepFreePreferred = TravelProfile(
        name: .stepFreePreferred, walkingSpeed: 0.95, stairs: .priced(seconds: 300),
        escalators: .priced(seconds: 120), revolvingDoorSeconds: 60,
        surfacesLeftOut: surfacesHardForWheels,
        unknownFactor: 1.2)

    /// The mean speed in manual wheelchairs is 0.79 m/s (Tolerico et al. 2007, "Assessing mobility
    /// characteristics and activity levels of manual wheelchair users"). The width of 0.80 m is the
    /// clear width of doors in ISO 21542. The slope of 1 in 12 is that of ramps in the ADA
    /// standards, section 405.2. The 3 cm are OpenStreetMap's definition of a lowered kerb.
    public static let wheelchair = TravelProfile(
        name: .wheelchair, walkingSpeed: 0.79, stairs: .never, escalators: .never,
        neededWidthMetres: 0.80, slopeLimit: 0.083, kerbLimitMetres: 0.03,
        surfacesLeftOut: surfacesHardForWheels, unknownFactor: 1.2, leavesOutInaccessible: true)
}
