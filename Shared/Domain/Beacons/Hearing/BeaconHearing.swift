public import Events

/// What one scan says of the beacons of a map, after what was remembered of the device.
public struct BeaconHearing: Sendable {
    /// A beacon of the map that was heard.
    public struct Heard: Hashable, Sendable {
        public var identity: BeaconIdentity
        public var beacon: BeaconIndex
        public var name: String?
        public var group: BeaconGroupID
        /// Smoothed, metres; a rough figure: see `Proximity`.
        public var distanceMetres: Double
        public var proximity: Proximity
        public var batteryPercent: Int?
    }

    /// A group that was entered or left since the scan before.
    public struct Change: Hashable, Sendable {
        public var group: BeaconGroupID
        public var kind: BeaconGroupChange.Kind
        public var at: Timestamp
    }

    /// Nearest first.
    public var heard: [Heard]
    /// That the device is in now, in the order of the map.
    public var groups: [BeaconGroupID]
    public var changes: [Change]
    /// Nil where no enabled beacon was heard.
    public var position: BeaconPosition?
}
