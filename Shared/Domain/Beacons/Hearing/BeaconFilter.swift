public import Events

/// Decides which beacons are used.
public protocol BeaconFilter: Sendable {
    func admits(_ beacon: RangedBeacon) -> Bool
}

/// Admits the beacons of the map's regions, except those that are disabled alone or with their
/// group (Flair 4.3). A beacon that is not in the map passes, because it may be new.
public struct RegionFilter: BeaconFilter {
    public let map: BeaconMap

    public init(map: BeaconMap) { self.map = map }

    public func admits(_ beacon: RangedBeacon) -> Bool {
        guard map.uuids.contains(beacon.identity.uuid) else { return false }
        guard let index = map.beacon(beacon.identity) else { return true }
        return map[index].isEnabled
    }
}

/// Admits beacons with one of some majors, one of some minors, or both (Flair 4.1.1). Nil admits
/// all.
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

/// Admits beacons up to this distance. A beacon at the limit would come and go with the noise, so
/// smooth distances first (Flair 4.3).
public struct DistanceFilter: BeaconFilter {
    public let farthestMetres: Double

    public init(farthestMetres: Double) { self.farthestMetres = farthestMetres }

    public func admits(_ beacon: RangedBeacon) -> Bool { beacon.distanceMetres <= farthestMetres }
}
