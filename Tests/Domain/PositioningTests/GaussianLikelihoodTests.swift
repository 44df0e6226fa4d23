import Events
import Geometry
import Glibc
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct GaussianLikelihoodTests {
    @Test(
        "The index agrees with the likelihood over every transmitter at every place",
        arguments: 0..<20)
    func againstEveryPlace(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        let positioner = GaussianLikelihood()
        let prepared = try #require(
            positioner.prepare(map, site: SampleSite.index) as? PreparedGaussianLikelihood)
        var scratch = PositionerScratch()
        for _ in 0..<10 {
            let scan = RandomMap.scan(&random)
            let found = prepared.locate(scan, state: .empty, seed: 0, scratch: &scratch).estimate
            guard let slow = slowPlace(scan, map, temper: prepared.temper) else {
                #expect(found == .lost)
                continue
            }
            let place = try #require(found.place)
            #expect(place.floor == map.floors[Int(slow.floor)])
            #expect(place.point.distance(to: slow.point) < 0.01)
        }
        let memory = scratch.use(GaussianScratch()) { $0 }
        #expect(!memory.scores.isEmpty && memory.scores.allSatisfy { $0 == 0 })
        #expect(memory.lastReading.allSatisfy { $0 == 0 })
    }

    private func slowPlace(
        _ scan: RadioScan, _ map: RadioMap, temper: Double
    ) -> (floor: Int32, point: Point)? {
        let heard = map.dense(scan)
        var logarithms: [Int: Double] = [:]
        for place in map.places.indices {
            let rows = map.fingerprints.indices
                .filter { map.fingerprints[$0].place == place }.map { map.dense($0) }
            var sum = 0.0
            var isShared = false
            for transmitter in map.transmitters.indices {
                let surveyed = rows.compactMap { $0[transmitter] }
                if let rssi = heard[transmitter] {
                    sum += log(heardDensity(rssi, surveyed, surveys: rows.count))
                    isShared = isShared || !surveyed.isEmpty
                } else {
                    sum += log(1 - detection(surveyed, surveys: rows.count))
                }
            }
            if isShared { logarithms[place] = sum }
        }
        guard let best = logarithms.values.max() else { return nil }
        let weights = logarithms.mapValues { exp(temper * ($0 - best)) }
        var floors: [Int32: Double] = [:]
        for (place, weight) in weights { floors[map.places[place].floor, default: 0] += weight }
        let floor = floors.max { $0.value < $1.value }!.key
        var point = Point(x: 0, y: 0)
        for (place, weight) in weights where map.places[place].floor == floor {
            let own = map.fingerprints.first { $0.place == place }!.point
            point.x += weight * own.x / floors[floor]!
            point.y += weight * own.y / floors[floor]!
        }
        return (floor, point)
    }

    private func detection(_ surveyed: [Double], surveys: Int) -> Double {
        surveyed.isEmpty ? 0.01 : (Double(surveyed.count) + 0.5) / (Double(surveys) + 1)
    }

    private func heardDensity(_ rssi: Double, _ surveyed: [Double], surveys: Int) -> Double {
        let detection = detection(surveyed, surveys: surveys)
        guard !surveyed.isEmpty else { return detection / 60 }
        let count = Double(surveyed.count)
        let mean = surveyed.reduce(0, +) / count
        let scatter = surveyed.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let deviation = max(3, ((scatter + 3 * 6 * 6) / (count + 3)).squareRoot())
        let standard = (rssi - mean) / deviation
        return detection * exp(-standard * standard / 2) / (deviation * (2 * .pi).squareRoot())
    }

    @Test("A scan made between surveyed points is located there, on its floor")
    func located() throws {
        let prepared = GaussianLikelihood().prepare(SampleSite.map, site: SampleSite.index)
        for (x, y, floor) in [(4.2, 4.6, SampleSite.ground), (12.0, 3.0, SampleSite.first)] {
            let point = Point(x: x, y: y)
            let wifi = SampleSite.readings(at: point, floor: floor)
            let estimate = prepared.locate(RadioScan(SampleSite.scan(1, wifi: wifi)))
            let place = try #require(estimate.place)
            #expect(estimate.state == .located)
            #expect(place.floor == floor)
            #expect(place.point.distance(to: point) < 2)
            #expect(place.radius95 >= place.radius68)
        }
        let nothing = RadioScan(readings: [], at: Timestamp(microseconds: 0))
        #expect(prepared.locate(nothing) == .lost)
        let empty = GaussianLikelihood().prepare(.empty, site: SampleSite.index)
        #expect(empty.locate(nothing) == .lost)
    }
}
