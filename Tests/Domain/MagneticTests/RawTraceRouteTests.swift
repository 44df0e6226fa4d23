import Devices
import Events
import Geometry
import Magnetic
import PublicData
import Testing

/// All pairs of raw traces of a floor that overlap: one trace records a route, the other walks it
/// again.
@Suite("Magnetic matching on real phones")
struct RawTraceRouteTests {
    /// A true place farther from the route than this is not on it, in metres.
    private static let onRouteMetres = 2.0
    /// Pairs that overlap by less than this many metres are left out.
    private static let leastMetres = 8.0
    /// Pairs with this many metres or more count for the bar of issue 16.
    private static let longMetres = 20.0
    /// The mall's city in degrees, roughly.
    private static let latitude = 30.0

    private struct Figures {
        var ticks = 0
        var along: [Double] = []
        var across: [Double] = []

        func share(_ part: Int) -> Double { along.sorted()[(along.count - 1) * part / 100] }
        var mean: Double { along.reduce(0, +) / Double(along.count) }
    }

    @Test("Each of two overlapping walks is followed on the other's route; figures are printed")
    func pairs() throws {
        guard let traces = try RawTrace.all() else { return }
        let pairs = try Self.overlapping(traces)
        let names = pairs.map { "\($0.recorded.name) \($0.walked.name)" }
        #expect(
            names == [
                "B1-5dda1497 B1-5dda149d", "B1-5dda149d B1-5dda1497", "F1-5dd9e7aa F1-5dd9e7ab",
                "F1-5dd9e7ab F1-5dd9e7aa", "F3-5dda057e F3-5dda057f", "F3-5dda057f F3-5dda057e",
            ])
        #expect(
            pairs.filter { $0.metres >= Self.longMetres }.allSatisfy { $0.recorded.floor == "F1" })
        print(
            "raw traces: route, walk, metres of it on the route, ticks on the route after ten "
                + "steps, median, mean and p95 along, mean across"
        )
        for (recorded, walked, metres) in pairs {
            let figures = try Self.follow(walked, on: recorded)
            #expect(!figures.along.isEmpty)
            guard !figures.along.isEmpty else { continue }
            let across = figures.across.reduce(0, +) / Double(figures.across.count)
            print(
                "   \(recorded.name) \(walked.name)", rounded(metres), figures.ticks,
                rounded(figures.share(50)), rounded(figures.mean), rounded(figures.share(95)),
                rounded(across))
        }
    }

    @Test("The gravity of real phones has the right sign, and its opposite is refused")
    func gravity() throws {
        guard let traces = try RawTrace.all() else { return }
        /// The fault of the gravity's sign, as of a route on this latitude.
        func fault(_ trace: RawTrace, _ walk: MagneticWalk) throws -> Double? {
            let state = MagneticRouteState(site: SiteID("mall"), route: MagneticRouteID("trace"))
            do throws(MagneticRouteRefusal) {
                _ = try state.record(
                    floor: FloorID(trace.floor),
                    polyline: trace.waypoints.map { MagneticRoutePoint(x: $0.x, y: $0.y) },
                    walk: walk, at: Timestamp(milliseconds: 0), latitude: Self.latitude)
                return nil
            } catch .unusable(.gravityAgainstEarth(let down, _)) {
                return down
            }
        }
        for trace in traces {
            var walk = trace.walk
            #expect(try fault(trace, walk) == nil, "\(trace.name)")
            for index in walk.samples.indices {
                walk.samples[index].gravity = walk.samples[index].gravity.map {
                    MagneticField(x: -$0.x, y: -$0.y, z: -$0.z)
                }
            }
            let down = try #require(try fault(trace, walk), "\(trace.name)")
            print("raw traces: mean field down in microtesla:", trace.name, rounded(-down))
        }
    }

    /// The ordered pairs whose walked line is near the recorded line, with the metres of it.
    private static func overlapping(
        _ traces: [RawTrace]
    ) throws -> [(recorded: RawTrace, walked: RawTrace, metres: Double)] {
        var pairs: [(recorded: RawTrace, walked: RawTrace, metres: Double)] = []
        for recorded in traces {
            let line = try Self.path(recorded)
            for walked in traces where walked.name != recorded.name {
                guard walked.floor == recorded.floor else { continue }
                let own = try Self.path(walked)
                let places = stride(from: 0, to: own.lengthMetres, by: 0.1)
                let near = places.count {
                    line.nearest(to: own.point(atArc: $0)).across <= onRouteMetres
                }
                guard Double(near) * 0.1 >= leastMetres else { continue }
                pairs.append((recorded, walked, Double(near) * 0.1))
            }
        }
        return pairs
    }

    private static func path(_ trace: RawTrace) throws -> MagneticPath {
        try MagneticPath(trace.waypoints.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
    }

    private static func follow(_ walked: RawTrace, on recorded: RawTrace) throws -> Figures {
        let path = try Self.path(recorded)
        let route = MatchableRoute(
            id: MagneticRouteID("recorded"), floor: FloorID(recorded.floor),
            profile: MagneticProfile(try CheckedWalk(recorded.walk, along: path), along: path))
        let ownPath = try Self.path(walked)
        var walk = walked.walk
        let truth = try CheckedWalk(walk, along: ownPath)
        var tracker = MagneticTracker(MagneticMatcher([route]))
        var figures = Figures()
        walk.passedAtMilliseconds = []
        _ = tracker.follow(walk) { tracker, sample in
            guard
                let place = truth.places.first(where: { $0.atMilliseconds == sample.atMilliseconds }
                ),
                place.walkedMetres > 10 * MagneticMatcher.usualStepMetres,
                let best = tracker.candidates().first
            else { return }
            let point = ownPath.point(atArc: place.walkedMetres)
            let passes = path.passes(by: point, within: onRouteMetres)
            guard
                let nearest = passes.min(by: {
                    abs($0.arc - best.arcMetres) < abs($1.arc - best.arcMetres)
                })
            else { return }
            figures.ticks += 1
            figures.along.append(abs(nearest.arc - best.arcMetres))
            figures.across.append(nearest.across)
        }
        return figures
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

extension RawTrace {
    /// The walk of a trace; gravity is the accelerometer's mean over the second around a sample.
    fileprivate var walk: MagneticWalk {
        var detector = StepDetector()
        let steps = accelerometer.flatMap { sample in
            detector.add(
                AccelerometerSample(
                    atMicroseconds: sample.atMilliseconds * 1_000, x: sample.x, y: sample.y,
                    z: sample.z))
        }
        let start = waypoints[0].atMilliseconds
        // Both sensors were read at the same times, fifty a second.
        let samples = magneticField.indices.map { index in
            let sample = magneticField[index]
            var gravity = MagneticField(x: 0, y: 0, z: 0)
            for near in accelerometer[max(0, index - 25)..<min(accelerometer.count, index + 25)] {
                // At rest an accelerometer measures the force that holds the phone up.
                gravity.x -= near.x
                gravity.y -= near.y
                gravity.z -= near.z
            }
            return MagneticSample(
                atMilliseconds: Int(sample.atMilliseconds - start),
                field: MagneticField(x: sample.x, y: sample.y, z: sample.z), gravity: gravity)
        }
        // The first waypoint was tapped before the first sample, and the last one after the last
        // sample.
        let passages = waypoints.map { waypoint in
            min(
                max(Int(waypoint.atMilliseconds - start), samples[0].atMilliseconds),
                samples[samples.count - 1].atMilliseconds)
        }
        return MagneticWalk(
            samples: samples, passedAtMilliseconds: passages,
            stepsAtMilliseconds: steps.map { Int($0 / 1_000 - start) })
    }
}

extension MagneticPath {
    /// The places where a line that crosses itself passes a point: the nearest place of each pass.
    fileprivate func passes(by point: Point, within metres: Double) -> [(
        arc: Double, across: Double
    )] {
        var passes: [(arc: Double, across: Double)] = []
        var best: (arc: Double, across: Double)?
        for arc in stride(from: 0, through: lengthMetres, by: 0.1) {
            let across = self.point(atArc: arc).distance(to: point)
            if across <= metres {
                if across < best?.across ?? .infinity { best = (arc, across) }
            } else if let found = best {
                passes.append(found)
                best = nil
            }
        }
        if let best { passes.append(best) }
        return passes
    }
}
