import Events
import Geometry
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct BestMatchTests {
    @Test(
        "Both variants agree with a search through all surveys for each reading of the scan",
        arguments: [BestMatch.Reading.allTied, .firstRow], 0..<15)
    func againstAllSurveys(reading: BestMatch.Reading, seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        let index = BestMatchIndex(map, reading: reading)
        var scratch = BestMatchScratch()
        for trial in 0..<10 {
            let scan = RandomMap.scan(&random)
            let leftOut = trial % 2 == 0 ? -1 : Int.random(in: 0..<5, using: &random)
            let found = index.match(scan, scratch: &scratch) { $0 % 5 == leftOut }
            let expected = slowMatch(scan, map, reading) { $0 % 5 == leftOut }
            #expect(found?.fingerprint == expected?.fingerprint)
            #expect(found?.marks == expected?.marks)
        }
        #expect(scratch.scores.allSatisfy { $0 == 0 })
    }

    private func slowMatch(
        _ scan: RadioScan, _ map: RadioMap, _ reading: BestMatch.Reading,
        isLeftOut: (Int) -> Bool
    ) -> (fingerprint: Int, marks: Int)? {
        var marks: [Int32: Int] = [:]
        let table = map.fingerprints.indices.map { map.dense($0) }
        for (number, heard) in map.dense(scan).enumerated() {
            guard let heard else { continue }
            let rows = table.indices.filter { table[$0][number] != nil && !isLeftOut($0) }
            let gaps = rows.map { abs(table[$0][number]! - heard) }
            guard let least = gaps.min() else { continue }
            let nearest = zip(rows, gaps).filter { $0.1 == least }.map(\.0)
            let marking = reading == .firstRow ? Array(nearest.prefix(1)) : nearest
            for place in Set(marking.map { map.fingerprints[$0].place }) {
                marks[place, default: 0] += 1
            }
        }
        guard let most = marks.values.max() else { return nil }
        let first = map.fingerprints.firstIndex { marks[$0.place] == most }!
        return (first, most)
    }

    @Test("On an unambiguous map the estimate is a surveyed place near the scan")
    func located() throws {
        for positioner in [BestMatch(.allTied), BestMatch(.firstRow)] {
            let prepared = positioner.prepare(SampleSite.map, site: SampleSite.index)
            let point = Point(x: 4.5, y: 4.5)
            let wifi = SampleSite.readings(at: point, floor: SampleSite.ground)
            let estimate = prepared.locate(RadioScan(SampleSite.scan(1, wifi: wifi)))
            let place = try #require(estimate.place)
            #expect(place.floor == SampleSite.ground)
            #expect(place.point.distance(to: point) < 7)
            #expect(place.radius95 >= place.radius68)
            let lost = prepared.locate(RadioScan(readings: [], at: Timestamp(microseconds: 0)))
            #expect(lost == .lost)
        }
    }
}
