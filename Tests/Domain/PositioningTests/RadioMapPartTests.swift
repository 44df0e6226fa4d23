import Events
import Geometry
import Positioning
import SampleSites
import SeededRandomness
import Testing

@Suite struct RadioMapPartTests {
    /// Surveys of several scanners on both floors, some of them within a walk.
    private static func surveys(_ random: inout SeededRandom) -> [SurveyRecorded] {
        (0..<90).shuffled(using: &random).enumerated().map { position, number in
            let floor = Bool.random(using: &random) ? SampleSite.first : SampleSite.ground
            let x = Double(Int.random(in: 0..<20, using: &random)) + 0.5
            let wifi = (1...12).filter { _ in Bool.random(using: &random) }.map {
                WiFiReading(
                    bssid: HardwareAddress(value: UInt64($0)),
                    rssi: Int.random(in: -95 ... -40, using: &random))
            }
            var scan = SampleSite.scan(number, wifi: wifi, seconds: position * 25)
            scan.scanner = ScannerID("s-\(Int.random(in: 0..<4, using: &random))")
            return SurveyRecorded(scan: scan, place: .metres(floor: floor, x: x, y: 2))
        }
    }

    private static func parts(
        _ surveys: [SurveyRecorded], _ number: Int, _ random: inout SeededRandom
    ) -> [RadioMapPart] {
        let drawn = surveys.map { ($0, Int.random(in: 0..<number, using: &random)) }
        return (0..<number).map { part in
            RadioMapBuilder.build(
                drawn.filter { $0.1 == part }.map(\.0), site: SampleSite.index
            ).part
        }
    }

    @Test(
        "Parts are joined to the map that all surveys give at once, however they are divided",
        arguments: 0..<20)
    func joined(seed: Int) {
        var random = SeededRandom(seed: seed)
        let surveys = Self.surveys(&random)
        let whole = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        for number in [1, 2, 5] {
            let parts = Self.parts(surveys, number, &random)
            #expect(parts.allSatisfy { $0.fault == nil })
            #expect(RadioMap(joining: parts) == whole)
            #expect(RadioMap(joining: parts.reversed()) == whole)
        }
        #expect(whole.fault == nil)
        #expect(Set(whole.fingerprints.map(\.walk)).count > 4, "the surveys are several walks")
    }

    @Test("A survey in two parts counts once, and no parts are the empty map")
    func edges() {
        var random = SeededRandom(seed: 1)
        let surveys = Self.surveys(&random)
        let part = RadioMapBuilder.build(surveys, site: SampleSite.index).part
        #expect(RadioMap(joining: [part, part]) == part.map)
        #expect(RadioMap(joining: []) == .empty)
        #expect(RadioMap(joining: [.empty, .empty]) == .empty)
        #expect(RadioMap(joining: [.empty, part]) == part.map)
    }

    @Test("Every positioner locates in joined parts as in one map")
    func positioners() throws {
        var random = SeededRandom(seed: 1)
        let map = RandomMap.orderly(&random, surveysOfPlace: 3...4)
        let surveys = Self.surveys(of: map)
        let whole = RadioMapBuilder.build(surveys, site: SampleSite.index).map
        let joined = RadioMap(joining: Self.parts(surveys, 3, &random))
        let scans = (0..<10).map { _ in RandomMap.orderlyScan(&random) }
        for name in PositionerRegistry.standard.names {
            let positioner = try #require(PositionerRegistry.standard[name])
            let one = positioner.prepare(whole, site: SampleSite.index)
            let parts = positioner.prepare(joined, site: SampleSite.index)
            var (first, second) = (PositionerScratch(), PositionerScratch())
            for scan in scans {
                let expected = one.locate(scan, state: .empty, seed: 7, scratch: &first)
                let found = parts.locate(scan, state: .empty, seed: 7, scratch: &second)
                #expect(found.estimate == expected.estimate, "\(name)")
                #expect(found.state == expected.state, "\(name)")
            }
        }
    }

    /// Surveys that give this map.
    private static func surveys(of map: RadioMap) -> [SurveyRecorded] {
        map.fingerprints.indices.map { index in
            let fingerprint = map.fingerprints[index]
            let wifi = map.readings(of: index).compactMap { reading -> WiFiReading? in
                let transmitter = map.transmitters[Int(map.readingTransmitter[reading])]
                guard case .wifi(let address) = transmitter else { return nil }
                return WiFiReading(bssid: address, rssi: Int(map.readingRSSI[reading]))
            }
            let point = fingerprint.point
            return SurveyRecorded(
                scan: SampleSite.scan(index, wifi: wifi, seconds: index * 120),
                place: .metres(
                    floor: map.floors[Int(fingerprint.floor)], x: point.x, y: point.y))
        }
    }
}
