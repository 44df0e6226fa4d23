public import Events

/// The groups of beacons that one device is in, whatever its positioner (Flair 4.4.1). It enters a
/// group with the first scan that received an enabled beacon of it. It leaves when no scan received
/// one for some time.
///
/// Only the scans' own time counts. So it makes no difference whether the next scan or the passing
/// of time ends a stay.
public struct DeviceGroups: Hashable, Sendable {
    /// The most groups at once. A device in so many enters no other one, so that the stored state
    /// stays small. Few places receive beacons of as many groups within seconds.
    public static let maximumStays = 32

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
    }

    public enum Change: Hashable, Sendable {
        case entered(Stay)
        case left(Stay)
    }

    /// In the order of entering.
    public private(set) var stays: [Stay]

    public init(stays: [Stay] = []) { self.stays = stays }

    /// Applies a scan, which must be neither late nor older than the previous one.
    ///
    /// - Parameters:
    ///   - at: the time at which the scan was made.
    ///   - floors: the groups of the received beacons, each with a floor.
    ///   - silence: the time without any beacon of a group after which the device has left it.
    public mutating func evolve(
        at: Timestamp, _ floors: [BeaconGroupID: FloorID], silence: Duration
    ) -> [Change] {
        var changes = leave { at > $0.lastHeard.advanced(by: silence) }
        for index in stays.indices where floors[stays[index].group] != nil {
            stays[index].lastHeard = at
        }
        let entering = floors.filter { entry in !stays.contains { $0.group == entry.key } }
            .sorted { $0.key < $1.key }
        for (group, floor) in entering.prefix(max(0, Self.maximumStays - stays.count)) {
            let stay = Stay(group: group, floor: floor, entered: at, lastHeard: at)
            stays.append(stay)
            changes.append(.entered(stay))
        }
        return changes
    }

    /// Leaves the groups that no later scan can prolong: `DeviceVisits.deadline` has the reason for
    /// the two margins.
    ///
    /// - Parameter lateAfter: the age from which on a scan that arrives is late.
    public mutating func leave(
        timePassedTo now: Timestamp, silence: Duration, lateAfter: Duration
    ) -> [Change] {
        let margin = silence + lateAfter + DeviceVisits.appendMargin
        return leave { now > $0.lastHeard.advanced(by: margin) }
    }

    private mutating func leave(_ isOver: (Stay) -> Bool) -> [Change] {
        let over = stays.filter(isOver)
        guard !over.isEmpty else { return [] }
        stays.removeAll(where: isOver)
        return over.map { Change.left($0) }
    }
}
