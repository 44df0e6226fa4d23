public import Events

/// A group was entered or left.
public struct BeaconGroupChange: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case entered
        case left
    }

    public var group: BeaconGroupIndex
    public var kind: Kind
    /// When the first beacon was heard; when it was clear that none is heard any more.
    public var at: Timestamp

    public init(group: BeaconGroupIndex, kind: Kind, at: Timestamp) {
        self.group = group
        self.kind = kind
        self.at = at
    }
}

/// Which groups of beacons one device is in (Flair 4.4.1): it enters a group with the first enabled
/// beacon of it that is heard, and leaves it when none has been heard for some time.
public struct BeaconPresence: Sendable {
    /// Beacons send every 0.1 to 1 s (visitor guide 2.5.1) and far ones are missed now and then.
    public static let usualLeaveAfter = Duration.seconds(10)

    public let map: BeaconMap
    public let leaveAfter: Duration
    /// The groups that the device is in, each with the last moment at which it was heard.
    var lastHeard: [BeaconGroupIndex: Timestamp] = [:]
    private var now: Timestamp?

    public init(map: BeaconMap, leaveAfter: Duration = usualLeaveAfter) {
        precondition(leaveAfter > .zero)
        self.map = map
        self.leaveAfter = leaveAfter
    }

    /// The groups that the device is in, in the order of the map.
    public var groups: [BeaconGroupIndex] { lastHeard.keys.sorted() }

    /// What changes with one scan, or with the passing of time when nothing was heard. A scan
    /// earlier than one before it is passed over: what was told of that time stands.
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

    /// Leaves what has been silent for too long, earliest first.
    private mutating func leave(at: Timestamp) -> [BeaconGroupChange] {
        let microseconds = Int64(leaveAfter / .microseconds(1))
        var changes: [BeaconGroupChange] = []
        for (group, heard) in lastHeard where at - heard > microseconds {
            lastHeard[group] = nil
            // The moment does not depend on when someone asks.
            let left = heard.advanced(byMicroseconds: microseconds)
            changes.append(BeaconGroupChange(group: group, kind: .left, at: left))
        }
        return changes.sorted { ($0.at, $0.group) < ($1.at, $1.group) }
    }
}
