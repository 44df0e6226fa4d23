import Devices
import Events
import Geometry
import Magnetic
import PublicData
import Testing

/// The three pairs of raw traces that overlap: one trace records a route, the other walks it again.
@Suite("Magnetic matching on real phones")
struct RawTraceRouteTests {
    /// A true place farther from the route than this is not on it, in metres.
    private static let onRouteMetres = 2.0

    private struct Figures {
        var ticks = 0
        var along: [Double] = []
        var across: [Double] = []
    }

    @Test(
        "Each of two overlapping walks is followed on the other's route; figures are printed"
    )
    func pairs() throws {
        guard let traces = try RawTrace.all() else { return }
        let pairs = [
            ("B1-5dda1497", "B1-5dda149d"), ("F1-5dd9e7aa", "F1-5dd9e7ab"),
            ("F3-5dda057e", "F3-5dda057f"),
        ]
        print(
            "raw traces: route, walk, ticks on the route after ten steps, "
                + "mean and p95 along, mean across"
        )
        for (first, second) in pairs + pairs.map({ ($1, $0) }) {
            let recorded = try #require(traces.first { $0.name.hasPrefix(first) })
            let walked = try #require(traces.first { $0.name.hasPrefix(second) })
            let figures = try Self.follow(walked, on: recorded)
            let along = figures.along.sorted()
            #expect(!along.isEmpty)
            let mean = along.reduce(0, +) / Double(max(1, along.count))
            let across = figures.across.reduce(0, +) / Double(max(1, along.count))
            print(
                "   \(first) \(second)", figures.ticks, rounded(mean),
                rounded(along.isEmpty ? .nan : along[(along.count - 1) * 95 / 100]),
                rounded(across))
        }
    }

    private static func follow(_ walked: RawTrace, on recorded: RawTrace) throws -> Figures {
        let path = try MagneticPath(recorded.waypoints.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
        let route = MatchableRoute(
            id: MagneticRouteID("recorded"), floor: FloorID(recorded.floor),
            profile: MagneticProfile(try CheckedWalk(recorded.walk, along: path), along: path))
        let ownPath = try MagneticPath(
            walked.waypoints.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
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
