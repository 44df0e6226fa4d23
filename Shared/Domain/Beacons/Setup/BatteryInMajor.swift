/// Which byte of the major holds the battery.
public enum BatteryByte: String, Hashable, Sendable, CaseIterable {
    case high
    case low
}

/// Takes the battery out of the major of beacons that send it there, so that the major stays the
/// same while the battery runs down (Flair 4.1.2 and 4.3, which leave the layout open: here one
/// byte is the percentage and the other the major).
public struct BatteryInMajor: BeaconTransformer {
    public let byte: BatteryByte

    public init(byte: BatteryByte) { self.byte = byte }

    /// A byte above 100 is no percentage; the battery is then not known.
    public func transform(_ beacon: RangedBeacon) -> RangedBeacon {
        let sent = beacon.identity.major
        let (battery, major) =
            switch byte {
            case .high: (sent >> 8, sent & 0xFF)
            case .low: (sent & 0xFF, sent >> 8)
            }
        var beacon = beacon
        beacon.identity.major = major
        beacon.batteryPercent = battery <= 100 ? Int(battery) : nil
        return beacon
    }
}
