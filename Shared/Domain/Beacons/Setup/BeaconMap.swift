import Events
public import Geometry

/// The index of a beacon in `BeaconMap.beacons`.
public struct BeaconIndex: Hashable, Sendable, Comparable {
    public let value: Int
    public init(_ value: Int) { self.value = value }
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// The index of a group in `BeaconMap.groups`.
public struct BeaconGroupIndex: Hashable, Sendable, Comparable {
    public let value: Int
    public init(_ value: Int) { self.value = value }
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// A beacon with its place in the site.
public struct MapBeacon: Hashable, Sendable {
    public let record: BeaconRecord
    public let group: BeaconGroupIndex
    /// Metres in the site's frame.
    public let point: Point
    /// Also false where its group is disabled.
    public let isEnabled: Bool
    public let proximity: ProximityThresholds
}

/// The beacons of a valid document, indexed for lookups.
public struct BeaconMap: Sendable {
    public let document: BeaconDocument
    public let beacons: [MapBeacon]
    public var groups: [BeaconGroupRecord] { document.groups }
    private let beaconByName: [BeaconName: BeaconIndex]
    /// The range of each group's beacons, which lie side by side.
    private let rangeByGroup: [Range<Int>]

    /// Throws the faults of a document that is not valid.
    public init(_ document: BeaconDocument) throws(BeaconFaults) {
        let faults = BeaconValidation.faults(in: document)
        guard faults.isEmpty else { throw BeaconFaults(faults) }
        var beacons: [MapBeacon] = []
        var ranges: [Range<Int>] = []
        var byName: [BeaconName: BeaconIndex] = [:]
        for (index, group) in document.groups.enumerated() {
            let start = beacons.count
            for record in group.beacons {
                let name = BeaconName(major: record.major, minor: record.minor)
                byName[name] = BeaconIndex(beacons.count)
                beacons.append(
                    MapBeacon(
                        record: record, group: BeaconGroupIndex(index),
                        point: document.map.point(record.place),
                        isEnabled: group.isEnabled && record.isEnabled,
                        proximity: record.proximity ?? document.proximity))
            }
            ranges.append(start..<beacons.count)
        }
        self.document = document
        self.beacons = beacons
        self.rangeByGroup = ranges
        self.beaconByName = byName
    }

    public subscript(index: BeaconIndex) -> MapBeacon { beacons[index.value] }

    /// The beacons of a group in their order.
    public func beacons(of group: BeaconGroupIndex) -> [BeaconIndex] {
        rangeByGroup[group.value].map { BeaconIndex($0) }
    }

    /// The beacon with this identity, also if it is disabled; nil when it is not in the map. If
    /// several records fit, the most specific one is used: with both numbers, with a minor, with a
    /// major, with neither.
    public func beacon(_ identity: BeaconIdentity) -> BeaconIndex? {
        guard identity.uuid == document.uuid else { return nil }
        return beaconByName[BeaconName(major: identity.major, minor: identity.minor)]
            ?? beaconByName[BeaconName(major: nil, minor: identity.minor)]
            ?? beaconByName[BeaconName(major: identity.major, minor: nil)]
            ?? beaconByName[BeaconName(major: nil, minor: nil)]
    }

    /// The enabled beacons among those received, nearest first. The least distance of several
    /// readings counts. Equal distances are in the order of the map.
    public func sightings(of heard: [RangedBeacon]) -> [BeaconSighting] {
        var nearest: [BeaconIndex: Double] = [:]
        for ranged in heard {
            guard let index = beacon(ranged.identity), self[index].isEnabled else { continue }
            nearest[index] = min(nearest[index] ?? .infinity, ranged.distanceMetres)
        }
        return nearest.map { index, distance in
            BeaconSighting(beacon: index, point: self[index].point, distanceMetres: distance)
        }.sorted()
    }
}

extension BeaconMapRecord {
    /// Converts a place on the map to the site's frame, in metres.
    func point(_ place: BeaconPlace) -> Point {
        let (x, y) =
            switch place {
            case .relative(let x, let y): (x * width, y * height)
            case .absolute(let x, let y): (x, y)
            }
        let metres = y / unitsPerMetre
        return Point(
            x: originX + x / unitsPerMetre,
            y: verticalAxis == .up ? originY + metres : originY - metres)
    }
}
