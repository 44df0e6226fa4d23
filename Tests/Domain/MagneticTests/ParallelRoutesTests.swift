import Events
import Geometry
import Magnetic
import SeededRandomness
import Testing

/// Two parallel corridors, recorded by one phone and walked again by another one.
///
/// The seeds 1 to 20 were used to choose the constants of `MagneticOffsets`; here are others.
@Suite("Two parallel magnetic routes three metres apart")
struct ParallelRoutesTests {
    private static let lines = [
        [Point(x: 0, y: 0), Point(x: 40, y: 0)], [Point(x: 0, y: 3), Point(x: 40, y: 3)],
    ]
    /// The length of ten steps, in metres.
    private static let settlingMetres = 7.0
    /// The seven calibrations in the 14 raw traces of MS site 1, in microtesla. Each is the offset
    /// that the phone took off its readings (`TYPE_MAGNETIC_FIELD_UNCALIBRATED`).
    private static let calibrations = [
        MagneticField(x: -47.8, y: -81.4, z: -292.4), MagneticField(x: -64.4, y: -14.1, z: -349.7),
        MagneticField(x: -61.6, y: -16.9, z: -346.4), MagneticField(x: -61.0, y: -17.7, z: -346.3),
        MagneticField(x: -48.0, y: -50.8, z: -297.3), MagneticField(x: -16.3, y: -8.1, z: -359.3),
        MagneticField(x: -51.4, y: -42.4, z: -267.8),
    ]

    private static func sum(_ one: MagneticField, _ two: MagneticField, times factor: Double)
        -> MagneticField
    {
        MagneticField(
            x: one.x + factor * two.x, y: one.y + factor * two.y, z: one.z + factor * two.z)
    }

    private static func size(_ field: MagneticField) -> Double {
        (field.x * field.x + field.y * field.y + field.z * field.z).squareRoot()
    }

    /// The differences between two calibrations that have a size in the range.
    private static func recorded(_ sizes: Range<Double>) -> [MagneticField] {
        calibrations.flatMap { one in calibrations.map { sum(one, $0, times: -1) } }
            .filter { sizes.contains(size($0)) }
    }

    /// Offsets of one size in random directions.
    private static func drawn(_ microtesla: Double, count: Int) -> [MagneticField] {
        var random = SeededRandom(seed: 4_711)
        func draw() -> Double { .random(in: -1...1, using: &random) }
        return (0..<count).map { _ in
            let field = MagneticField(x: draw(), y: draw(), z: draw() + 0.001)
            let scale = microtesla / size(field)
            return MagneticField(x: field.x * scale, y: field.y * scale, z: field.z * scale)
        }
    }

    struct Outcome {
        var ticks = 0
        /// The ticks at which the other route is the most probable place.
        var wrong = 0
        /// The ticks at which the walker is most probably on no route.
        var elsewhere = 0
        var along: [Double] = []

        var wrongShare: Double { Double(wrong) / Double(ticks) }
    }

    private static func matcher(_ seed: Int, _ field: SimulatedField) throws -> MagneticMatcher {
        MagneticMatcher(
            try lines.enumerated().map { number, line in
                var recorder = SimulatedWalker()
                recorder.paces = 1.0...1.4
                let (moments, steps) = recorder.walk(
                    line, through: field, seed: seed * 10 + number)
                let path = try MagneticPath(line.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
                let walk = MagneticWalk(
                    samples: moments.map(\.sample), stepsAtMilliseconds: steps)
                return MatchableRoute(
                    id: MagneticRouteID("route-\(number)"), floor: FloorID("0"),
                    profile: MagneticProfile(try CheckedWalk(walk, along: path), along: path))
            })
    }

    /// Walks both routes of each seed, each time with the next of the offsets.
    private static func outcome(_ seeds: Range<Int>, _ offsets: [MagneticField]) throws -> Outcome {
        var outcome = Outcome()
        for seed in seeds {
            let field = SimulatedField(seed: seed, width: 40, depth: 3)
            let matcher = try matcher(seed, field)
            for (number, line) in lines.enumerated() {
                var walker = SimulatedWalker()
                walker.paces = 0.7...1.6
                let walked = walker.walk(
                    line, backward: (seed + number) % 2 == 1, through: field,
                    seed: 7_000 + seed * 10 + number)
                var moments = walked.moments
                let offset = offsets[(seed * 2 + number) % offsets.count]
                for index in moments.indices {
                    moments[index].sample.field = sum(
                        moments[index].sample.field, offset, times: 1)
                }
                judge(moments, walked.steps, "route-\(number)", matcher, &outcome)
            }
        }
        return outcome
    }

    private static func judge(
        _ moments: [SimulatedWalker.Moment], _ steps: [Int], _ route: String,
        _ matcher: MagneticMatcher, _ outcome: inout Outcome
    ) {
        var tracker = MagneticTracker(matcher)
        var moment = 0
        let walk = MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps)
        _ = tracker.follow(walk) { tracker, sample in
            while moments[moment].sample != sample { moment += 1 }
            guard abs(moments[moment].arc - moments[0].arc) > settlingMetres else { return }
            outcome.ticks += 1
            guard let best = tracker.candidates().first, best.weight > tracker.belief.elsewhere
            else {
                outcome.elsewhere += 1
                return
            }
            if best.route.text == route {
                outcome.along.append(abs(best.arcMetres - moments[moment].arc))
            } else {
                outcome.wrong += 1
            }
        }
    }

    private static func report(_ name: String, _ outcome: Outcome) {
        let along = outcome.along.sorted()
        print(
            "parallel routes, \(name): ticks", outcome.ticks, "wrong route", outcome.wrongShare,
            "elsewhere", Double(outcome.elsewhere) / Double(outcome.ticks), "along: median",
            along.isEmpty ? .nan : along[(along.count - 1) / 2])
    }

    @Test(
        "A phone with another offset is on the wrong route in at most five ticks of a hundred",
        arguments: [0.0, 5, 10])
    func offsets(microtesla: Double) throws {
        let offsets = microtesla == 0 ? [] : Self.drawn(microtesla, count: 40)
        let none = [MagneticField(x: 0, y: 0, z: 0)]
        let outcome = try Self.outcome(101..<121, offsets.isEmpty ? none : offsets)
        Self.report("offset of \(microtesla) microtesla", outcome)
        #expect(outcome.ticks > 3_000)
        #expect(outcome.wrongShare <= 0.05)
        #expect(outcome.elsewhere * 20 <= outcome.ticks)
    }

    @Test("Phones whose recorded calibrations differ by up to ten microtesla are no worse")
    func calibrations() throws {
        let near = Self.recorded(0.1..<10)
        #expect(near.count == 6)
        let outcome = try Self.outcome(101..<121, near)
        Self.report("calibrations near each other", outcome)
        #expect(outcome.wrongShare <= 0.05)
    }

    @Test("Greater offsets are beyond what the matcher can do; figures are printed")
    func farther() throws {
        let drawn = try Self.outcome(101..<111, Self.drawn(20, count: 40))
        Self.report("offset of 20 microtesla", drawn)
        for sizes in [10.0..<50, 50..<110] {
            let outcome = try Self.outcome(101..<106, Self.recorded(sizes))
            Self.report("calibrations \(sizes) microtesla apart", outcome)
            // A canary: the harness sees wrong routes where there are some.
            #expect(outcome.wrong + outcome.elsewhere > outcome.ticks / 20)
        }
    }
}
