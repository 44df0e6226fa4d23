public import Site

/// Removes the battery's level from the major of beacons that send it there. So the major stays the
/// same while the battery runs down. `BatteryByte` has the layout.
public struct BatteryInMajor: BeaconTransformer {
    public let byte: BatteryByte

    public init(byte: BatteryByte) { self.byte = byte }

    public func transform(_ beacon: RangedBeacon) -> RangedBeacon {
        let (major, percent) = byte.split(beacon.identity.major)
        var beacon = beacon
        beacon.identity.major = major
        beacon.batteryPercent = percent
        return beacon
    }
}
