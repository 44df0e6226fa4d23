import Geometry
import Glibc
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct AnchorChoosingTests {
    @Test(
        "Comparing with chosen anchors gives the same as comparing with all of them",
        arguments: 0..<6)
    func chosen(seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.orderly(&random, surveysOfPlace: seed < 4 ? 1...6 : 33...36)
        var settings = BlendChoice.fallback.settings
        settings.exponent = seed % 4
        settings.temperature = seed.isMultiple(of: 2) ? 0.005 : 0.02
        settings.likelihood = seed.isMultiple(of: 3) ? 0 : 0.2
        settings.floorLikelihood = settings.likelihood
        settings.neighbourShare = 0.3
        let model = AnchorModel(
            map, of: map.fingerprints.indices.map { Int32($0) },
            plan: AnchorModel.Plan(serving: map, settings))
        var all = AnchorScratch()
        var few = AnchorScratch()
        var (compared, touched) = (0, 0)
        for _ in 0..<12 {
            let readings = map.numberedReadings(of: RandomMap.orderlyScan(&random))
            let lanes = settings.neighbourExponent..<settings.neighbourExponent + 1
            let known = model.compare(
                readings, correction: model.plan.correction(settings), lanes: lanes, scratch: &all)
            #expect(model.compare(readings, for: settings, scratch: &few) == known)
            guard known > 0, !all.touchedAnchors.isEmpty else { continue }
            touched += all.comparedAnchors.count
            compared += few.comparedAnchors.count
            #expect(Set(few.comparedAnchors).count == few.comparedAnchors.count)
            let slow = model.blend(settings, scratch: &all)
            let quick = model.blend(settings, scratch: &few)
            #expect(quick.mean.point.distance(to: slow.mean.point) < 1e-6)
            #expect(quick.floor == slow.floor)
            #expect(quick.evidence.distance == slow.evidence.distance)
            #expect(abs(quick.evidence.spread - slow.evidence.spread) < 1e-6)
            let slowFloor = model.electFloor(settings, scratch: &all)
            let quickFloor = model.electFloor(settings, scratch: &few)
            #expect(quickFloor.floor == slowFloor.floor)
            #expect(abs(quickFloor.share - slowFloor.share) < 1e-9)
        }
        // Otherwise the test would not have compared few anchors with all.
        #expect(compared < touched)
    }

    @Test(
        "The nearest rows have the smallest distances; of equals the first are used",
        arguments: 0..<8)
    func nearestRows(seed: Int) {
        var random = SeededRandom(seed: seed)
        var nearest = NearestRows()
        var all: [(distance: Float, row: Int)] = []
        for row in (0..<60).shuffled(using: &random) {
            let distance = Float(Int.random(in: 0..<20, using: &random)) / 20
            all.append((distance, row))
            if distance <= nearest.limit { nearest.insert(row, distance) }
            let expected = all.sorted { $0 < $1 }.prefix(NearestRows.most)
            #expect(nearest.rows.map { Int($0.row) } == expected.map { $0.row })
        }
    }

    @Test("The nearest five are the five smallest distances for each exponent", arguments: 0..<8)
    func nearestFive(seed: Int) {
        var random = SeededRandom(seed: seed)
        for count in 1...12 {
            let distances = (0..<count).map { _ in
                AnchorDistances.Lanes.random(in: 0...1, using: &random)
            }
            var nearest = NearestFive()
            distances.withUnsafeBufferPointer { nearest.insert($0) }
            let size = min(count, AnchorDistances.nearest)
            for lane in 0..<4 {
                let smallest = distances.map { $0[lane] }.sorted().prefix(size)
                let mean = smallest.reduce(0, +) / Float(size)
                #expect(abs(nearest.mean(of: size)[lane] - mean) < 1e-6)
            }
        }
    }

    @Test("Anchors and their rows are no nearer than their bounds", arguments: 0..<8)
    func bounds(seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.orderly(&random, surveysOfPlace: seed < 6 ? 1...12 : 33...36)
        let rows = map.fingerprints.indices.map { Int32($0) }
        let anchors = Anchors(map, of: rows)
        let model = AnchorDistances(SurveyReadings(map, of: rows), anchors)
        var scratch = AnchorScratch()
        for _ in 0..<12 {
            let readings = map.numberedReadings(of: RandomMap.orderlyScan(&random))
                .filter { model.knows($0.transmitter) }
            let lane = KernelRidge.exponent
            model.touch(readings, scratch: &scratch)
            model.find(readings, lanes: lane..<lane + 1, keepsRows: true, scratch: &scratch)
            for anchor in scratch.touchedAnchors.map(Int.init) {
                let bound = scratch.anchorBounds[anchor]
                #expect(all(bound .<= scratch.anchorDistances[anchor]))
                for row in anchors.rows(of: anchor) {
                    #expect(bound[lane] <= scratch.rowDistances[row])
                }
            }
        }
    }

    @Test("The touched anchors are those that received a transmitter of the scan", arguments: 0..<8)
    func touched(seed: Int) {
        var random = SeededRandom(seed: seed)
        let anchors = Int.random(in: 1...300, using: &random)
        let heard = (0..<20).map { _ in
            let share = Double.random(in: 0...0.3, using: &random)
            return (0..<Int32(anchors)).filter { _ in
                Double.random(in: 0..<1, using: &random) < share
            }
        }
        let touch = AnchorTouch(heard, anchors: anchors)
        var words: [UInt64] = []
        var touched: [Int32] = []
        for _ in 0..<20 {
            let readings = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                NumberedReading(transmitter: Int32.random(in: 0..<20, using: &random), rssi: -60)
            }
            touch.find(readings, &words, &touched)
            let slow = Set(readings.flatMap { heard[Int($0.transmitter)] })
            #expect(touched == slow.sorted())
        }
    }

    @Test("The quick exponential function equals the library's except for rounding")
    func exponentials() {
        for step in 0..<40_000 {
            let value = Float(step) / 250 - 80
            let quick = exponential(SIMD4(value, value, value, value))
            #expect(abs(Double(quick[3]) / Glibc.exp(Double(value)) - 1) < 1e-6)
        }
        #expect(exponential(SIMD4(-81, -1e30, -.infinity, 0)) == SIMD4(0, 0, 0, 1))
    }

    @Test(
        "The largest number of all offsets is found, and each number by its lane", arguments: 0..<8)
    func offsetLanes(seed: Int) {
        var random = SeededRandom(seed: seed)
        let numbers = (0..<OffsetLanes.count).map { _ in Float.random(in: -9...9, using: &random) }
        let lanes = OffsetLanes(
            low: SIMD4(numbers[0..<4]), middle: SIMD4(numbers[4..<8]),
            high: SIMD4(numbers[8], numbers[9], numbers[10], numbers[10]))
        #expect(lanes.most == numbers.max())
        #expect((0..<OffsetLanes.count).map { lanes[$0] } == numbers)
    }
}

extension RadioMap {
    /// The readings whose transmitters are in the map.
    fileprivate func numberedReadings(of scan: RadioScan) -> [NumberedReading] {
        var numbered: [NumberedReading] = []
        TransmitterNumbers(self).number(scan.readings, into: &numbered)
        return numbered
    }
}
