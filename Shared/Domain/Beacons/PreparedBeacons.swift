import Events
import Geometry
import Glibc
public import Positioning
import Site

/// Beacons on a site, ready to locate.
public struct PreparedBeacons: PreparedPositioner, SelectivePositioner {
    private let map: BeaconMap
    private let documentHash: UInt64
    private let settings: BeaconsPositioner.Settings
    private let site: SiteIndex
    private let positioning: any BeaconPositioning
    private let constraints: [EventID: ConstraintFilter]
    private let region: RegionFilter

    init(
        map: BeaconMap, documentHash: UInt64, settings: BeaconsPositioner.Settings, site: SiteIndex
    ) {
        self.map = map
        self.documentHash = documentHash
        self.settings = settings
        self.site = site
        positioning =
            switch settings.method {
            case .average: AveragePositioning(beacons: settings.beacons)
            case .weightedAverage: WeightedAveragePositioning(beacons: settings.beacons)
            case .countDivided: CountDividedAveragePositioning(beacons: settings.beacons)
            case .linear: LinearPositioning(map: map)
            case .combined: CombinedPositioning(map: map, beacons: settings.beacons)
            }
        constraints = Dictionary(
            uniqueKeysWithValues: map.uuids.map {
                ($0, ConstraintFilter(uuid: $0, majors: settings.majors, minors: settings.minors))
            })
        region = RegionFilter(map: map)
    }

    public func locate(
        _ scan: RadioScan, state: PositionerState, seed: UInt64, scratch: inout PositionerScratch
    ) -> (estimate: Estimate, state: PositionerState) {
        let (hearing, after) = hear(scan, state: state)
        return (estimate(hearing), after)
    }

    /// Processes the beacons of a scan.
    public func hear(
        _ scan: RadioScan, state: PositionerState
    ) -> (hearing: BeaconHearing, state: PositionerState) {
        var memory =
            BeaconState(state.bytes, map: map, documentHash: documentHash, settings)
            ?? BeaconState(map: map, settings)
        let admitted = scan.bluetooth.compactMap { reading -> RangedBeacon? in
            RangedBeacon(reading, at: scan.at, pathLoss: map.pathLoss).flatMap(admit)
        }
        let changes = memory.presence.hear(admitted, at: scan.at)
        var heard: [BeaconIndex: BeaconHearing.Heard] = [:]
        var smoothed: [RangedBeacon] = []
        for beacon in admitted {
            let smooth = memory.smooth(beacon)
            guard let index = map.beacon(smooth.identity),
                let proximity = memory.proximity.decide(smooth)
            else { continue }
            if smooth.distanceMetres <= map[index].farthestMetres ?? .infinity {
                smoothed.append(smooth)
            }
            // If a beacon has several readings, the least distance counts, as it does for the
            // position.
            let known = heard[index]?.distanceMetres ?? .infinity
            heard[index] = BeaconHearing.Heard(
                identity: smooth.identity, beacon: index, name: map[index].record.name,
                group: map.groups[map[index].group.value].id,
                distanceMetres: min(known, smooth.distanceMetres), proximity: proximity,
                batteryPercent: smooth.batteryPercent)
        }
        let farthest = settings.farthestMetres.map { DistanceFilter(farthestMetres: $0) }
        let found = map.sightings(of: smoothed.filter { farthest?.admits($0) ?? true })
            .onFloor(of: map)
        let hearing = BeaconHearing(
            heard: heard.values.sorted {
                ($0.distanceMetres, $0.beacon) < ($1.distanceMetres, $1.beacon)
            },
            groups: memory.presence.groups.map { map.groups[$0.value].id }
                .filter { !$0.text.isEmpty },
            changes: changes.map {
                BeaconHearing.Change(group: map.groups[$0.group.value].id, kind: $0.kind, at: $0.at)
            }.filter { !$0.group.text.isEmpty }, floor: found?.floor,
            position: found.flatMap { positioning.position(of: $0.sightings) })
        return (
            hearing, PositionerState(bytes: memory.bytes(documentHash: documentHash, now: scan.at))
        )
    }

    /// Whether the beacon is in the map and enabled, and no constraint excludes it.
    public func uses(_ transmitter: Transmitter) -> Bool {
        guard case .beacon(let uuid, let major, let minor) = transmitter else { return false }
        let beacon = RangedBeacon(
            identity: BeaconIdentity(uuid: uuid, major: major, minor: minor),
            at: Timestamp(microseconds: 0), rssi: 0, powerAtOneMetre: 0, distanceMetres: 0)
        // The battery may be removed already.
        return index(of: beacon) != nil || admit(beacon) != nil
    }

