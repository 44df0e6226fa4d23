import Events
import Numbers
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct FloorNetworkTests {
    @Test("Training computes bit for bit what one number after the other gives", arguments: 0..<3)
    func trainsLikePlain(seed: Int) {
        var random = SeededRandom(seed: seed)
        var map = RandomMap.make(&random, surveysOfPlace: 1...2)
        // More floors than lanes, and some without surveys.
        let floors = [2, 9, 40][seed]
        map.floors += (map.floors.count..<floors).map { FloorID("floor\($0)") }
        for index in map.fingerprints.indices where seed > 0 {
            map.fingerprints[index].floor = Int32.random(in: 0..<Int32(floors), using: &random)
        }
        // Some transmitters have no reading in what is left.
        let kept = map.fingerprints.indices.filter { $0 % 5 != seed }.map { Int32($0) }
        let surveys = SurveyReadings(map, of: kept)
        let style = FloorNetwork.Style.both[seed % 2]
        let network = FloorNetwork(surveys, style: style, seed: UInt64(seed))
        let plain = PlainFloorTraining.network(surveys, style, seed: UInt64(seed))
        #expect(network.minimum == plain.minimum)
        for weights in [
            \FloorNetwork.input, \FloorNetwork.inputBias, \FloorNetwork.output,
            \FloorNetwork.outputBias,
        ] {
            let (own, others) = (network[keyPath: weights], plain[keyPath: weights])
            #expect(own.map(\.bitPattern) == others.map(\.bitPattern))
        }
    }

    @Test("Surveys without readings are no lessons")
    func nothingReceived() {
        var random = SeededRandom(seed: 1)
        var map = RandomMap.make(&random)
        map.readingStart = map.readingStart.map { _ in 0 }
        let surveys = SurveyReadings(map, of: map.fingerprints.indices.map { Int32($0) })
        let network = FloorNetwork(surveys, style: .both[0], seed: 1)
        #expect(network.inputBias == [Float](repeating: 0, count: FloorNetwork.hidden))
    }
}

@Suite struct NormalNumbersTests {
    @Test("Many normal numbers at once are those that are drawn alone", arguments: 0..<4)
    func likeAlone(seed: Int) {
        let count = 100_000
        var random = SplitMix64(seed: UInt64(seed))
        var alone = random
        let pairs = (0..<count).map { _ in (random.share(), random.share()) }
        #expect(together(pairs) == (0..<count).map { _ in alone.normal() })
    }

    @Test("Numbers at the ends of their ranges, and near full quarters of a turn, are the same")
    func ends() {
        let quarters: [Double] = [0, 0.25, 0.5, 0.75, 1]
        let gaps: [Double] = [-1e-9, -0x3p-53, -0x1p-53, 0, 0x1p-53, 0x3p-53, 1e-9]
        let ends: [Double] = quarters.flatMap { quarter in gaps.map { quarter + $0 } }
            .filter { 0 <= $0 && $0 < 1 }
        let pairs = ends.flatMap { radius in ends.map { (radius, $0) } }
        #expect(together(pairs) == pairs.map { NormalNumbers.normal($0, $1) })
    }

    private func together(_ pairs: [(Double, Double)]) -> [Float] {
        let (radii, turns) = (pairs.map(\.0), pairs.map(\.1))
        var numbers = [Float](repeating: 0, count: pairs.count)
        var highest = numbers
        radii.withUnsafeBufferPointer { radii in
            turns.withUnsafeBufferPointer { turns in
                numbers.withUnsafeMutableBufferPointer { numbers in
                    highest.withUnsafeMutableBufferPointer { highest in
                        NormalNumbers.find(radii, turns, into: numbers, highest: highest)
                    }
                }
            }
        }
        return numbers
    }
}
