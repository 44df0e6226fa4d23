import Events
import Geometry
import Positioning
import SampleSites
import SeededRandomness
import Site

/// Random radio maps, for comparing fast methods with slow ones.
enum RandomMap {
    static let transmitters = 14

    /// Places on both floors of `SampleSite`, each with several surveys.
    static func make(
        _ random: inout SeededRandom, surveysOfPlace: ClosedRange<Int> = 1...5
    ) -> RadioMap {
        var surveys: [SurveyRecorded] = []
        for place in 0..<25 {
            let x = Double(place % 20) + 0.5
            let floor = place % 3 == 0 ? SampleSite.first : SampleSite.ground
            for _ in 0..<Int.random(in: surveysOfPlace, using: &random) {
                let number = surveys.count
                let scan = SampleSite.scan(
                    number, wifi: readings(&random), seconds: number * 120)
                surveys.append(
                    SurveyRecorded(scan: scan, place: .metres(floor: floor, x: x, y: 2)))
            }
        }
        return RadioMapBuilder.build(surveys, site: SampleSite.index).map
    }

    /// Places in a row on both floors. Transmitters are received weaker the farther away they are.
    static func orderly(
        _ random: inout SeededRandom, surveysOfPlace: ClosedRange<Int>
    ) -> RadioMap {
        var surveys: [SurveyRecorded] = []
        for place in 0..<40 {
            let x = Double(place / 2) + 0.5
            let floor = place.isMultiple(of: 2) ? SampleSite.first : SampleSite.ground
            for _ in 0..<Int.random(in: surveysOfPlace, using: &random) {
                let number = surveys.count
                let scan = SampleSite.scan(
                    number, wifi: readings(at: x, isFirst: floor == SampleSite.first, &random),
                    seconds: number * 120)
                surveys.append(
                    SurveyRecorded(scan: scan, place: .metres(floor: floor, x: x, y: 2)))
            }
        }
        return RadioMapBuilder.build(surveys, site: SampleSite.index).map
    }

    /// One walk with a survey each half metre.
    static func dense(_ random: inout SeededRandom) -> RadioMap {
        let surveys = (0..<40).map { number in
            SurveyRecorded(
                scan: SampleSite.scan(number, wifi: readings(&random), seconds: number * 10),
                place: .metres(
                    floor: SampleSite.ground, x: Double(number) / 2,
                    y: Double.random(in: 2...2.3, using: &random)))
        }
        return RadioMapBuilder.build(surveys, site: SampleSite.index).map
    }

    static func orderlyScan(_ random: inout SeededRandom) -> RadioScan {
        let x = Double.random(in: 0...20, using: &random)
        let isFirst = Bool.random(using: &random)
        return RadioScan(
            SampleSite.scan(9_999, wifi: readings(at: x, isFirst: isFirst, &random)))
    }

    /// Transmitters with even numbers stand on the first floor.
    private static func readings(
        at x: Double, isFirst: Bool, _ random: inout SeededRandom
    ) -> [WiFiReading] {
        (1...transmitters).compactMap { number in
            let apart = abs(x - Double(number) * 1.5)
            let isThrough = number.isMultiple(of: 2) != isFirst
            let mean = -50 - 5 * apart - (isThrough ? 20 : 0)
            let rssi = Int(mean) + Int.random(in: -3...3, using: &random)
            guard rssi >= -95 else { return nil }
            return WiFiReading(bssid: HardwareAddress(value: UInt64(number)), rssi: rssi)
        }
    }

    static func scan(_ random: inout SeededRandom) -> RadioScan {
        RadioScan(SampleSite.scan(9_999, wifi: readings(&random)))
    }

    /// Readings are whole numbers from a narrow range, so that many are equal. The last two
    /// addresses are rare.
    private static func readings(_ random: inout SeededRandom) -> [WiFiReading] {
        (1...transmitters).compactMap { number in
            let rarity = number > transmitters - 2 ? 9 : 2
            guard Int.random(in: 0..<rarity, using: &random) == 0 else { return nil }
            return WiFiReading(
                bssid: HardwareAddress(value: UInt64(number)),
                rssi: Int.random(in: -95 ... -60, using: &random))
        }
    }
}

extension RadioMap {
    /// A row of the dense table: the RSSI of each transmitter, nil where it was not received.
    func dense(_ fingerprint: Int) -> [Double?] {
        var row = [Double?](repeating: nil, count: transmitters.count)
        for position in readings(of: fingerprint) {
            row[Int(readingTransmitter[position])] = Double(readingRSSI[position])
        }
        return row
    }

    func dense(_ scan: RadioScan) -> [Double?] {
        transmitters.map { transmitter in
            scan.readings.first { $0.transmitter == transmitter }.map { Double($0.rssi) }
        }
    }
}
