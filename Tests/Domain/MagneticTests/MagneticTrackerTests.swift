import Events
import Geometry
import Magnetic
import Testing

@Suite("MagneticTracker")
struct MagneticTrackerTests {
    private static let line = [Point(x: 0, y: 0), Point(x: 30, y: 0)]
    private static let field = SimulatedField(seed: 40, width: 30, depth: 0)

    private static func route() throws -> MatchableRoute {
        let path = try MagneticPath(line.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
        var recorder = SimulatedWalker()
        recorder.paces = 1.2...1.2
        let samples = recorder.walk(line, through: field, seed: 1).moments.map(\.sample)
        return MatchableRoute(
            id: MagneticRouteID("hall"), floor: FloorID("0"),
            profile: MagneticProfile(
                try CheckedWalk(MagneticWalk(samples: samples), along: path), along: path))
    }

    @Test("Samples without a plausible field, late or repeated, change nothing")
    func garbage() throws {
        let matcher = MagneticMatcher([try Self.route()])
        let samples = SimulatedWalker().walk(Self.line, through: Self.field, seed: 2).moments
            .map(\.sample)
        var clean = MagneticTracker(matcher)
        var spoilt = MagneticTracker(matcher)
        for (index, sample) in samples.enumerated() {
            _ = clean.add(sample)
            _ = spoilt.add(sample)
            var bad = sample
            switch index % 4 {
            case 0: bad.field.x = .nan
            case 1: bad.field.y = 1e9
            case 2: bad.atMilliseconds = [.max, .min][index / 4 % 2]
            default: bad.atMilliseconds -= 300
            }
            let isTick = spoilt.add(bad)
            #expect(!isTick)
        }
        #expect(clean.belief == spoilt.belief)
    }

    @Test("It starts again after a long silence, or after the clock was set back")
    func silence() throws {
        let matcher = MagneticMatcher([try Self.route()])
        let samples = SimulatedWalker().walk(Self.line, through: Self.field, seed: 3).moments
            .map(\.sample)
        for shift in [-100_000, 5_001] {
            var tracker = MagneticTracker(matcher)
            for sample in samples { _ = tracker.add(sample) }
            #expect(tracker.belief != matcher.beginning())
            var later = samples[samples.count - 1]
            later.atMilliseconds += shift
            _ = tracker.add(later)
            #expect(tracker.belief == matcher.beginning())
        }
    }

    @Test("A walker who makes no steps stays in place, if steps are counted")
    func standing() throws {
        let matcher = MagneticMatcher([try Self.route()])
        let (moments, steps) = SimulatedWalker().walk(Self.line, through: Self.field, seed: 4)
        let part = moments.prefix { $0.arc < 20 }
        let last = part[part.count - 1]
        var walk = MagneticWalk(samples: part.map(\.sample), stepsAtMilliseconds: steps)
        walk.stepsAtMilliseconds.removeAll { $0 > last.sample.atMilliseconds }
        for pause in 1...200 {
            var sample = last.sample
            sample.atMilliseconds += pause * 50
            walk.samples.append(sample)
        }
        var tracker = MagneticTracker(matcher)
        let arcs = tracker.follow(walk) { tracker, _ in tracker.candidates().first?.arcMetres }
        let atEnd = try #require(arcs.last ?? nil)
        #expect(abs(atEnd - last.arc) < 2)
    }

    @Test("A second walk in either direction validates a route; one in another corridor does not")
    func validation() throws {
        let route = try Self.route()
        for (backward, direction) in [(false, MagneticDirection.forward), (true, .backward)] {
            let (moments, steps) = SimulatedWalker().walk(
                Self.line, backward: backward, through: Self.field, seed: 5)
            let validation = try MagneticValidation(
                of: route.profile,
                by: MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps))
            #expect(validation.direction == direction)
            #expect(validation.isReliable)
            #expect(validation.meanMetres <= validation.percentile95Metres)
        }
        for seed in 60..<64 {
            let other = SimulatedField(seed: seed, width: 30, depth: 0)
            let (moments, steps) = SimulatedWalker().walk(Self.line, through: other, seed: seed)
            let validation = try MagneticValidation(
                of: route.profile,
                by: MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps))
            #expect(!validation.isReliable, "\(validation)")
        }
    }
}