    /// The beacon's index, if it is in the map and enabled, and no constraint excludes it.
    private func index(of beacon: RangedBeacon) -> BeaconIndex? {
        guard region.admits(beacon), constraints[beacon.identity.uuid]?.admits(beacon) == true
        else { return nil }
        return map.beacon(beacon.identity)
    }

    /// The beacon without its battery if it is in the map, otherwise nil. Beacons outside of the
    /// map are not remembered, because a sender can make up any number of them.
    private func admit(_ beacon: RangedBeacon) -> RangedBeacon? {
        var beacon = map.batteries[beacon.identity.uuid]?.transform(beacon) ?? beacon
        guard let index = index(of: beacon) else { return nil }
        if let power = map[index].powerAtOneMetre {
            beacon.powerAtOneMetre = power
            beacon.distanceMetres = map.pathLoss.distanceMetres(
                attenuationDecibels: beacon.attenuationDecibels)
        }
        return beacon
    }

    // MARK: The estimate

    /// The estimate for the report's circle or bar, which counts as the radius of 95 %.
    private func estimate(_ hearing: BeaconHearing) -> Estimate {
        guard let position = hearing.position, let floor = hearing.floor,
            let index = site.floorIndex(floor)
        else { return .lost }
        let extent =
            switch position.extent {
            case .circle(let radius): radius
            case .bar(let from, let to):
                max(position.centre.distance(to: from), position.centre.distance(to: to))
            }
        let radius95 = min(Self.largestRadius, max(Self.leastRadius, extent))
        let radius68 = radius95 * Self.radius68Share
        let point = position.centre
        let room = site.room(at: point, on: index).map { site.room($0).id }
        let place = Estimate.Place(
            floor: floor, point: point, room: room,
            covariance: Self.covariance(of: position.extent, radius95: radius95),
            radius68: radius68, radius95: radius95)
        let isSure = hearing.heard.count > 1 || hearing.heard.first?.proximity == .near
        return Estimate(
            state: isSure ? .located : .uncertain, place: place,
            rooms: rooms(point, radius95 / Self.radius95PerDeviation, index))
    }

    /// A circle is as wide as long. A bar is long along its line, and across it as narrow as the
    /// least radius.
    static func covariance(
        of extent: BeaconPosition.Extent, radius95: Double
    ) -> Estimate.Covariance {
        guard case .bar(let from, let to) = extent,
            let line = DirectedLine(from: from, to: to), radius95 > leastRadius
        else { return .round(radius68: radius95 * radius68Share) }
        let along = radius95 / line95PerDeviation
        let across = min(along, leastRadius / radius95PerDeviation)
        let (x, y) = (line.direction.x, line.direction.y)
        let (long, short) = (along * along, across * across)
        return Estimate.Covariance(
            xx: long * x * x + short * y * y, xy: (long - short) * x * y,
            yy: long * y * y + short * x * x)
    }

    /// The limits of the radius in metres. Nobody stays nearer to the estimated point, and no
    /// beacon is received from farther away.
    private static let leastRadius = 1.0
    private static let largestRadius = 200.0
    /// Quantiles of the Rayleigh distribution.
    private static let radius95PerDeviation = 2.4477
    private static let radius68Share = 1.5096 / 2.4477
    /// The quantile of the normal distribution within which 95 % lie.
    private static let line95PerDeviation = 1.96

    /// The share of each room in a normal distribution around the point, measured at 64 points of
    /// equal probability.
    private func rooms(
        _ point: Point, _ deviation: Double, _ floor: FloorIndex
    ) -> [PositionEstimated.RoomProbability] {
        var counts: [RoomID: Int] = [:]
        for ring in 0..<8 {
            let share = (Double(ring) + 0.5) / 8
            let distance = deviation * (-2 * log(1 - share)).squareRoot()
            for turn in 0..<8 {
                // Each ring is turned against the others, so that a wall does not meet all rings
                // alike.
                let angle = (Double(turn) + Double(ring) / 8) * .pi / 4
                let place = Point(
                    x: point.x + distance * cos(angle), y: point.y + distance * sin(angle))
                if let room = site.room(at: place, on: floor) {
                    counts[site.room(room).id, default: 0] += 1
                }
            }
        }
        return counts.map { .init(id: $0.key, probability: Double($0.value) / 64) }
            .sorted { ($1.probability, $0.id) < ($0.probability, $1.id) }
    }
}
