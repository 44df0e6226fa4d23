public import Events

/// Decides the proximity of each beacon of a map to one device.
public struct ProximityDecision: Sendable {
    /// After this time without a reading, the earlier decision about a beacon no longer counts.
    public static let usualForgetAfter = Duration.seconds(30)

    public let map: BeaconMap
    var memory: BeaconMemory<BeaconIndex, Proximity>

    public init(map: BeaconMap, forgetAfter: Duration = usualForgetAfter) {
        self.map = map
        memory = BeaconMemory(forgetAfter: forgetAfter)
    }

    /// Nil for a beacon that is not in the map or is disabled.
    public mutating func decide(_ beacon: RangedBeacon) -> Proximity? {
        guard let index = map.beacon(beacon.identity), map[index].isEnabled else { return nil }
        let proximity = Proximity.decided(
            after: memory.value(of: index, now: beacon.at),
            attenuationDecibels: beacon.attenuationDecibels, map[index].proximity)
        memory.keep(proximity, of: index, at: beacon.at)
        return proximity
    }

    /// The last decision; nil where the beacon was silent for too long.
    public func proximity(of beacon: BeaconIndex, now: Timestamp) -> Proximity? {
        memory.value(of: beacon, now: now)
    }
}
