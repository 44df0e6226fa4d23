import Glibc
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct OutdoorsOddsTests {
    private struct Scan {
        /// Nil for the first scan of a track.
        var passed: Double?
        var evidence: OutdoorsOdds.Evidence
    }

    private func history(_ count: Int, seed: Int) -> [Scan] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { number in
            var evidence = OutdoorsOdds.Evidence()
            if Bool.random(using: &random) {
                evidence.level = .random(in: -30...15, using: &random)
                evidence.deviation = .random(in: 3...8, using: &random)
                evidence.weight = .random(in: 0...1, using: &random)
            }
            evidence.other = .random(in: -1.5...3, using: &random)
            return Scan(
                passed: number == 0 ? nil : .random(in: 0...0.1, using: &random),
                evidence: evidence)
        }
    }

    /// The odds by the complete history of the device, without a state: beliefs by side and
    /// offset, each scan's normal densities written out.
    private func slow(_ history: ArraySlice<Scan>) -> Double {
        guard let scan = history.last else { return OutdoorsRules.start }
        return logarithm(beliefs(history.dropLast(), and: scan))
    }

    private struct Cell: Hashable {
        let isOutdoors: Bool
        let offset: Double
    }

    private func beliefs(_ earlier: ArraySlice<Scan>, and scan: Scan) -> [Cell: Double] {
        var beliefs: [Cell: Double] = [:]
        if let last = earlier.last {
            beliefs = self.beliefs(earlier.dropLast(), and: last)
        } else {
            for number in 0..<8 {
                let offset = 3 * Double(number) - 10.5
                let prior = exp(-offset * offset / 2 / pow(OutdoorsRules.offsetDeviation, 2))
                beliefs[Cell(isOutdoors: false, offset: offset)] = prior
                beliefs[Cell(isOutdoors: true, offset: offset)] = prior * exp(OutdoorsRules.start)
            }
        }
        if let passed = scan.passed {
            let before = beliefs
            for (cell, belief) in before {
                let other = Cell(isOutdoors: !cell.isOutdoors, offset: cell.offset)
                beliefs[cell] = (1 - passed) * belief + passed * (before[other] ?? 0)
            }
        }
        let before = logarithm(beliefs)
        if let level = scan.evidence.level {
            for cell in beliefs.keys {
                var distance = level - cell.offset
                var deviation = scan.evidence.deviation
                if cell.isOutdoors {
                    distance += OutdoorsRules.dropDecibels
                    if distance < 0 { distance /= 2 }
                    deviation = OutdoorsRules.deviationOutdoors
                }
                let density = exp(-distance * distance / 2 / deviation / deviation) / deviation
                beliefs[cell]? *= pow(density, scan.evidence.weight)
            }
        }
        let free = logarithm(beliefs)
        var after = free + scan.evidence.other
        after = min(
            max(after, before - OutdoorsRules.mostOfScan), before + OutdoorsRules.mostOfScan)
        after = min(max(after, -OutdoorsRules.most), OutdoorsRules.most)
        for cell in beliefs.keys where cell.isOutdoors { beliefs[cell]? *= exp(after - free) }
        let least = Double(OutdoorsOdds.leastShare) * (beliefs.values.max() ?? 0)
        return beliefs.mapValues { max($0, least) }
    }

    private func logarithm(_ beliefs: [Cell: Double]) -> Double {
        var (indoors, outdoors) = (0.0, 0.0)
        for (cell, belief) in beliefs.sorted(by: { $0.key.offset < $1.key.offset }) {
            if cell.isOutdoors { outdoors += belief } else { indoors += belief }
        }
        return log(outdoors / indoors)
    }

    @Test(
        "The odds that a state carries from scan to scan are those of the complete history",
        arguments: 0..<40)
    func twin(seed: Int) throws {
        let history = history(40, seed: seed)
        var odds = OutdoorsOdds()
        for (number, scan) in history.enumerated() {
            if let passed = scan.passed { odds.pass(passed) }
            odds.weigh(scan.evidence)
            odds = try #require(OutdoorsOdds(odds.bytes))
            let slow = slow(history[...number])
            #expect(abs(odds.logarithm - slow) < 0.25, "scan \(number)")
        }
    }

    @Test("Bytes that are read give the same bytes, and other numbers of them give nothing")
    func bytes() throws {
        var odds = OutdoorsOdds()
        for scan in history(20, seed: 7) {
            odds.weigh(scan.evidence)
            let read = try #require(OutdoorsOdds(odds.bytes))
            #expect(read.bytes == odds.bytes)
        }
        #expect(odds.bytes.count == OutdoorsOdds.byteCount)
        #expect(OutdoorsOdds(odds.bytes.dropLast()) == nil)
        #expect(OutdoorsOdds([UInt8](repeating: 255, count: OutdoorsOdds.byteCount)) != nil)
    }

    @Test("A level that was usual from the beginning is indoors, the same after a drop is outdoors")
    func drop() {
        func after(_ levels: [Double]) -> Double {
            var odds = OutdoorsOdds()
            for level in levels {
                odds.pass(0.05)
                odds.weigh(OutdoorsOdds.Evidence(level: level, weight: 0.9))
            }
            return odds.logarithm
        }
        let weak = [Double](repeating: -7, count: 4)
        #expect(after(weak) < 0)
        #expect(after([Double](repeating: 6, count: 8) + weak) > OutdoorsRules.leaving)
    }

    @Test("No level makes the odds anything but a number within the bounds")
    func extremes() throws {
        for deviation in [OutdoorsRules.deviationAtDoor, 8, 12] {
            for level in stride(from: -128.0, through: 128, by: 4) {
                var odds = OutdoorsOdds()
                for _ in 0..<5 {
                    odds.weigh(
                        OutdoorsOdds.Evidence(level: level, deviation: deviation, weight: 1))
                    #expect(abs(odds.logarithm) <= OutdoorsRules.most + 0.01, "\(level) dB")
                }
                // The state keeps what it said.
                let read = try #require(OutdoorsOdds(odds.bytes))
                #expect(abs(read.logarithm - odds.logarithm) < 0.25, "\(level) dB")
            }
        }
    }
}
