/// The instances of a feed, and what of the feed could not be read.
public struct CalendarReading: Hashable, Sendable {
    public static let mostFaults = 100

    /// By start, then by uid and recurrence.
    public var instances: [CalendarInstance] = []
    /// The first hundred.
    public var faults: [CalendarFault] = []
    public var faultCount = 0
    /// Whether instances may be missing because of a fault, be it among the first hundred or not.
    /// Then the absence of an instance says nothing.
    public private(set) var losesInstances = false

    mutating func report(_ what: CalendarFault.What, _ component: String, line: Int?) {
        faultCount += 1
        if what.losesInstances { losesInstances = true }
        guard faults.count < Self.mostFaults else { return }
        faults.append(CalendarFault(component: component, what: what, line: line))
    }
}

/// A part of a feed that is left out or is read otherwise than meant.
public struct CalendarFault: Hashable, Sendable {
    public enum What: Hashable, Sendable {
        /// The event has no start that can be read, and is left out.
        case noStart
        /// The event has no UID, and is left out.
        case noUID
        /// The event ends before it starts. It is read as if it ended when it begins. One that is
        /// cancelled, or leaves its time free, has no such fault.
        case endBeforeStart
        /// A value that libical can't read is left out: libical's words.
        case unreadable(String)
        /// The rule can't be read or asks for another calendar than the Gregorian. The event has
        /// no instances by this rule.
        case unreadableRule
        /// The zone is neither in the feed nor an IANA name. The zone of floating times is used.
        case unknownZone(String)
        /// The zone's definition has no observance that can be read. Treated as `unknownZone`.
        case unreadableZone(String)
        /// Only the first instances within the window are read (`mostInstancesOfOne`).
        case tooManyInstances
        /// The rule needs more steps than `mostWorkOfOne`. Instances up to there are read.
        case tooMuchWork
        /// The line is longer than `mostLineBytes` and is left out.
        case lineTooLong
        /// The component has more than `mostValues` values; this line is left out.
        case tooManyValues
        /// A text is longer than `mostTextBytes` and is cut.
        case textTooLong
        /// A line outside of a calendar.
        case outsideCalendar
        /// The line is no UTF-8, and is read as Latin-1, as all such lines are. The first one only.
        case notUTF8
    }

    /// The UID, or the component's name where none is known.
    public var component: String
    public var what: What
    /// The line where the component or the value begins, counted from 1.
    public var line: Int?
}

extension CalendarFault.What {
    /// Properties that can be lost without an instance.
    private static let harmless: Set = [
        "EXRULE", "EXDATE", "STATUS", "SUMMARY", "LOCATION", "CATEGORIES", "ORGANIZER", "ATTENDEE",
        "TRANSP", "SEQUENCE", "URL",
    ]

    /// Whether instances may be missing because of it.
    var losesInstances: Bool {
        switch self {
        case .noStart, .noUID, .endBeforeStart, .unreadableRule, .tooManyInstances, .tooMuchWork,
            .lineTooLong, .tooManyValues:
            true
        case .unreadable(let words): !Self.isHarmless(words)
        case .unknownZone, .unreadableZone, .textTooLong, .outsideCalendar, .notUTF8: false
        }
    }

    /// libical names the property: "Can't parse as TEXT value in LOCATION property. Removing …".
    private static func isHarmless(_ words: String) -> Bool {
        guard let end = words.firstRange(of: " property.")?.lowerBound,
            let name = words[..<end].split(separator: " ").last
        else { return false }
        return harmless.contains(String(name))
    }
}

/// The reason for which a feed as a whole can't be read.
public enum CalendarError: Error, Hashable, Sendable {
    case empty
    /// The bytes don't begin with BEGIN:VCALENDAR.
    case notACalendar
    /// The feed ends before its last END. Half a feed must not look like cancellations.
    case truncated
    /// An END without its BEGIN.
    case unbalanced(line: Int)
    /// The zone of floating times is no IANA zone.
    case unknownFloatingZone(String)
    case tooManyBytes(limit: Int)
    case tooManyComponents(limit: Int)
    case tooManyInstances(limit: Int)
    /// All rules together need too many steps.
    case tooMuchWork(limit: Int)
    case nestedTooDeeply(limit: Int)
}

/// The bounds of a reading. `CalendarError` or `CalendarFault` tells which was passed.
public struct CalendarLimits: Hashable, Sendable {
    public var mostBytes = 32 << 20
    /// Events, zones, alarms and all others.
    public var mostComponents = 200_000
    public var mostInstancesOfOne = 10_000
    public var mostInstances = 500_000
    /// Steps for the rules of one event: each is a day, or a smaller unit, that is looked at.
    public var mostWorkOfOne = 300_000
    /// Steps for all rules of a feed, some seconds of time.
    public var mostWork = 100_000_000
    /// Steps for the rules of all zones. Zones beyond it can't be read.
    public var mostWorkOfZones = 5_000_000
    public var mostDepth = 8
    /// After unfolding.
    public var mostLineBytes = 64 << 10
    public var mostTextBytes = 4_096
    /// Properties of one component, where each value of a list counts. libical makes a kilobyte of
    /// each.
    public var mostValues = 20_000
    /// Names of zones. Beyond it, names are unknown.
    public var mostZones = 500

    public init() {}
}
