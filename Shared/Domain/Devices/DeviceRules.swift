public import Events
import Positioning

/// The settings of decisions on devices that do not depend on the site.
public struct DeviceRules: Sendable {
    public var visits: VisitRules
    public var digests: Digests

    public init(visits: VisitRules = VisitRules(), digests: Digests) {
        self.visits = visits
        self.digests = digests
    }
}

/// Functions that compute the ids of positions and visits, and the basis of stored states. They
/// need cryptography, which the domain does not use.
public struct Digests: Sendable {
    public var position: @Sendable (_ scan: EventID, _ positioner: String) -> EventID
    public var visit: @Sendable (_ key: DeviceKey, _ zone: Zone, _ entered: Timestamp) -> EventID
    public var groupVisit:
        @Sendable (_ key: DeviceKey, _ group: BeaconGroupID, _ entered: Timestamp) -> EventID
    /// The basis of a state (`PositionerMemory`), from a text that names everything the state
    /// depends on.
    public var basis: @Sendable (_ text: String) -> UInt64

    public init(
        position: @escaping @Sendable (EventID, String) -> EventID,
        visit: @escaping @Sendable (DeviceKey, Zone, Timestamp) -> EventID,
        groupVisit: @escaping @Sendable (DeviceKey, BeaconGroupID, Timestamp) -> EventID,
        basis: @escaping @Sendable (String) -> UInt64
    ) {
        self.position = position
        self.visit = visit
        self.groupVisit = groupVisit
        self.basis = basis
    }
}

/// Memory that one worker reuses from scan to scan, with a part for each positioner.
public struct DeviceScratch: Sendable {
    var positioners: [PositionerScratch] = []

    public init() {}

    mutating func fit(_ count: Int) {
        while positioners.count < count { positioners.append(PositionerScratch()) }
    }
}
