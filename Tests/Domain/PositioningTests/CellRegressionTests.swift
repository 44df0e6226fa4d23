import Geometry
import Glibc
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct CellRegressionTests {
    @Test(
        "The searched cells have the weights of the formula over all squares and surveys",
        arguments: 0..<6, [false, true])
    func againstFormula(seed: Int, isDense: Bool) throws {
        var random = SeededRandom(seed: seed)
        let map = isDense ? RandomMap.dense(&random) : RandomMap.make(&random)
        // Half a metre between surveys needs a narrower kernel than usual.
        let deviation = isDense ? 1.0 : 5
        let search = CellSearch(map)
        var scratch = CellScratch()
        for leftOut in 0..<4 {
            let scan = RandomMap.scan(&random)
            let isLeftOut = { (fingerprint: Int) in fingerprint % 4 == leftOut }
            let guess = search.guess(scan, scratch: &scratch, isLeftOut: isLeftOut)
            let slow = slowWeights(scan, map, deviation, isLeftOut)
            #expect(scratch.candidates.isEmpty == slow.isEmpty)
            #expect((guess == nil) == slow.isEmpty)
            let most = slow.values.max() ?? 1
            for candidate in scratch.candidates {
                let key = Key(floor: candidate.floor, x: candidate.point.x, y: candidate.point.y)
                let expected = try #require(slow[key]) / most
                #expect(abs(candidate.weight - expected) < 1e-3 * expected + 5e-4)
            }
            // The only missing cells are those with hardly any weight.
            #expect(slow.values.count { $0 > 1e-3 * most } <= scratch.candidates.count)
        }
        #expect(scratch.cellSums.allSatisfy { $0 == 0 })
        #expect(scratch.touchedCells.isEmpty)
    }

    private struct Key: Hashable {
        let floor: Int32
        let x: Double
        let y: Double
    }

    private func slowWeights(
        _ scan: RadioScan, _ map: RadioMap, _ deviation: Double, _ isLeftOut: (Int) -> Bool
    ) -> [Key: Double] {
        let minimum = Double(map.readingRSSI.min()!) - 1
        func strengths(_ row: [Double?]) -> [Double] {
            row.map { rssi in rssi.map { pow(max(0, $0 - minimum) / -minimum, M_E) } ?? 0 }
        }
        let own = strengths(map.dense(scan))
        var distances: [Int: Double] = [:]
        for fingerprint in map.fingerprints.indices where !isLeftOut(fingerprint) {
            let other = strengths(map.dense(fingerprint))
            let shared = zip(own, other).reduce(0) { $0 + min($1.0, $1.1) }
            guard shared > 0 else { continue }
            let total = own.reduce(0, +) + other.reduce(0, +)
            distances[fingerprint] = 1 - 2 * shared / total
        }
        guard let nearest = distances.values.min() else { return [:] }
        var weights: [Key: Double] = [:]
        for floor in map.floors.indices {
            for column in -10..<30 {
                for row in -10..<20 {
                    let point = Point(x: Double(2 * column + 1), y: Double(2 * row + 1))
                    let about = map.fingerprints.indices.filter {
                        Int(map.fingerprints[$0].floor) == floor
                            && map.fingerprints[$0].point.distance(to: point) <= 1.6 * deviation
                    }
                    guard
                        map.fingerprints.contains(where: {
                            Int($0.floor) == floor && $0.point.distance(to: point) <= 3
                        })
                    else { continue }
                    var (likeness, density) = (0.0, 0.0)
                    for fingerprint in about where !isLeftOut(fingerprint) {
                        let metres = map.fingerprints[fingerprint].point.distance(to: point)
                        let kernel = exp(-metres * metres / (2 * deviation * deviation))
                        density += kernel
                        guard let distance = distances[fingerprint] else { continue }
                        likeness += kernel * exp(-(distance - nearest) / 0.03)
                    }
                    guard likeness > 0 else { continue }
                    weights[Key(floor: Int32(floor), x: point.x, y: point.y)] =
                        pow(likeness / (density + 0.3), 1.3)
                }
            }
        }
        return weights
    }

    @Test("A scan between surveyed points is located there; one of unknown transmitters is lost")
    func located() throws {
        let prepared = CellRegression().prepare(SampleSite.map, site: SampleSite.index)
        for (x, y, floor) in [(5.0, 4.0, SampleSite.ground), (14.0, 3.0, SampleSite.first)] {
            let wifi = SampleSite.readings(at: Point(x: x, y: y), floor: floor)
            let estimate = prepared.locate(RadioScan(SampleSite.scan(1, wifi: wifi)))
            let place = try #require(estimate.place)
            #expect(place.floor == floor)
            #expect(place.point.distance(to: Point(x: x, y: y)) < 2.5)
        }
        let silence = RadioScan(SampleSite.scan(1, wifi: []))
        #expect(prepared.locate(silence) == .lost)
        let empty = CellRegression().prepare(.empty, site: SampleSite.index)
        #expect(empty.locate(silence) == .lost)
    }
}
