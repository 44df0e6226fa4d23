public import Events

/// Says which beacons are of interest.
public protocol BeaconFilter: Sendable {
    func admits(_ beacon: RangedBeacon) -> Bool
}

/// Beacons of the map's region; not those that are disabled, alone or with their group (Flair 4.3).
/// One that the map does not have passes: it may be new.
public struct RegionFilter: BeaconFilter {
    public let map: BeaconMap

    public init(map: BeaconMap) { self.map = map }

    public func admits(_ beacon: RangedBeacon) -> Bool {
        guard beacon.identity.uuid == map.document.uuid else { return false }
        guard let index = map.beacon(beacon.identity) else { return true }
        return map[index].isEnabled
    }
}

/// Beacons with one of some majors, one of some minors, or both (Flair 4.1.1). Nil lets any pass.
public struct ConstraintFilter: BeaconFilter {
    public let uuid: EventID
    public let majors: Set<UInt16>?
    public let minors: Set<UInt16>?

    public init(uuid: EventID, majors: Set<UInt16>? = nil, minors: Set<UInt16>? = nil) {
        self.uuid = uuid
        self.majors = majors
        self.minors = minors
    }

    public func admits(_ beacon: RangedBeacon) -> Bool {
        beacon.identity.uuid == uuid
            && majors?.contains(beacon.identity.major) != false
            && minors?.contains(beacon.identity.minor) != false
    }
}

/// Beacons that seem no farther than this. One at the edge comes and goes with the noise (Flair
/// 4.3): smooth first.
public struct DistanceFilter: BeaconFilter {
    public let farthestMetres: Double

    public init(farthestMetres: Double) { self.farthestMetres = farthestMetres }

    public func admits(_ beacon: RangedBeacon) -> Bool { beacon.distanceMetres <= farthestMetres }
}
