import Events
import Geometry
import Positioning
import SeededRandomness
import Simulation
import Site
import Testing

@testable import RadioMapCare

@Suite("What visitors' scans say") struct VisitorDayTests {
    private static let site = SimulatedMap.site
    private static let floors = site.document.floors.prefix(2).map(\.id)

    /// Access points at random places of two floors.
    private struct Radio {
        var points: [HardwareAddress: (floor: Int, point: Point)] = [:]

        static func place(_ random: inout SeededRandom) -> (floor: Int, point: Point) {
            (
                Int.random(in: 0...1, using: &random),
                Point(
                    x: .random(in: 0...20, using: &random), y: .random(in: 0...12, using: &random))
            )
        }

        /// The readings at a place, with noise.
        func scan(
            at floor: Int, _ place: Point, offset: Int, _ random: inout SeededRandom
        ) -> [HardwareAddress: Int] {
            var readings: [HardwareAddress: Int] = [:]
            for (address, point) in points.sorted(by: { $0.key < $1.key }) {
                let metres = max(1, place.distance(to: point.point))
                let walls = floor == point.floor ? 0 : 18
                let level = -40 - Int(2.2 * metres) - walls + offset
                let rssi = level + Int.random(in: -4...4, using: &random)
                if rssi >= -93 { readings[address] = rssi }
            }
            return readings
        }
    }

    private static func survey(
        _ number: Int, _ readings: [HardwareAddress: Int], _ floor: Int, _ point: Point
    ) -> SurveyRecorded {
        let at = SimulatedMap.start.advanced(byMicroseconds: Int64(number) * 30_000_000)
        return SurveyRecorded(
            scan: ScanRecorded(
                id: EventID(high: 5, low: UInt64(number)), site: SimulatedMap.building.site,
                device: DeviceID("tablet"), scanner: ScannerID("tablet"), at: at, receivedAt: at,
                wifi: readings.sorted { $0.key < $1.key }.map {
                    WiFiReading(bssid: $0.key, rssi: $0.value)
                }),
            place: .metres(floor: floors[floor], x: point.x, y: point.y))
    }

    /// One access point has moved, one is off and one is new. Some visitors scan after that.
    private static func day(
        _ seed: Int
    ) -> (map: RadioMap, day: [String: [[HardwareAddress: Int]]]) {
        var random = SeededRandom(seed: seed)
        var radio = Radio()
        for number in 1...14 {
            radio.points[HardwareAddress(value: UInt64(number))] = Radio.place(&random)
        }
        let surveys = (0..<60).map { number in
            let place = Radio.place(&random)
            return survey(
                number, radio.scan(at: place.floor, place.point, offset: 0, &random), place.floor,
                place.point)
        }
        radio.points[HardwareAddress(value: 1)] = Radio.place(&random)
        radio.points[HardwareAddress(value: 2)] = nil
        radio.points[HardwareAddress(value: 99)] = Radio.place(&random)
        var day: [String: [[HardwareAddress: Int]]] = [:]
        for device in 0..<9 {
            let offset = Int.random(in: -9...9, using: &random)
            day["device-\(device)"] = (0..<8).map { _ in
                let place = Radio.place(&random)
                return radio.scan(at: place.floor, place.point, offset: offset, &random)
            }
        }
        return (SimulatedMap.map(surveys), day)
    }

    @Test("Each scan says the same as a slow look at all fingerprints", arguments: 0..<6)
    func scans(seed: Int) {
        let (map, day) = Self.day(seed)
        let ground = VisitorGround(map)
        let slow = SlowVisitors(map)
        var counts: [VisitorScan.Answer: Int] = [:]
        for scan in day.sorted(by: { $0.key < $1.key }).prefix(4).flatMap(\.value) {
            let received = scan.filter { ground.receivers[$0.key] != nil }
            let fresh = scan.filter { ground.receivers[$0.key] == nil }
            let said = VisitorScan(received, fresh: fresh, on: ground)
            let expected = slow.words(received, fresh: fresh)
            #expect((said == nil) == (expected == nil))
            guard let said, let expected else { continue }
            #expect(said.cell.map { ground.cells[$0] } == expected.cell)
            #expect(Set(said.words.keys) == Set(expected.words.keys))
            for (address, word) in said.words {
                #expect(word.answer == expected.words[address]?.answer)
                #expect(ground.cells[word.cell] == expected.words[address]?.cell)
                counts[word.answer, default: 0] += 1
            }
        }
        #expect(counts[.there, default: 0] > 50)
    }

    @Test("A day's voices are those of a slow count", arguments: 0..<3)
    func voices(seed: Int) {
        let (map, scans) = Self.day(seed)
        let ground = VisitorGround(map)
        let slow = SlowVisitors(map)
        var day = VisitorDay()
        for (device, scans) in scans {
            for scan in scans {
                day.add(
                    of: DeviceID(device), at: SimulatedMap.start,
                    scan.filter { ground.receivers[$0.key] != nil },
                    fresh: scan.filter { ground.receivers[$0.key] == nil }, on: ground)
            }
        }
        let tallies = day.tallies
        let said = scans.values.map(slow.said)
        for number in Array(1...14) + [99] {
            let address = HardwareAddress(value: UInt64(number))
            let expected = slow.voices(about: address, said)
            let isEvidence = expected.lost + expected.there >= 3 || expected.found >= 3
            #expect(tallies[address]?.voices == (isEvidence ? expected : nil))
        }
        #expect(tallies.count > 5)
    }

    @Test("A scan with more access points of the map than a telephone receives does not count")
    func tooMany() throws {
        let most = VisitorEvidence.mostReceived
        func readings(_ count: Int, weaker: Int) -> [HardwareAddress: Int] {
            Dictionary(
                uniqueKeysWithValues: (1...count).map {
                    (HardwareAddress(value: UInt64($0) << 16), -50 - weaker)
                })
        }
        let map = SimulatedMap.map(
            (0..<4).map { number in
                Self.survey(
                    number, readings(most + 1, weaker: number), 0,
                    Point(x: Double(4 * number), y: 2))
            })
        try #require(VisitorGround(map).receivers.count == most + 1)
        /// Whether a device that sends only such scans reaches the limit of scans.
        func countsScans(of count: Int) -> Bool {
            var evidence = VisitorEvidence(map, site: Self.site)
            let scan = Self.survey(9, readings(count, weaker: 0), 0, Point(x: 1, y: 2)).scan
            for _ in 0..<VisitorDay.mostScans { evidence.add(scan) }
            return !evidence.wants(scan.device)
        }
        #expect(countsScans(of: most))
        #expect(!countsScans(of: most + 1))
    }
}
