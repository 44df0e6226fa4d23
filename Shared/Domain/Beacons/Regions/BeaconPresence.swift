public import Events

/// A device entered or left a group of beacons.
public struct BeaconGroupChange: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case entered
        case left
    }

    public var group: BeaconGroupIndex
    public var kind: Kind
    /// The time at which the first beacon was received, or at which the last one had been silent
    /// for long enough.
    public var at: Timestamp

    public init(group: BeaconGroupIndex, kind: Kind, at: Timestamp) {
        self.group = group
        self.kind = kind
        self.at = at
    }
}

/// The groups of beacons that one device is in (Flair 4.4.1). It enters a group with the first
/// enabled beacon received. It leaves the group when no beacon was received for some time.
public struct BeaconPresence: Sendable {
    /// The default is long, because beacons send every 0.1 to 1 s (visitor guide 2.5.1) and distant
    /// ones are missed now and then.
    public static let usualLeaveAfter = Duration.seconds(10)

    public let map: BeaconMap
    public let leaveAfter: Duration
    /// For each group that the device is in, the last time at which one of its beacons was
    /// received.
    var lastHeard: [BeaconGroupIndex: Timestamp] = [:]
    private var now: Timestamp?

    public init(map: BeaconMap, leaveAfter: Duration = usualLeaveAfter) {
        precondition(leaveAfter > .zero)
        self.map = map
        self.leaveAfter = leaveAfter
    }

    /// The groups that the device is in, in the order of the map.
    public var groups: [BeaconGroupIndex] { lastHeard.keys.sorted() }

    /// Applies one scan, or the passing of time with no beacons, and returns the changes. A scan
    /// older than the one before is ignored, because its changes were reported already.
    public mutating func hear(_ beacons: [RangedBeacon], at: Timestamp) -> [BeaconGroupChange] {
        guard at >= now ?? at else { return [] }
        now = at
        var changes = leave(at: at)
        let heard = beacons.compactMap { map.beacon($0.identity) }
            .filter { map[$0].isEnabled }.map { map[$0].group }
        for group in Set(heard).sorted() {
            if lastHeard.updateValue(at, forKey: group) == nil {
                changes.append(BeaconGroupChange(group: group, kind: .entered, at: at))
            }
        }
        return changes
    }

    /// Leaves groups that have been silent for too long, earliest first.
    private mutating func leave(at: Timestamp) -> [BeaconGroupChange] {
        let microseconds = Int64(leaveAfter / .microseconds(1))
        var changes: [BeaconGroupChange] = []
        for (group, heard) in lastHeard where at - heard > microseconds {
            lastHeard[group] = nil
            // The time of leaving does not depend on when this is called.
            let left = heard.advanced(byMicroseconds: microseconds)
            changes.append(BeaconGroupChange(group: group, kind: .left, at: left))
        }
        return changes.sorted { ($0.at, $0.group) < ($1.at, $1.group) }
    }
}
