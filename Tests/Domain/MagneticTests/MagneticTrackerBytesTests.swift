import Events
import Geometry
import Magnetic
import SeededRandomness
import Testing

@Suite("MagneticTracker, kept as bytes") struct MagneticTrackerBytesTests {
    private static func matcher() throws -> MagneticMatcher {
        let line = [Point(x: 0, y: 0), Point(x: 30, y: 0)]
        let path = try MagneticPath(line.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
        let samples = SimulatedWalker().walk(line, through: field, seed: 1).moments.map(\.sample)
        let walk = try CheckedWalk(MagneticWalk(samples: samples), along: path)
        return MagneticMatcher([
            MatchableRoute(
                id: MagneticRouteID("a"), floor: FloorID("0"),
                profile: MagneticProfile(walk, along: path))
        ])
    }
    private static let field = SimulatedField(seed: 3, width: 30, depth: 0)

    @Test(
        "A tracker stored after each sample gives almost the same as one never stored"
    )
    func again() throws {
        let matcher = try Self.matcher()
        let (moments, steps) = SimulatedWalker().walk(
            [Point(x: 0, y: 0), Point(x: 30, y: 0)], through: Self.field, seed: 2)
        var (kept, stored) = (MagneticTracker(matcher), MagneticTracker(matcher))
        var nextStep = 0
        for (number, moment) in moments.enumerated() {
            while nextStep < steps.count, steps[nextStep] <= moment.sample.atMilliseconds {
                kept.add(stepAtMilliseconds: steps[nextStep])
                stored.add(stepAtMilliseconds: steps[nextStep])
                nextStep += 1
            }
            #expect(kept.add(moment.sample) == stored.add(moment.sample))
            if number % 20 == 0 {
                #expect(stored.bytes.count < 5_000)
                stored = try #require(MagneticTracker(stored.bytes, matcher))
            }
        }
        let (left, right) = (kept.candidates(), stored.candidates())
        let (first, second) = (try #require(left.first), try #require(right.first))
        #expect(first.direction == second.direction)
        #expect(abs(first.arcMetres - second.arcMetres) < 0.3)
        #expect(abs(first.weight - second.weight) < 0.1)
        #expect(abs(kept.belief.elsewhere - stored.belief.elsewhere) < 0.05)
    }

    @Test("Bytes that are cut off or changed are refused, or still give a valid belief")
    func spoilt() throws {
        let matcher = try Self.matcher()
        var tracker = MagneticTracker(matcher)
        for moment in SimulatedWalker().walk(
            [Point(x: 0, y: 0), Point(x: 30, y: 0)], through: Self.field, seed: 2
        ).moments.prefix(100) {
            _ = tracker.add(moment.sample)
        }
        let bytes = tracker.bytes
        #expect(MagneticTracker([], matcher) == nil)
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            var spoilt = bytes
            if Bool.random(using: &random) {
                spoilt.removeLast(Int.random(in: 1..<spoilt.count, using: &random))
            }
            let place = Int.random(in: 0..<spoilt.count, using: &random)
            spoilt[place] = UInt8.random(in: 0...255, using: &random)
            guard var read = MagneticTracker(spoilt, matcher) else { continue }
            let sum = read.candidates(limit: 100).reduce(0) { $0 + $1.weight }
            #expect(sum <= 1 + 1e-6 && read.belief.elsewhere <= 1)
            _ = read.add(
                MagneticSample(
                    atMilliseconds: 9_000, field: MagneticField(x: 20, y: 0, z: -40)))
        }
    }
}
