public import Events
public import Geometry
public import Site

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
    public let uuid: EventID
    /// Nil for a document that names no floor.
    public let floor: FloorID?
    public let group: BeaconGroupIndex
    /// Metres in the site's frame.
    public let point: Point
    /// Also false where its group is disabled.
    public let isEnabled: Bool
    public let proximity: ProximityThresholds
    /// The power at one metre in dBm, where it is stated. It counts before what the beacon sends.
    public let powerAtOneMetre: Double?
    /// The distance from which on it is ignored, in metres.
    public let farthestMetres: Double?
}

/// The beacons of a valid document, or of a site, indexed for lookups.
public struct BeaconMap: Sendable {
    public let beacons: [MapBeacon]
    /// The groups of the document. A site's beacon without a group has one of its own, without an
    /// id.
    public let groups: [BeaconGroupRecord]
    public let pathLoss: PathLoss
    /// The UUIDs of the beacons, each once, in the order of the beacons.
    public let uuids: [EventID]
    /// The index of each of them.
    let numberByUUID: [EventID: Int]
    /// Whether the floors of the beacons are stated; false for a document that names no floor.
    let hasFloors: Bool
    /// Takes the battery out of the majors of each UUID that has it there.
    let batteries: [EventID: BatteryInMajor]
    private let beaconByName: [EventID: [BeaconName: BeaconIndex]]
    /// The range of each group's beacons, which lie side by side.
    private let rangeByGroup: [Range<Int>]

    /// Throws the faults of a document that is not valid.
    public init(_ document: BeaconDocument) throws(BeaconFaults) {
        let faults = BeaconValidation.faults(in: document)
        guard faults.isEmpty else { throw BeaconFaults(faults) }
        var beacons: [MapBeacon] = []
        for (index, group) in document.groups.enumerated() {
            for record in group.beacons {
                beacons.append(
                    MapBeacon(
                        record: record, uuid: document.uuid, floor: document.floor,
                        group: BeaconGroupIndex(index), point: document.map.point(record.place),
                        isEnabled: group.isEnabled && record.isEnabled,
                        proximity: record.proximity ?? document.proximity, powerAtOneMetre: nil,
                        farthestMetres: nil))
            }
        }
        let battery = document.batteryByte.map { [document.uuid: BatteryInMajor(byte: $0)] }
        self.init(
            beacons, document.groups, document.pathLoss, uuids: [document.uuid],
            hasFloors: document.floor != nil, batteries: battery ?? [:])
    }

    /// The beacons of a site's records that have a UUID, on all floors; at most the first
    /// `BeaconLimits.siteBeacons`.
    public init(_ site: SiteDocument) {
        var beacons: [MapBeacon] = []
        var groups: [BeaconGroupRecord] = []
        var uuids: [EventID] = []
        var known: Set<EventID> = []
        var batteries: [EventID: BatteryInMajor] = [:]
        let used = site.beacons.filter { $0.uuid != nil }.prefix(BeaconLimits.siteBeacons)
        for members in Self.grouped(Array(used)) {
            let records = members.map { BeaconRecord($0) }
            for (member, record) in zip(members, records) {
                guard let uuid = member.uuid else { continue }
                if known.insert(uuid).inserted { uuids.append(uuid) }
                beacons.append(
                    MapBeacon(
                        record: record, uuid: uuid, floor: member.floor,
                        group: BeaconGroupIndex(groups.count), point: member.point,
                        isEnabled: !member.isDisabled,
                        proximity: ProximityThresholds(member.proximity),
                        powerAtOneMetre: member.txPower.map(Double.init),
                        farthestMetres: member.farthestMetres))
            }
            groups.append(
                BeaconGroupRecord(
                    id: members[0].group ?? BeaconGroupID(""),
                    isRing: members.count > 2 && members.contains { $0.closesRing },
                    beacons: records))
        }
        for beacon in site.beacons {
            guard let uuid = beacon.uuid, let byte = beacon.batteryByte, batteries[uuid] == nil
            else { continue }
            batteries[uuid] = BatteryInMajor(byte: byte)
        }
        self.init(
            beacons, groups, PathLoss(), uuids: uuids, hasFloors: true, batteries: batteries)
    }

    private init(
        _ beacons: [MapBeacon], _ groups: [BeaconGroupRecord], _ pathLoss: PathLoss,
        uuids: [EventID], hasFloors: Bool, batteries: [EventID: BatteryInMajor]
    ) {
        var byName: [EventID: [BeaconName: BeaconIndex]] = [:]
        for (index, beacon) in beacons.enumerated() {
            let name = BeaconName(major: beacon.record.major, minor: beacon.record.minor)
            // A site may name a beacon twice; then the first counts.
            if byName[beacon.uuid]?[name] == nil {
                byName[beacon.uuid, default: [:]][name] = BeaconIndex(index)
            }
        }
        var ranges: [Range<Int>] = []
        for group in groups {
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<start + group.beacons.count)
        }
        self.beacons = beacons
        self.groups = groups
        self.pathLoss = pathLoss
        self.uuids = uuids
        numberByUUID = Dictionary(uniqueKeysWithValues: uuids.enumerated().map { ($1, $0) })
        self.hasFloors = hasFloors
        self.batteries = batteries
        beaconByName = byName
        rangeByGroup = ranges
    }

    /// The beacons by their group, in their order along the way.
    private static func grouped(_ beacons: [SiteBeacon]) -> [[SiteBeacon]] {
        var groups: [[SiteBeacon]] = []
        var numbers: [BeaconGroupID: Int] = [:]
        for beacon in beacons {
            if let group = beacon.group, let number = numbers[group] {
                groups[number].append(beacon)
            } else {
                if let group = beacon.group { numbers[group] = groups.count }
                groups.append([beacon])
            }
        }
        return groups.map { members in
            members.sorted {
                ($0.orderInGroup ?? .max, $0.id) < ($1.orderInGroup ?? .max, $1.id)
            }
        }
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
        guard let byName = beaconByName[identity.uuid] else { return nil }
        return byName[BeaconName(major: identity.major, minor: identity.minor)]
            ?? byName[BeaconName(major: nil, minor: identity.minor)]
            ?? byName[BeaconName(major: identity.major, minor: nil)]
            ?? byName[BeaconName(major: nil, minor: nil)]
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

extension BeaconRecord {
    /// A site's beacon at its place in metres.
    init(_ beacon: SiteBeacon) {
        self.init(
            major: beacon.major.map { UInt16(clamping: $0) },
            minor: beacon.minor.map { UInt16(clamping: $0) }, name: beacon.name,
            isEnabled: !beacon.isDisabled,
            place: .absolute(x: beacon.point.x, y: beacon.point.y))
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
