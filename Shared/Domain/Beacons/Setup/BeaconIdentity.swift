public import Events

/// The identity that an iBeacon sends: the UUID of its region, and two numbers within the region.
public struct BeaconIdentity: Hashable, Sendable {
    public var uuid: EventID
    public var major: UInt16
    public var minor: UInt16

    public init(uuid: EventID, major: UInt16, minor: UInt16) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }
}

/// The numbers by which a document names a beacon; nil stands for any number.
struct BeaconName: Hashable {
    let major: UInt16?
    let minor: UInt16?
}
