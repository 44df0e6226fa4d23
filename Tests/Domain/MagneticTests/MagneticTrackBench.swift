import Events
import Geometry
import Glibc
import Magnetic
import Positioning
import SeededRandomness
import Site
import Testing

@testable import Simulation

/// Walkers in the corridors of a simulated storey, whose telephones measure the field of its steel.
/// Only a few access points are on, so that Wi-Fi alone leaves room for improvement.
struct MagneticTrackBench {
    private static let scanMilliseconds = 4_000
    private static let accessPointStride = 5
    private let building: SimulatedBuilding
    private let map: RadioMap
    private let site: SiteIndex
    private let seed: Int
    private let field: SimulatedField
    private let lines: [[Point]]
    let routes: [MatchableRoute]

    /// Errors in metres of scans after the first ten seconds of each walk.
    struct Errors {
        var radioOnly: [Double] = []
        var withField: [Double] = []
        static func mean(_ errors: [Double]) -> Double {
            errors.reduce(0, +) / Double(max(1, errors.count))
        }
    }

    init(seed: Int) throws {
        self.seed = seed
        building = SimulatedBuilding.make(seed: UInt64(seed))
        let site = try SiteIndex(building.document)
        self.site = site
        let survey = SimulatedSurvey(
            of: building, seed: UInt64(seed) + 1, start: Timestamp(milliseconds: 1_780_000_000_000))
        let kept = survey.enumerated().filter { $0.offset % 8 == 0 }.map { _, survey in
            var survey = survey
            survey.scan.wifi = Self.heard(survey.scan.wifi)
            return survey
        }
        map = RadioMapBuilder.build(kept, site: site).map
        field = SimulatedField(seed: seed, width: 55, depth: 55)
        lines = building.document.rooms.filter {
            $0.kind == "corridor" && $0.floor == SimulatedBuilding.floor(0)
        }.map { Self.middle(of: $0) }
        routes = try Self.routes(lines, field, seed: seed)
    }

    private static func heard(_ readings: [WiFiReading]) -> [WiFiReading] {
        readings.filter { Int($0.bssid.value) % accessPointStride == 0 }
    }

    /// The line along the middle of a corridor.
    static func middle(of room: RoomRecord) -> [Point] {
        let (xs, ys) = (room.outline.corners.map(\.x), room.outline.corners.map(\.y))
        let (x, y) = ((xs.min()!, xs.max()!), (ys.min()!, ys.max()!))
        let centre = Point(x: (x.0 + x.1) / 2, y: (y.0 + y.1) / 2)
        return x.1 - x.0 > y.1 - y.0
            ? [Point(x: x.0, y: centre.y), Point(x: x.1, y: centre.y)]
            : [Point(x: centre.x, y: y.0), Point(x: centre.x, y: y.1)]
    }

    /// The routes, each recorded once and validated on the way back.
    static func routes(
        _ lines: [[Point]], _ field: SimulatedField, seed: Int
    ) throws -> [MatchableRoute] {
        let (site, now) = (SiteID("simulated"), Timestamp(milliseconds: 1_789_000_000_000))
        var table = MagneticRouteTable(site: site)
        for (number, line) in lines.enumerated() {
            func walk(backward: Bool) -> MagneticWalk {
                var walker = SimulatedWalker()
                walker.paces = 1.0...1.4
                let (moments, steps) = walker.walk(
                    line, backward: backward, through: field,
                    seed: seed * 1_000 + number * 2 + (backward ? 1 : 0))
                return MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps)
            }
            var state = MagneticRouteState(site: site, route: MagneticRouteID("route-\(number)"))
            let recorded = try #require(
                try state.record(
                    floor: SimulatedBuilding.floor(0),
                    polyline: line.map { MagneticRoutePoint(x: $0.x, y: $0.y) },
                    walk: walk(backward: false), at: now))
            state.evolve(recorded)
            table.evolve(recorded)
            table.evolve(try #require(try state.validate(by: walk(backward: true), at: now)))
        }
        return table.routes
    }

    /// Locates walkers there and back, once with their radio alone and once with the field as well.
    func errors(walks: Int, hasSteps: Bool = true, through felt: SimulatedField? = nil) -> Errors {
        let track = Track(over: NearestNeighbours()).prepare(map, site: site)
        let follower = MagneticFollower(routes)
        var errors = Errors()
        for walk in 0..<walks {
            for line in lines.indices {
                follow(
                    scans(walk * lines.count + line, lines[line], hasSteps, felt ?? field),
                    track, follower, &errors)
            }
        }
        return errors
    }

    private func follow(
        _ scans: [(scan: ScanRecorded, place: Point)], _ track: any PreparedPositioner,
        _ follower: MagneticFollower, _ errors: inout Errors
    ) {
        var scratch = PositionerScratch()
        var (alone, both) = (PositionerState.empty, PositionerState.empty)
        var following = PositionerState.empty
        for (number, (scan, place)) in scans.enumerated() {
            var radio = RadioScan(scan)
            let before = track.locate(radio, state: alone, seed: 0, scratch: &scratch)
            alone = before.state
            (radio.evidence, following) = follower.follow(scan, state: following)
            let after = track.locate(radio, state: both, seed: 0, scratch: &scratch)
            both = after.state
            guard number > 2, let first = before.estimate.place, let second = after.estimate.place
            else { continue }
            errors.radioOnly.append(first.point.distance(to: place))
            errors.withField.append(second.point.distance(to: place))
        }
    }

    /// Scans every four seconds, each with the field measured since the previous one.
    func scans(
        _ number: Int, _ line: [Point], _ hasSteps: Bool, _ felt: SimulatedField
    ) -> [(scan: ScanRecorded, place: Point)] {
        var walker = SimulatedWalker()
        walker.periodMilliseconds = 100
        walker.stops = 0.05
        let (moments, steps) = walker.walk(
            [line[0], line[1], line[0]], through: felt, seed: seed * 10_000 + number)
        var random = SimulationRandom(seed: UInt64(seed), part: 50_000 + UInt64(number))
        var receiver = SimulatedReceiver(noiseSigma: 6, random: &random)
        var scans: [(scan: ScanRecorded, place: Point)] = []
        var (first, before) = (0, moments[0].sample.atMilliseconds - 1)
        for (index, moment) in moments.enumerated() {
            let at = moment.sample.atMilliseconds
            guard at - before > Self.scanMilliseconds else { continue }
            let time = Timestamp(milliseconds: 1_790_000_000_000 + Int64(at))
            let wifi = receiver.scan(
                at: PlacedDevice(
                    x: moment.place.x, y: moment.place.y, z: RadioModel.deviceHeightMetres,
                    heading: 0), seconds: Double(at) / 1_000, in: building, random: &random)
            let made = steps.filter { $0 > before && $0 <= at }
            scans.append(
                (
                    ScanRecorded(
                        id: EventID(high: 0, low: UInt64(at)), site: building.site,
                        device: DeviceID("walker"), scanner: ScannerID("walker"), at: time,
                        receivedAt: time, wifi: Self.heard(wifi),
                        steps: hasSteps ? made.count : nil,
                        magneticSamples: moments[first...index].map(\.sample),
                        stepsAtMilliseconds: hasSteps ? made : []), moment.place
                ))
            (first, before) = (index + 1, at)
        }
        return scans
    }
}
