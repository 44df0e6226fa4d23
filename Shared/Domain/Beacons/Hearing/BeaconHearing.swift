public import Events
import Site

/// The beacons of a map in one scan, smoothed with the device's earlier scans.
public struct BeaconHearing: Sendable {
    /// A beacon of the map that was received.
    public struct Heard: Hashable, Sendable {
        public var identity: BeaconIdentity
        public var beacon: BeaconIndex
        public var name: String?
        public var group: BeaconGroupID
        /// The smoothed distance in metres, a rough figure (see `Proximity`).
        public var distanceMetres: Double
        public var proximity: Proximity
        public var batteryPercent: Int?
    }

    /// A group that the device entered or left since the previous scan.
    public struct Change: Hashable, Sendable {
        public var group: BeaconGroupID
        public var kind: BeaconGroupChange.Kind
        public var at: Timestamp
    }

    /// The received beacons, nearest first.
    public var heard: [Heard]
    /// The groups that the device is in now, in the order of the map.
    public var groups: [BeaconGroupID]
    public var changes: [Change]
    /// The floor of the beacons that give the position.
    public var floor: FloorID?
    /// Nil where no enabled beacon was received.
    public var position: BeaconPosition?
}
