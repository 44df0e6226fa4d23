import Events
import Geometry
import Magnetic
import Testing

@Suite("MagneticRouteState")
struct MagneticRouteStateTests {
    private static let line = [Point(x: 0, y: 0), Point(x: 25, y: 0)]
    private static let polyline = line.map { MagneticRoutePoint(x: $0.x, y: $0.y) }
    private static let floor = FloorID("0")

    private static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: seconds * 1_000)
    }

    private static func walk(_ seed: Int, through field: Int = 70, backward: Bool = false)
        -> MagneticWalk
    {
        Self.walk(
            seed, through: SimulatedField(seed: field, width: 25, depth: 0), backward: backward)
    }

    private static func walk(
        _ seed: Int, through field: SimulatedField, backward: Bool = false
    ) -> MagneticWalk {
        var walker = SimulatedWalker()
        walker.paces = seed == 1 ? 1.2...1.2 : 0.7...1.5
        let (moments, steps) = walker.walk(
            line, backward: backward, through: field, seed: seed)
        return MagneticWalk(samples: moments.map(\.sample), stepsAtMilliseconds: steps)
    }

    private func recorded() throws -> MagneticRouteState {
        var state = MagneticRouteState(site: SiteID("site"), route: MagneticRouteID("route"))
        let event = try state.record(
            floor: Self.floor, polyline: Self.polyline, walk: Self.walk(1), at: Self.moment(1))
        state.evolve(try #require(event))
        return state
    }

    @Test("A route is valid only after a walk that finds it again, and until it is deleted")
    func life() throws {
        var state = MagneticRouteState(site: SiteID("site"), route: MagneticRouteID("route"))
        #expect(state.stage == nil)
        state = try recorded()
        #expect(state.stage == .recorded && state.version == 1 && state.matchable == nil)

        let bad = try #require(
            try state.validate(by: Self.walk(2, through: 71), at: Self.moment(2)))
        #expect(!bad.isReliable)
        state.evolve(bad)
        #expect(state.stage == .recorded && state.matchable == nil)

        let good = try #require(
            try state.validate(by: Self.walk(3, backward: true), at: Self.moment(3)))
        #expect(good.isReliable && good.direction == .backward && good.recording == 1)
        state.evolve(good)
        #expect(state.stage == .valid && state.version == 3)
        #expect(state.expiresAt == Self.moment(3 + 180 * 86_400))
        let matchable = try #require(state.matchable)
        #expect(matchable.floor == Self.floor && matchable.errorMetres == good.meanMetres)

        #expect(matchable.expiresAt == state.expiresAt)

        state.evolve(try state.delete(at: Self.moment(4)))
        #expect(state.expiresAt == nil)
        #expect(state.stage == .deleted && state.matchable == nil)
        #expect(throws: MagneticRouteRefusal.unknown) { try state.delete(at: Self.moment(5)) }
        #expect(throws: MagneticRouteRefusal.unknown) {
            try state.validate(by: Self.walk(3), at: Self.moment(5))
        }
        // A new recording, even an equal one, needs a validation of its own.
        let again = try state.record(
            floor: Self.floor, polyline: Self.polyline, walk: Self.walk(1), at: Self.moment(6))
        state.evolve(try #require(again))
        #expect(state.stage == .recorded && state.version == 5 && state.validation == nil)
    }

    @Test("The same recording twice counts once; a different one removes the validation")
    func again() throws {
        var state = try recorded()
        state.evolve(try #require(try state.validate(by: Self.walk(3), at: Self.moment(2))))
        let same = try state.record(
            floor: Self.floor, polyline: Self.polyline, walk: Self.walk(1), at: Self.moment(3))
        #expect(same == nil)
        let other = try state.record(
            floor: Self.floor, polyline: Self.polyline, walk: Self.walk(4), at: Self.moment(3))
        state.evolve(try #require(other))
        #expect(state.stage == .recorded)
    }

    @Test("Events that come twice, or for a recording that was replaced, change nothing")
    func repeated() throws {
        var state = try recorded()
        let first = try #require(state.recording)
        let validated = try #require(
            try state.validate(by: Self.walk(3), at: Self.moment(2)))
        state.evolve(validated)
        let known = state
        state.evolve(first)
        state.evolve(validated)
        #expect(state == known)
        var late = validated
        (late.version, late.recording) = (9, 7)
        state.evolve(late)
        var alone = validated
        alone.recorded = nil
        #expect(state.validation == alone)
    }

    @Test("A walk that is sent twice is one validation, also by another clock")
    func sentTwice() throws {
        var state = try recorded()
        // Steel at the far end was exchanged.
        let field = SimulatedField(seed: 70, width: 25, depth: 0).exchanged(
            for: SimulatedField(seed: 72, width: 25, depth: 0), at: Point(x: 20, y: 0), within: 4)
        let walk = Self.walk(5, through: field)
        let first = try #require(try state.validate(by: walk, at: Self.moment(2)))
        let doubt = try #require(first.doubt)
        #expect(doubt > 0)
        state.evolve(first)
        var again = walk
        for index in again.samples.indices { again.samples[index].field.x += 0.0004 }
        #expect(try state.validate(by: again, at: Self.moment(3)) == nil)
        #expect(try state.validate(by: again.later(7_000), at: Self.moment(3)) == nil)
        // Without its steps it would raise the doubt, if it counted again.
        var corrected = walk
        corrected.stepsAtMilliseconds = []
        #expect(try state.validate(by: corrected, at: Self.moment(3))?.doubt == doubt)
        let other = Self.walk(6, through: field)
        let second = try #require(try state.validate(by: other, at: Self.moment(3)))
        #expect(try #require(second.doubt) > doubt)
        // Only the newest validation is known.
        state.evolve(second)
        #expect(try state.validate(by: walk, at: Self.moment(4)) != nil)
    }

    @Test("A corrected walk is measured again, without adding to the doubt")
    func corrected() throws {
        var state = try recorded()
        var right = Self.walk(5)
        let (first, last) = (right.samples[0], right.samples[right.samples.count - 1])
        right.passedAtMilliseconds = [first.atMilliseconds, last.atMilliseconds]
        // The second passage was noted when half of the way was left.
        var wrong = right
        wrong.passedAtMilliseconds[1] = (first.atMilliseconds + last.atMilliseconds) / 2
        let bad = try #require(try state.validate(by: wrong, at: Self.moment(2)))
        #expect(!bad.isReliable)
        state.evolve(bad)
        #expect(try state.validate(by: wrong.later(300), at: Self.moment(3)) == nil)

        let good = try #require(try state.validate(by: right, at: Self.moment(3)))
        #expect(good.isReliable && good.doubt == bad.doubt)
        state.evolve(good)
        #expect(state.stage == .valid)
        #expect(try state.validate(by: right.later(300), at: Self.moment(4)) == nil)

        // Each of the three parts makes a correction, and so does one sample's gravity.
        var (turned, bare, fewer) = (right, right, right)
        turned.samples[9].gravity?.z += 0.002
        bare.samples[9].gravity = nil
        fewer.stepsAtMilliseconds.removeLast()
        for walk in [turned, bare, fewer, wrong] {
            let again = try #require(try state.validate(by: walk, at: Self.moment(4)))
            #expect(again.doubt == good.doubt)
        }
        // The recording is no validation, however its other parts are changed.
        var recording = Self.walk(1)
        recording.stepsAtMilliseconds = []
        for index in recording.samples.indices { recording.samples[index].gravity = nil }
        #expect(throws: MagneticRouteRefusal.unusable(.recordingAgain)) {
            try state.validate(by: recording, at: Self.moment(5))
        }
    }

    @Test("A recording that is sent again validates nothing, also by another clock")
    func recordingAgain() throws {
        let state = try recorded()
        for walk in [Self.walk(1), Self.walk(1).later(500), Self.walk(1).later(-500)] {
            #expect(throws: MagneticRouteRefusal.unusable(.recordingAgain)) {
                try state.validate(by: walk, at: Self.moment(2))
            }
        }
        // Another time, or another field, makes it another walk.
        var (late, bent) = (Self.walk(1), Self.walk(1))
        late.samples[9].atMilliseconds += 1
        bent.samples[9].field.z += 0.002
        for walk in [late, bent] {
            #expect(try state.validate(by: walk, at: Self.moment(2)) != nil)
        }
    }

    @Test("Unusable input is refused with its reason, also before the first recording")
    func refusals() throws {
        let state = MagneticRouteState(site: SiteID("site"), route: MagneticRouteID("route"))
        #expect(throws: MagneticRouteRefusal.unknown) {
            try state.validate(by: Self.walk(3), at: Self.moment(1))
        }
        #expect(throws: MagneticRouteRefusal.unusable(.tooFewSamples)) {
            try state.record(
                floor: Self.floor, polyline: Self.polyline, walk: MagneticWalk(samples: []),
                at: Self.moment(1))
        }
        let known = try recorded()
        #expect(throws: MagneticRouteRefusal.unusable(.tooFewSamples)) {
            try known.validate(by: MagneticWalk(samples: []), at: Self.moment(1))
        }
    }
}

extension MagneticWalk {
    /// The same walk by another clock.
    fileprivate func later(_ milliseconds: Int) -> MagneticWalk {
        var walk = self
        for index in samples.indices { walk.samples[index].atMilliseconds += milliseconds }
        for index in stepsAtMilliseconds.indices { walk.stepsAtMilliseconds[index] += milliseconds }
        walk.passedAtMilliseconds = passedAtMilliseconds.map { $0 + milliseconds }
        return walk
    }
}
