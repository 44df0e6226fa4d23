import Events
import Geometry
import Glibc
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct OffsetCorrectionTests {
    @Test("The usual offset is subtracted, and a part of the rest is used")
    func partOfAnOffset() {
        let correction = OffsetCorrection(usual: 2, trust: 0.75)
        #expect(correction.offset(seen: 10) == 6)
        #expect(correction.offset(seen: 2) == 0)
        #expect(OffsetCorrection.none.offset(seen: 10) == 0)
        #expect(OffsetCorrection.full.offset(seen: 10) == 10)
    }

    @Test(
        "A weaker telephone is located better, and the surveyor's own hardly worse",
        arguments: 0..<2)
    func weakTelephone(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let map = survey(&random)
        let choice = try #require(BlendChoice(for: map, seed: 1))
        #expect(choice.settings.offset.trust > 0.5)
        #expect(choice.settings.offset.trust < 1)
        var uncorrected = choice
        uncorrected.settings.offset = .none
        func errors(_ choice: BlendChoice, decibels: Double) -> Double {
            var random = SeededRandom(seed: seed + 100)
            let prepared = PreparedBlend(map: map, site: SampleSite.index, choice: choice)
            let errors = (0..<60).compactMap { _ -> Double? in
                let point = Point(
                    x: Double.random(in: 1...19, using: &random),
                    y: Double.random(in: 1...3, using: &random))
                let scan = RadioScan(
                    SampleSite.scan(
                        9_999, wifi: readings(at: point, decibels: decibels, &random)))
                return prepared.locate(scan).place?.point.distance(to: point)
            }
            #expect(errors.count == 60)
            return errors.reduce(0, +) / Double(errors.count)
        }
        #expect(errors(choice, decibels: -9) < 0.95 * errors(uncorrected, decibels: -9))
        #expect(errors(choice, decibels: 0) < 1.3 * errors(uncorrected, decibels: 0))
    }

    @Test("A map of too few surveys corrects nothing")
    func fewSurveys() {
        var random = SeededRandom(seed: 1)
        var map = survey(&random)
        #expect(OffsetCorrection(map, CrossValidation(map, seed: 1)) != .none)
        let left = OffsetCorrection.fewestScans - 1
        map.fingerprints.removeLast(map.fingerprints.count - left)
        map.readingStart.removeLast(map.readingStart.count - left - 1)
        #expect(OffsetCorrection(map, CrossValidation(map, seed: 1)) == .none)
    }
}

/// A map with one survey at each place of a grid, by one scanner. Stronger transmitters are
/// received farther away.
private func survey(_ random: inout SeededRandom) -> RadioMap {
    var surveys: [SurveyRecorded] = []
    for column in 0..<20 {
        for row in 0..<4 {
            let point = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
            let scan = SampleSite.scan(
                surveys.count, wifi: readings(at: point, decibels: 0, &random),
                seconds: surveys.count * 20)
            surveys.append(
                SurveyRecorded(
                    scan: scan, place: .metres(floor: SampleSite.ground, x: point.x, y: point.y)))
        }
    }
    return RadioMapBuilder.build(surveys, site: SampleSite.index).map
}

private func readings(
    at point: Point, decibels: Double, _ random: inout SeededRandom
) -> [WiFiReading] {
    (1...16).compactMap { number in
        let mast = Point(x: Double(number * 7 % 20), y: Double(number * 3 % 5))
        let loss = 30 * log10(max(point.distance(to: mast), 1))
        let noise = (1...4).reduce(0.0) { sum, _ in
            sum + Double.random(in: -3...3, using: &random)
        }
        let rssi = Int((-50 - loss + noise + decibels).rounded())
        return rssi < -88
            ? nil : WiFiReading(bssid: HardwareAddress(value: UInt64(number)), rssi: rssi)
    }
}
