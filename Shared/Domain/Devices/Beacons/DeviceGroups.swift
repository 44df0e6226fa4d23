public import Events

/// The groups of beacons that one device is in, whatever its positioner (Flair 4.4.1). It enters a
/// group with the first scan that received an enabled beacon of it. It leaves when scans received
/// none for some time.
///
/// Only the scans' own time counts. So it makes no difference whether the next scan or the passing
/// of time ends a stay.
public struct DeviceGroups: Hashable, Sendable {
    /// The most groups at once. A device in so many enters no other one, so that one scan makes few
    /// events and the stored state stays small. Few places receive beacons of as many groups.
    public static let maximumStays = 8

    /// A scan that receives a group again up to this time later prolongs the stay, unless a scan
    /// between them has ended it. Phones in the background scan about each half minute.
    public static let longestPause = Duration.seconds(60)

    /// A group of which a scan received a beacon.
    public struct Heard: Hashable, Sendable {
        public var group: BeaconGroupID
        /// The floor of its strongest beacon.
        public var floor: FloorID

        public init(group: BeaconGroupID, floor: FloorID) {
            self.group = group
            self.floor = floor
        }
    }

    /// One group that the device is in.
    public struct Stay: Hashable, Sendable {
        public var group: BeaconGroupID
        /// The floor of the beacon that was received first, or best among the first.
        public var floor: FloorID
        public var entered: Timestamp
        /// The time of the last scan that received a beacon of the group.
        public var lastHeard: Timestamp

        public init(
            group: BeaconGroupID, floor: FloorID, entered: Timestamp, lastHeard: Timestamp
        ) {
            self.group = group
            self.floor = floor
            self.entered = entered
            self.lastHeard = lastHeard
        }

        /// The parts that stay the same as long as the group is received.
        fileprivate var identity: Identity { Identity(group: group, entered: entered) }

        fileprivate struct Identity: Hashable {
            let group: BeaconGroupID
            let entered: Timestamp
        }
    }

    public enum Change: Hashable, Sendable {
        case entered(Stay)
        case left(Stay)
    }

    /// In the order of entering.
    public private(set) var stays: [Stay]
    /// Whether the last scan received all groups. As long as the scans that follow do, too, only
    /// the time changes. It is that of the device's newest scan then, so nothing has to be stored
    /// (`moved`).
    public private(set) var isSteady: Bool

    public init(stays: [Stay] = [], isSteady: Bool = false) {
        self.stays = stays
        self.isSteady = isSteady
    }

    /// The same as it is at the device's newest scan, if that is newer.
    func moved(to newest: Timestamp?) -> DeviceGroups {
        guard isSteady, let newest else { return self }
        var moved = self
        for index in moved.stays.indices {
            moved.stays[index].lastHeard = max(newest, stays[index].lastHeard)
        }
        return moved
    }

    /// The same, for a newest scan that is the last one that received the groups for now.
    func halted(at newest: Timestamp?) -> DeviceGroups {
        var halted = moved(to: newest)
        halted.isSteady = false
        return halted
    }

    /// Whether these groups, which are stored, also say what those after a scan say.
    func serves(_ after: DeviceGroups) -> Bool {
        isSteady && after.isSteady && stays.map(\.identity) == after.stays.map(\.identity)
    }

    /// Applies a scan, which must be neither late nor older than the previous one.
    ///
    /// - Parameters:
    ///   - at: the time at which the scan was made.
    ///   - heard: the groups of the received beacons, strongest first. The weakest are left out
    ///     where there are too many.
    ///   - silence: the time after which a scan without any beacon of a group shows that the device
    ///     has left it. A scan with one shows that only after `longestPause`, if that is longer.
    public mutating func evolve(at: Timestamp, _ heard: [Heard], silence: Duration) -> [Change] {
        let groups = Set(heard.map(\.group))
        let pause = max(silence, Self.longestPause)
        var changes = leave {
            at > $0.lastHeard.advanced(by: groups.contains($0.group) ? pause : silence)
        }
        for index in stays.indices where groups.contains(stays[index].group) {
            stays[index].lastHeard = at
        }
        let entering = heard.filter { one in !stays.contains { $0.group == one.group } }
        for one in entering.prefix(max(0, Self.maximumStays - stays.count)) {
            let stay = Stay(group: one.group, floor: one.floor, entered: at, lastHeard: at)
            stays.append(stay)
            changes.append(.entered(stay))
        }
        isSteady = !stays.isEmpty && stays.allSatisfy { $0.lastHeard == at }
        return changes
    }

    /// Leaves the groups that no later scan can prolong: `DeviceVisits.deadline` has the reason for
    /// the two margins.
    ///
    /// - Parameter lateAfter: the age from which on a scan that arrives is late.
    public mutating func leave(
        timePassedTo now: Timestamp, silence: Duration, lateAfter: Duration
    ) -> [Change] {
        let margin = max(silence, Self.longestPause) + lateAfter + DeviceVisits.appendMargin
        return leave { now > $0.lastHeard.advanced(by: margin) }
    }

    private mutating func leave(_ isOver: (Stay) -> Bool) -> [Change] {
        let over = stays.filter(isOver)
        guard !over.isEmpty else { return [] }
        stays.removeAll(where: isOver)
        if stays.isEmpty { isSteady = false }
        return over.map { Change.left($0) }
    }
}
