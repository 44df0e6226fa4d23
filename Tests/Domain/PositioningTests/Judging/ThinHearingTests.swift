import Events
import Geometry
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite("Thin scans") struct ThinHearingTests {
    private static let beacon = EventID(high: 8, low: 1)

    /// Surveys of the ground floor with some of 40 access points and 8 beacons each.
    private static func map(_ random: inout SeededRandom, heard: Int) -> RadioMap {
        let surveys = (0..<100).map { number in
            var scan = scan(number, heard, heard / 5, &random)
            scan.at = scan.at.advanced(byMicroseconds: Int64(number) * 120_000_000)
            return SurveyRecorded(
                scan: scan,
                place: .metres(
                    floor: SampleSite.ground, x: Double.random(in: 0...20, using: &random), y: 2))
        }
        return RadioMapBuilder.build(surveys, site: SampleSite.index).map
    }

    private static func scan(
        _ number: Int, _ accessPoints: Int, _ beacons: Int, _ random: inout SeededRandom
    ) -> ScanRecorded {
        func rssi() -> Int { Int.random(in: -80 ... -40, using: &random) }
        let wifi = (1...40).shuffled(using: &random).prefix(accessPoints).map {
            WiFiReading(bssid: HardwareAddress(value: UInt64($0)), rssi: rssi())
        }
        var scan = SampleSite.scan(number, wifi: wifi)
        scan.ble = (1...8).shuffled(using: &random).prefix(beacons).map {
            BluetoothReading(uuid: beacon, major: 1, minor: UInt16($0), rssi: rssi())
        }
        return scan
    }

    /// The rule, with the surveys of the square counted anew.
    private static func isThin(_ scan: RadioScan, _ map: RadioMap, _ point: Point) -> Bool {
        func isWiFi(_ transmitter: Transmitter) -> Bool {
            if case .wifi = transmitter { true } else { false }
        }
        func isNear(_ other: Point) -> Bool {
            (other.x / 8).rounded(.down) == (point.x / 8).rounded(.down)
                && (other.y / 8).rounded(.down) == (point.y / 8).rounded(.down)
        }
        let near = map.fingerprints.indices.filter { isNear(map.fingerprints[$0].point) }
        let all = near.isEmpty ? Array(map.fingerprints.indices) : near
        var (heard, expected) = (0, 0)
        for kind in [true, false] {
            let own = scan.readings.count {
                map.transmitters.contains($0.transmitter) && isWiFi($0.transmitter) == kind
            }
            guard own > 0 else { continue }
            heard += own
            expected +=
                all.map { index in
                    map.scan(of: index).readings.count { isWiFi($0.transmitter) == kind }
                }.sorted()[all.count / 2]
        }
        return 4 * heard < expected
    }

    @Test("have less than a quarter of the transmitters of the surveys around", arguments: 0..<20)
    func counted(seed: Int) {
        var random = SeededRandom(seed: seed)
        let map = Self.map(&random, heard: Int.random(in: 10...40, using: &random))
        let hearing = ThinHearing(map)
        var thin = 0
        for number in 0..<60 {
            let own = Self.scan(
                number, Int.random(in: 0...16, using: &random),
                Int.random(in: 0...2, using: &random), &random)
            let scan = RadioScan(own)
            let point = Point(x: Double.random(in: 0...30, using: &random), y: 3)
            let known = scan.readings.count { map.transmitters.contains($0.transmitter) }
            let found = hearing.isThin(
                scan, overlap: Int.random(in: 0...known, using: &random), at: point, floor: 0)
            #expect(found == Self.isThin(scan, map, point))
            thin += found ? 1 : 0
        }
        #expect((1..<60).contains(thin))
    }

    @Test("are uncertain, and those of telephones that hear beacons alone are not")
    func located() throws {
        var random = SeededRandom(seed: 3)
        let map = Self.map(&random, heard: 40)
        let positioner = NearestNeighbours().prepare(map, site: SampleSite.index)
        let heard = [(40, 8), (12, 3), (4, 0), (0, 8), (1, 0)]
        let states = heard.map { accessPoints, beacons in
            positioner.locate(RadioScan(Self.scan(99, accessPoints, beacons, &random))).state
        }
        #expect(states == [.located, .located, .uncertain, .located, .uncertain])
    }
}
