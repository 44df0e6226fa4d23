import Glibc
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct FingerprintIndexTests {
    private static let representations: [SignalRepresentation] = [
        .raw, .positive, .exponential, .powed(exponent: M_E), .powed(exponent: 1),
    ]

    @Test(
        "Every distance of every representation equals the paper's over all transmitters",
        arguments: SignalDistance.allCases, 0..<5)
    func againstDense(distance: SignalDistance, seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        var scratch = NeighbourScratch()
        for representation in Self.representations {
            let index = FingerprintIndex(map, representation: representation, distance: distance)
            for _ in 0..<5 {
                let scan = RandomMap.scan(&random)
                let leftOut = Int.random(in: 0..<5, using: &random)
                let count = Int.random(in: 1...30, using: &random)
                index.findNearest(count, to: scan, scratch: &scratch) { $0 % 5 == leftOut }
                let found = scratch.neighbours
                index.forget(&scratch)
                let slow = slowDistances(scan, map, representation, distance)
                    .filter { $0.key % 5 != leftOut }
                let sorted = slow.values.sorted().prefix(count)
                #expect(found.count == sorted.count)
                // Results are compared by rank and by themselves, because equally near ones may
                // come in any order.
                for (neighbour, expected) in zip(found, sorted) {
                    let own = slow[Int(neighbour.fingerprint)] ?? .infinity
                    #expect(isClose(Double(neighbour.distance), expected))
                    #expect(isClose(Double(neighbour.distance), own))
                }
                #expect(Set(found.map(\.fingerprint)).count == found.count)
            }
        }
        #expect(scratch.scores.allSatisfy { $0 == 0 })
        #expect(scratch.strengths.allSatisfy { $0 == 0 })
    }

    private func isClose(_ found: Double, _ expected: Double) -> Bool {
        // Where distances are differences of single-precision sums, their squares are exact to
        // 1e-5.
        abs(found - expected) < 1e-4 + 1e-4 * expected
            || abs(found * found - expected * expected) < 1e-5
    }

    /// The formulas as written in the paper, over the dense table, for the fingerprints that share
    /// a transmitter with the scan.
    private func slowDistances(
        _ scan: RadioScan, _ map: RadioMap, _ representation: SignalRepresentation,
        _ distance: SignalDistance
    ) -> [Int: Double] {
        let minimum = Double(map.readingRSSI.min()!) - 1
        func values(_ row: [Double?]) -> [Double] {
            row.map { rssi in
                let positive = rssi.map { max(0, $0 - minimum) } ?? 0
                return switch representation {
                case .raw: rssi ?? minimum
                case .positive: positive
                case .exponential: exp(positive / 24) / exp(-minimum / 24)
                case .powed(let exponent): pow(positive / -minimum, exponent)
                }
            }
        }
        let heard = map.dense(scan)
        let x = values(heard)
        var distances: [Int: Double] = [:]
        for fingerprint in map.fingerprints.indices {
            let row = map.dense(fingerprint)
            guard zip(heard, row).contains(where: { $0 != nil && $1 != nil }) else { continue }
            let pairs = Array(zip(x, values(row)))
            func sum(_ term: (Double, Double) -> Double) -> Double {
                pairs.reduce(0) { $0 + term($1.0, $1.1) }
            }
            distances[fingerprint] =
                switch distance {
                case .euclidean: sum { ($0 - $1) * ($0 - $1) }.squareRoot()
                case .manhattan: sum { abs($0 - $1) }
                case .sorensen: sum { abs($0 - $1) } / sum { abs($0 + $1) }
                case .cosine:
                    1 - sum { $0 * $1 } / (sum { x, _ in x * x } * sum { $1 * $1 }).squareRoot()
                }
        }
        return distances
    }
}
