/// The byte of the major that holds the battery's level.
public enum BatteryByte: String, Hashable, Sendable, CaseIterable {
    case high
    case low
}

/// Removes the battery's level from the major of beacons that send it there. So the major stays the
/// same while the battery runs down. Flair 4.1.2 and 4.3 leave the layout open; here one byte is
/// the percentage and the other the major.
public struct BatteryInMajor: BeaconTransformer {
    public let byte: BatteryByte

    public init(byte: BatteryByte) { self.byte = byte }

    /// A byte above 100 is no percentage; then the battery's level is unknown.
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
