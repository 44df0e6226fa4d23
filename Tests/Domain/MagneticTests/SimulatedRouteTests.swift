import Events
import Geometry
import Magnetic
import Testing

@Suite("Magnetic matching on simulated routes")
struct SimulatedRouteTests {
    /// Four corridors of one floor.
    private static let lines: [[Point]] = [
        [Point(x: 0, y: 0), Point(x: 40, y: 0)],
        [Point(x: 40, y: 0), Point(x: 40, y: 20), Point(x: 15, y: 20)],
        [Point(x: 0, y: 0), Point(x: 0, y: 25), Point(x: 15, y: 20)],
        [Point(x: 5, y: 10), Point(x: 30, y: 12)],
    ]
    /// The length of ten steps, in metres.
    private static let settlingMetres = 7.0

    /// The values that a device measures besides its magnetic field.
    struct Knowledge: Sendable {
        var gravity: Bool
        var steps: Bool
    }

    /// Errors in metres, over all ticks of all walks after their first ten steps.
    struct Outcome {
        var along: [Double] = []
        var across: [Double] = []
        /// The number of ticks whose most probable candidate is on another route, more than two
        /// metres away.
        var onOtherRoute = 0
        var meansOfWalks: [Double] = []
    }

    private static func routes(
        _ field: SimulatedField, seed: Int, _ walker: SimulatedWalker, _ knowledge: Knowledge
    ) throws -> [MatchableRoute] {
        try lines.enumerated().map { number, line in
            let path = try MagneticPath(line.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
            let (moments, steps) = walker.walk(line, through: field, seed: seed * 10 + number)
            // The surveyor taps each bend when passing it.
            let passages = path.arcs.map { arc in
                moments.min { abs($0.arc - arc) < abs($1.arc - arc) }!.sample.atMilliseconds
            }
            let walk = MagneticWalk(
                samples: moments.map(\.sample), passedAtMilliseconds: passages,
                stepsAtMilliseconds: knowledge.steps ? steps : [])
            return MatchableRoute(
                id: MagneticRouteID("route-\(number)"), floor: FloorID("0"),
                profile: MagneticProfile(try CheckedWalk(walk, along: path), along: path))
        }
    }

    /// Records each route of some floors at one pace, and walks it again there or back. The second
    /// pace changes within the walk and stops now and then.
    private static func outcome(fields: Range<Int>, _ knowledge: Knowledge) throws -> Outcome {
        var outcome = Outcome()
        for seed in fields {
            let field = SimulatedField(seed: seed, width: 40, depth: 25)
            var recorder = SimulatedWalker()
            recorder.paces = 1.0...1.4
            recorder.hasGravity = knowledge.gravity
            let routes = try routes(field, seed: seed, recorder, knowledge)
            let matcher = MagneticMatcher(routes)
            var walker = SimulatedWalker()
            walker.paces = 0.5...1.8
            walker.stops = 0.1
            walker.hasGravity = knowledge.gravity
            for (number, line) in lines.enumerated() {
                let (moments, steps) = walker.walk(
                    line, backward: (seed + number) % 2 == 1, through: field,
                    seed: 7_000 + seed * 10 + number)
                let walk = MagneticWalk(
                    samples: moments.map(\.sample),
                    stepsAtMilliseconds: knowledge.steps ? steps : [])
                judge(walk, moments, number, matcher, &outcome)
            }
        }
        return outcome
    }

    private static func judge(
        _ walk: MagneticWalk, _ moments: [SimulatedWalker.Moment], _ number: Int,
        _ matcher: MagneticMatcher, _ outcome: inout Outcome
    ) {
        var tracker = MagneticTracker(matcher)
        var moment = 0
        var errors: [Double] = []
        _ = tracker.follow(walk) { tracker, sample in
            while moments[moment].sample != sample { moment += 1 }
            let truth = moments[moment]
            guard abs(truth.arc - moments[0].arc) > settlingMetres else { return }
            guard let best = tracker.candidates().first else {
                outcome.onOtherRoute += 1
                return
            }
            let route = matcher.routes.first { $0.id == best.route }!
            let place = route.profile.path.point(atArc: best.arcMetres)
            if best.route.text == "route-\(number)" {
                let (arc, across) = route.profile.path.nearest(to: truth.place)
                errors.append(abs(best.arcMetres - arc))
                outcome.across.append(across)
            } else if place.distance(to: truth.place) > 2 {
                outcome.onOtherRoute += 1
            }
        }
        outcome.along += errors
        outcome.meansOfWalks.append(errors.reduce(0, +) / Double(errors.count))
    }

    @Test(
        "After ten steps, walks at changing paces have a mean error of at most two metres",
        arguments: [
            Knowledge(gravity: true, steps: true), Knowledge(gravity: true, steps: false),
        ])
    func bar(knowledge: Knowledge) throws {
        let outcome = try Self.outcome(fields: 0..<6, knowledge)
        let along = outcome.along.sorted()
        let mean = along.reduce(0, +) / Double(along.count)
        func share(_ part: Int) -> Double { along[(along.count - 1) * part / 100] }
        print(
            "simulated routes, gravity \(knowledge.gravity), steps \(knowledge.steps): ticks",
            along.count, "along: mean", mean, "median", share(50), "p95", share(95), "across: mean",
            outcome.across.reduce(0, +) / Double(along.count), "on another route",
            outcome.onOtherRoute, "worst walk's mean", outcome.meansOfWalks.max() ?? 0)
        #expect(mean <= 2)
        // Without steps the phone's own offset and the walker's way are harder to tell apart.
        #expect(share(90) <= (knowledge.steps ? 2 : 3))
        #expect(outcome.onOtherRoute * (knowledge.steps ? 20 : 12) <= along.count)
    }

    @Test("Without any steel a walk cannot be followed, and misses the limit by far")
    func canary() throws {
        let line = Self.lines[0]
        let field = SimulatedField(seed: 1, width: 40, depth: 0, spacing: 1_000)
        let path = try MagneticPath(line.map { MagneticRoutePoint(x: $0.x, y: $0.y) })
        let recorded = SimulatedWalker().walk(line, through: field, seed: 1).moments.map(\.sample)
        let profile = MagneticProfile(
            try CheckedWalk(MagneticWalk(samples: recorded), along: path), along: path)
        let (again, steps) = SimulatedWalker().walk(line, through: field, seed: 2)
        let validation = try MagneticValidation(
            of: profile,
            by: MagneticWalk(samples: again.map(\.sample), stepsAtMilliseconds: steps))
        #expect(validation.meanMetres > 3)
        #expect(!validation.isReliable)
    }
}
