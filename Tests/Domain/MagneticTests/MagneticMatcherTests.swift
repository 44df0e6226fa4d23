import Events
import SeededRandomness
import Testing

@testable import Magnetic

@Suite("MagneticMatcher")
struct MagneticMatcherTests {
    /// A straight route with random features. Either all have gravity or none has.
    private static func route(
        _ number: Int, cells: Int, gravity: Bool, _ random: inout SeededRandom
    ) throws -> MatchableRoute {
        let metres = Double(cells - 1) * MagneticProfile.cellMetres
        let path = try MagneticPath([
            MagneticRoutePoint(x: 0, y: Double(number)),
            MagneticRoutePoint(x: metres, y: Double(number)),
        ])
        let samples = (0...(cells * 4)).map { index in
            MagneticSample(
                atMilliseconds: index * 50, field: feltField(&random),
                gravity: gravity ? MagneticField(x: 0.1, y: 0.2, z: 9.7) : nil)
        }
        let walk = try CheckedWalk(MagneticWalk(samples: samples), along: path)
        return MatchableRoute(
            id: MagneticRouteID("\(number)"), floor: FloorID("0"),
            profile: MagneticProfile(walk, along: path))
    }

    private static func feltField(_ random: inout SeededRandom) -> MagneticField {
        MagneticField(
            x: .random(in: -20...20, using: &random), y: .random(in: -20...20, using: &random),
            z: .random(in: -50 ... -30, using: &random))
    }

    @Test("Of more routes than can be matched, those that expire first are left out")
    func mostMetres() throws {
        var random = SeededRandom(seed: 5)
        let route = try Self.route(0, cells: 41, gravity: true, &random)
        let length = route.profile.path.lengthMetres
        let most = Int(MagneticFollower.mostMetres / length)
        let routes = (0..<(most + 20)).map { number in
            var route = route
            route.id = MagneticRouteID("\(number)")
            // The last ones never expire.
            route.expiresAt = number < most ? Timestamp(milliseconds: Int64(most - number)) : nil
            return route
        }
        let used = MagneticFollower(routes).routes
        #expect(used.count == most)
        #expect(
            Set(routes.map(\.id)).subtracting(used.keys)
                == Set(routes[(most - 20)..<most].map(\.id)))
    }

    @Test("Agrees with a table of every pair of states, on random routes", arguments: 0..<4)
    func slow(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let routes = try (0..<2).map { number in
            try Self.route(
                number, cells: 22 + number, gravity: seed % 3 != number, &random)
        }
        let matcher = MagneticMatcher(routes)
        var slow = SlowMatcher(routes.map(\.profile.features))
        var belief = matcher.beginning()
        for tick in 0..<4 {
            let feature = FieldFeature(
                MagneticSample(
                    atMilliseconds: 0, field: Self.feltField(&random),
                    gravity: seed % 2 == 0 ? MagneticField(x: 0, y: 0, z: 1) : nil))
            let felt = tick == 2 ? nil : feature
            let steps: Double? =
                seed % 4 < 2 ? nil : tick == 1 ? 0 : .random(in: 0...3, using: &random)
            matcher.advance(&belief, steps: steps, felt)
            slow.advance(steps: steps, felt)
        }
        #expect(abs(belief.elsewhere - slow.elsewhere) < 1e-12)
        #expect(abs(belief.offsets.variance - slow.variance) < 1e-9)
        for lane in matcher.lanes {
            let isBackward = lane.direction == .backward
            for cell in lane.features.indices {
                var state = SlowMatcher.State(
                    route: lane.route, isBackward: isBackward,
                    cell: isBackward ? lane.features.count - 1 - cell : cell, pace: 0)
                let (offset, index) = (try #require(slow.offsets[state]), lane.offset / 5 + cell)
                #expect(abs(belief.offsets.level[index] - offset.level) < 1e-9)
                #expect(abs(belief.offsets.down[index] - offset.down) < 1e-9)
                for pace in 0..<5 {
                    state.pace = pace
                    let chance = belief.chances[lane.offset + cell * 5 + pace]
                    #expect(abs(chance - (slow.chances[state] ?? -1)) < 1e-12)
                }
            }
        }
    }

    @Test("The belief sums up to one, whatever field is measured", arguments: 0..<6)
    func sums(seed: Int) throws {
        var random = SeededRandom(seed: 100 + seed)
        let matcher = MagneticMatcher([
            try Self.route(0, cells: 40, gravity: true, &random)
        ])
        var belief = matcher.beginning()
        for tick in 0..<200 {
            // Every other 50 ticks have a field that is on no route.
            let strength = tick / 50 % 2 == 0 ? 1.0 : 8.0
            var field = Self.feltField(&random)
            field.z *= strength
            matcher.advance(
                &belief, steps: tick % 3 == 0 ? 0 : nil,
                FieldFeature(MagneticSample(atMilliseconds: 0, field: field)))
            let total = belief.chances.reduce(0, +) + belief.elsewhere
            #expect(abs(total - 1) < 1e-9)
            let candidates = matcher.candidates(belief)
            let weights = candidates.map(\.weight).reduce(0, +)
            #expect(weights <= 1 + 1e-9)
            #expect(candidates == candidates.sorted { $0.weight > $1.weight })
            for candidate in candidates {
                #expect(candidate.spreadMetres.isFinite)
                #expect((0...10).contains(candidate.arcMetres))
            }
        }
        #expect(belief.elsewhere > 0.5)
    }

    @Test("Without routes the walker is elsewhere")
    func empty() {
        let matcher = MagneticMatcher([])
        var belief = matcher.beginning()
        matcher.advance(&belief, steps: nil, FieldFeature(magnitude: 50, down: 40))
        #expect(belief.elsewhere == 1)
        #expect(matcher.candidates(belief).isEmpty)
    }

    @Test("The spread of candidates includes the route's own measured error")
    func reliability() throws {
        var random = SeededRandom(seed: 9)
        var route = try Self.route(0, cells: 40, gravity: true, &random)
        let sharp = MagneticMatcher([route])
        route.errorMetres = 3
        let blurred = MagneticMatcher([route])
        let pairs = zip(
            sharp.candidates(sharp.beginning()), blurred.candidates(blurred.beginning()))
        for (sharp, blurred) in pairs {
            let variance = sharp.spreadMetres * sharp.spreadMetres + 9
            #expect(abs(blurred.spreadMetres - variance.squareRoot()) < 1e-9)
        }
    }
}
