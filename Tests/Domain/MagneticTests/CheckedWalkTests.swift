import Events
import Geometry
import Magnetic
import Testing

@Suite("Checks of magnetic routes and walks")
struct CheckedWalkTests {
    private static let corner = [
        MagneticRoutePoint(x: 0, y: 0), MagneticRoutePoint(x: 6, y: 0),
        MagneticRoutePoint(x: 6, y: 4),
    ]

    private static func samples(_ count: Int = 101, every milliseconds: Int = 100)
        -> [MagneticSample]
    {
        (0..<count).map {
            MagneticSample(
                atMilliseconds: 1_000 + $0 * milliseconds,
                field: MagneticField(x: 10 + Double($0), y: 0, z: -40))
        }
    }

    private func fault(_ walk: MagneticWalk) -> MagneticFault? {
        do throws(MagneticFault) {
            _ = try CheckedWalk(walk, along: MagneticPath(Self.corner))
            return nil
        } catch { return error }
    }

    private func fault(_ points: [(Double, Double)]) -> MagneticFault? {
        do throws(MagneticFault) {
            _ = try MagneticPath(points.map { MagneticRoutePoint(x: $0.0, y: $0.1) })
            return nil
        } catch { return error }
    }

    @Test("A path has at least two different points and a length within limits")
    func paths() {
        #expect(fault([(0, 0), (6, 0), (6, 4)]) == nil)
        #expect(fault([]) == .tooFewPoints)
        #expect(fault([(0, 0)]) == .tooFewPoints)
        #expect(fault((0...200).map { (Double($0), 0) }) == .tooManyPoints)
        #expect(fault([(0, 0), (0, 0)]) == .pointMalformed(index: 1))
        #expect(fault([(0, 0), (9, 0), (9, 0)]) == .pointMalformed(index: 2))
        #expect(fault([(.nan, 0), (9, 0)]) == .pointMalformed(index: 0))
        #expect(fault([(0, 0), (.infinity, 0)]) == .pointMalformed(index: 1))
        #expect(fault([(0, 0), (1e300, 0)]) == .pointMalformed(index: 1))
        #expect(fault([(0, 0), (4.9, 0)]) == .lengthOutOfRange(metres: 4.9))
        #expect(fault([(0, 0), (301, 0)]) == .lengthOutOfRange(metres: 301))
    }

    @Test("A point beside a path has a distance along the path and one across")
    func measures() throws {
        let path = try MagneticPath(Self.corner)
        #expect(path.lengthMetres == 10)
        #expect(path.point(atArc: -1) == Point(x: 0, y: 0))
        #expect(path.point(atArc: 6) == Point(x: 6, y: 0))
        #expect(path.point(atArc: 8) == Point(x: 6, y: 2))
        #expect(path.point(atArc: 99) == Point(x: 6, y: 4))
        #expect(path.nearest(to: Point(x: 2, y: -1.5)) == (2, 1.5))
        #expect(path.nearest(to: Point(x: 7, y: 3)) == (9, 1))
        #expect(path.nearest(to: Point(x: -3, y: 4)) == (0, 5))
    }

    @Test("A walk is dense, without gaps, plausible, and at a walker's speed")
    func faults() {
        let good = Self.samples()
        func changed(_ index: Int, _ change: (inout MagneticSample) -> Void) -> MagneticFault? {
            var samples = good
            change(&samples[index])
            return fault(MagneticWalk(samples: samples))
        }
        #expect(fault(MagneticWalk(samples: good)) == nil)
        #expect(fault(MagneticWalk(samples: [])) == .tooFewSamples)
        #expect(fault(MagneticWalk(samples: Self.samples(19))) == .tooFewSamples)
        #expect(fault(MagneticWalk(samples: Self.samples(6_001))) == .tooManySamples)
        #expect(changed(5) { $0.atMilliseconds -= 100 } == .timeNotAscending(index: 5))
        #expect(changed(0) { $0.atMilliseconds = .min } == .timeNotAscending(index: 1))
        #expect(changed(100) { $0.atMilliseconds += 901 } == .gapTooLong(index: 100))
        #expect(changed(3) { $0.field.x = .nan } == .fieldOutOfRange(index: 3))
        #expect(changed(3) { $0.field.x = 1e200 } == .fieldOutOfRange(index: 3))
        #expect(
            changed(3) { $0.field = MagneticField(x: 0, y: 0, z: 0) } == .fieldOutOfRange(index: 3))
        #expect(
            changed(3) { $0.gravity = MagneticField(x: 0, y: 0, z: 0) }
                == .gravityMalformed(index: 3))
        #expect(
            changed(3) { $0.gravity = MagneticField(x: .nan, y: 0, z: 0) }
                == .gravityMalformed(index: 3))
        #expect(
            fault(MagneticWalk(samples: Self.samples(60, every: 150)))
                == .rateTooLow(samplesPerSecond: 1_000 / 150.0))
        #expect(
            fault(MagneticWalk(samples: Self.samples(21)))
                == .speedOutOfRange(metresPerSecond: 5))
        for passages in [
            [1_000], [1_000, 5_000], [1_000, 1_000, 9_000], [0, 5_000, 9_000],
            [1_000, 5_000, 11_001],
        ] {
            #expect(
                fault(MagneticWalk(samples: good, passedAtMilliseconds: passages))
                    == .passagesMalformed)
        }
        #expect(fault(MagneticWalk(samples: good, stepsAtMilliseconds: [5, 5])) == .stepsMalformed)
    }

    @Test("Samples lie between passages by time, or by steps where they were counted")
    func places() throws {
        let path = try MagneticPath(Self.corner)
        func walked(
            _ passages: [Int], _ steps: [Int], at moment: Int, backward: Bool = false
        ) throws -> Double? {
            let walk = MagneticWalk(
                samples: Self.samples(), passedAtMilliseconds: passages,
                stepsAtMilliseconds: steps)
            return try CheckedWalk(walk, along: path, isBackward: backward).places
                .first { $0.atMilliseconds == moment }?.walkedMetres
        }
        #expect(try walked([], [], at: 6_000) == 5)
        #expect(try walked([2_000, 4_000, 10_000], [], at: 3_000) == 3)
        #expect(try walked([2_000, 4_000, 10_000], [], at: 7_000) == 8)
        #expect(try walked([2_000, 4_000, 10_000], [], at: 1_500) == nil)
        // A backward walk passes the corner after four metres.
        #expect(try walked([2_000, 4_000, 10_000], [], at: 4_000, backward: true) == 4)
        // The walker makes ten steps in five seconds, then none.
        let steps = (1...10).map { 1_000 + $0 * 500 }
        let half = try #require(try walked([], steps, at: 3_500))
        #expect(abs(half - 5) < 0.6)
        #expect(try walked([], steps, at: 9_000) == 10)
    }

    @Test("A profile has a cell each quarter of a metre, however fast the walk was")
    func profile() throws {
        let path = try MagneticPath(Self.corner)
        for (count, period) in [(101, 100), (26, 100), (301, 20)] {
            let walk = MagneticWalk(samples: Self.samples(count, every: period))
            let profile = MagneticProfile(try CheckedWalk(walk, along: path), along: path)
            #expect(profile.features.count == 41)
            #expect(profile.arc(ofCell: 40) == 10)
            let strengths = profile.features.map(\.magnitude)
            #expect(strengths == strengths.sorted())
            #expect(profile.features.allSatisfy { $0.down == nil })
        }
    }
}
