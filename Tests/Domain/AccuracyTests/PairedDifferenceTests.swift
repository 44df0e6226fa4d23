import Accuracy
import Geometry
import Numbers
import SeededRandomness
import Testing

@Suite struct PairedDifferenceTests {
    /// Draws lists of differences and averages their elements; slow and obvious.
    private func obvious(_ groups: [[Double]], seed: UInt64) -> (lower: Double, upper: Double) {
        var random = SplitMix64(seed: seed)
        let means = (0..<PairedDifference.resamples).map { _ in
            let drawn = groups.flatMap { _ in groups[random.below(groups.count)] }
            return drawn.reduce(0, +) / Double(drawn.count)
        }.sorted()
        // The bounds of 2,000 ascending values are those at 0.025 and 0.975 of the way from the
        // first to the last.
        return (
            means[49] + 0.975 * (means[50] - means[49]),
            means[1_949] + 0.025 * (means[1_950] - means[1_949])
        )
    }

    @Test(
        "The interval equals that of a slow bootstrap over lists of queries or paths",
        arguments: 0..<12)
    func slow(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let groups = (0..<Int.random(in: 1...20, using: &random)).map { _ in
            let count = seed % 2 == 0 ? 1 : Int.random(in: 1...6, using: &random)
            return (0..<count).map { _ in Double.random(in: -5...9, using: &random) }
        }
        let paths = groups.enumerated().flatMap { path, queries in
            queries.map { _ in seed % 2 == 0 ? nil : "\(path)" }
        }
        let difference = try #require(
            PairedDifference(groups.flatMap { $0 }, paths: paths, seed: seed))
        let expected = obvious(groups, seed: seed)
        #expect(abs(difference.lower95 - expected.lower) < 1e-9)
        #expect(abs(difference.upper95 - expected.upper) < 1e-9)
        #expect(difference.paths == (seed % 2 == 0 ? nil : groups.count))
        #expect(difference.queries == paths.count)
    }

    @Test("With many queries the interval is 1.96 standard errors wide to either side")
    func normal() throws {
        // 400 values of -1 and 400 of 3: mean 1, standard deviation 2, standard error 2 /
        // sqrt(800).
        let differences = (0..<800).map { $0 % 2 == 0 ? -1.0 : 3.0 }
        let difference = try #require(
            PairedDifference(differences, paths: differences.map { _ in nil }, seed: 5))
        let halfWidth = 1.96 * 2 / 800.0.squareRoot()
        #expect(difference.mean == 1)
        #expect(abs(difference.lower95 - (1 - halfWidth)) < 0.02)
        #expect(abs(difference.upper95 - (1 + halfWidth)) < 0.02)
    }

    @Test("Two paths count as two pieces of evidence, however long they are")
    func paths() throws {
        // A draw of two paths has both, or one of them twice, so the mean is 0, 0.5 or 1.
        let differences = (0..<200).map { $0 < 100 ? 0.0 : 1.0 }
        let difference = try #require(
            PairedDifference(
                differences, paths: differences.map { $0 < 0.5 ? "north" : "south" }, seed: 1))
        #expect(difference.mean == 0.5)
        #expect(difference.lower95 == 0 && difference.upper95 == 1)
        #expect(difference.paths == 2)
    }

    @Test("A constant difference is certain, and no queries give no difference")
    func ends() throws {
        let constant = try #require(
            PairedDifference([-2, -2, -2], paths: [nil, nil, nil], seed: 1))
        #expect(constant.mean == -2 && constant.lower95 == -2 && constant.upper95 == -2)
        #expect(PairedDifference([], paths: [], seed: 1) == nil)
    }

    @Test("A lost device counts at its fallback, in metres as the set reports them")
    func judged() throws {
        func answer(_ x: Double?) -> JudgedEstimate {
            func place(_ x: Double) -> JudgedEstimate.Place {
                .init(building: nil, floor: nil, room: nil, point: Point(x: x, y: 0))
            }
            return JudgedEstimate(
                truth: place(0), estimate: x.map(place), fallback: Point(x: 10, y: 0))
        }
        let difference = try #require(
            PairedDifference(
                from: [answer(4), answer(4)], to: [answer(nil), answer(2)],
                groundPerReportedMetre: 0.5, seed: 1))
        // The differences are 6 and -2 metres of the frame.
        #expect(difference.mean == 4)
    }
}
