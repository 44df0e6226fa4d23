import Events
import Geometry
import Positioning
import SampleSites
import SeededRandomness
import Site
import Testing

@Suite("Copies of surveys") struct SurveyCopiesTests {
    /// Surveys of few places, scanners, times and strengths, so that many are alike.
    private static func surveys(_ random: inout SeededRandom) -> [SurveyRecorded] {
        (0..<120).shuffled(using: &random).map { number in
            let floor = Bool.random(using: &random) ? SampleSite.first : SampleSite.ground
            let x = Double(Int.random(in: 0..<2, using: &random)) + 0.5
            let heard = Int.random(in: 1...4, using: &random)
            let wifi = (0..<heard).map {
                WiFiReading(
                    bssid: HardwareAddress(value: UInt64($0 + 1)),
                    rssi: -60 - Int.random(in: 0...1, using: &random))
            }
            let seconds = Int.random(in: 0..<6, using: &random) * 45
            var scan = SampleSite.scan(number, wifi: wifi, seconds: seconds)
            scan.scanner = ScannerID("s-\(Int.random(in: 0..<2, using: &random))")
            let isNamed = Int.random(in: 0..<4, using: &random) == 0
            let place: SurveyPlace =
                isNamed
                ? .location(LocationID("desk")) : .metres(floor: floor, x: x, y: 2)
            return SurveyRecorded(scan: scan, place: place)
        }
    }

    /// Compares each survey with all before it.
    private static func withoutCopies(_ surveys: [SurveyRecorded]) -> [SurveyRecorded] {
        var kept: [SurveyRecorded] = []
        for survey in surveys.sorted(by: { $0.scan.id < $1.scan.id }) {
            let readings = RadioScan(survey.scan).readings
            let isCopy = kept.contains { other in
                other.place == survey.place && other.scan.scanner == survey.scan.scanner
                    && RadioScan(other.scan).readings == readings
                    && (readings.count >= 3 || other.scan.at == survey.scan.at)
            }
            if !isCopy { kept.append(survey) }
        }
        return kept
    }

    @Test("A map has no copies, and is that of the other surveys alone", arguments: 0..<20)
    func once(seed: Int) {
        var random = SeededRandom(seed: seed)
        let surveys = Self.surveys(&random)
        let kept = Self.withoutCopies(surveys)
        let part = RadioMapBuilder.build(surveys, site: SampleSite.index).part
        #expect(part.map.fingerprints.map(\.survey) == kept.map(\.scan.id))
        #expect(part.map.fingerprints.count < surveys.count - 5)
        #expect(part.fault == nil)
        #expect(part == RadioMapBuilder.build(kept, site: SampleSite.index).part)
    }

    @Test("Each survey six times over gives the map of each survey once", arguments: [0, 300])
    func sixfold(secondsApart: Int64) {
        let copies = (1..<6).flatMap { number in
            SampleSite.surveys.map { survey in
                var copy = survey
                copy.scan.id = EventID(high: 7 + UInt64(number), low: survey.scan.id.low)
                let shift = secondsApart * Int64(number) * 1_000_000
                copy.scan.at = survey.scan.at.advanced(byMicroseconds: shift)
                return copy
            }
        }
        let map = RadioMapBuilder.build(SampleSite.surveys + copies, site: SampleSite.index).map
        #expect(map == SampleSite.map)
    }

    @Test(
        "Parts that divide no place are joined to the map that all surveys give", arguments: 0..<10)
    func joined(seed: Int) {
        var random = SeededRandom(seed: seed)
        let surveys = Self.surveys(&random)
        let parts = Dictionary(grouping: surveys) { $0.place }.values.map {
            RadioMapBuilder.build($0, site: SampleSite.index).part
        }
        let whole = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        #expect(RadioMap(joining: parts) == whole)
    }

    @Test("The best match, whose published figures count each row, answers as with all of them")
    func bestMatch() throws {
        var random = SeededRandom(seed: 5)
        let surveys = Self.surveys(&random)
        let map = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        // Each of them has another scanner, so that none is a copy.
        let all = surveys.map { survey in
            var survey = survey
            survey.scan.scanner = ScannerID("own-\(survey.scan.id.low)")
            return survey
        }
        let uncollapsed = RadioMapBuilder.build(all, site: SampleSite.index).map
        #expect(uncollapsed.fingerprints.count == surveys.count)
        for reading in [BestMatch.Reading.allTied, .firstRow] {
            let one = BestMatch(reading).prepare(map, site: SampleSite.index)
            let other = BestMatch(reading).prepare(uncollapsed, site: SampleSite.index)
            var (first, second) = (PositionerScratch(), PositionerScratch())
            for survey in surveys {
                let scan = RadioScan(survey.scan)
                let found = one.locate(scan, state: .empty, seed: 1, scratch: &first).estimate
                let expected = other.locate(scan, state: .empty, seed: 1, scratch: &second).estimate
                #expect(found.place?.point == expected.place?.point)
                #expect(found.place?.floor == expected.place?.floor)
            }
        }
    }
}
