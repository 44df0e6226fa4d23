import Events
import Geometry
import Positioning
import SeededRandomness
import Site

/// Radio maps without order or sense, to compare fast and slow ways on.
enum RandomMap {
    static let transmitters = 14

    /// Places on both floors of `SampleSite`, each with several surveys.
    static func make(_ random: inout SeededRandom) -> RadioMap {
        var surveys: [SurveyRecorded] = []
        for place in 0..<25 {
            let x = Double(place % 20) + 0.5
            let floor = place % 3 == 0 ? SampleSite.first : SampleSite.ground
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let number = surveys.count
                let scan = SampleSite.scan(
                    number, wifi: readings(&random), seconds: number * 120)
                surveys.append(
                    SurveyRecorded(scan: scan, place: .metres(floor: floor, x: x, y: 2)))
            }
        }
        return RadioMapBuilder.build(surveys, site: SampleSite.index).map
    }

    static func scan(_ random: inout SeededRandom) -> RadioScan {
        RadioScan(SampleSite.scan(9_999, wifi: readings(&random)))
    }

    /// Whole numbers from a narrow range, so that many are equal. The last two addresses are rare.
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
    /// A row of the dense table: the RSSI of each transmitter; nil where it was not heard.
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
