import Events
import Geometry
import Glibc
import Positioning
import SampleSites
import SeededRandomness
import Site
import Testing

@Suite struct NearestNeighboursTests {
    private let prepared = NearestNeighbours().prepare(SampleSite.map, site: SampleSite.index)

    private func locate(_ x: Double, _ y: Double, _ floor: FloorID) -> Estimate {
        let wifi = SampleSite.readings(at: Point(x: x, y: y), floor: floor)
        return prepared.locate(RadioScan(SampleSite.scan(1, wifi: wifi)))
    }

    @Test("A scan made between surveyed points is located there, in its room")
    func located() throws {
        for (x, y, floor, room) in [
            (4.2, 4.6, SampleSite.ground, "A"), (15.5, 4.4, SampleSite.ground, "B"),
            (18.5, 0.7, SampleSite.ground, "C"), (12.0, 3.0, SampleSite.first, "D"),
        ] {
            let estimate = locate(x, y, floor)
            let place = try #require(estimate.place)
            #expect(estimate.state == .located)
            #expect(place.floor == floor)
            #expect(place.point.distance(to: Point(x: x, y: y)) < 1.6)
            #expect(place.room == RoomID(room))
            #expect(estimate.rooms.first?.id == RoomID(room))
            #expect(estimate.rooms.reduce(0) { $0 + $1.probability } <= 1 + 1e-9)
            #expect(place.radius68 > 0 && place.radius95 >= place.radius68)
            #expect(place.covariance.xx > 0 && place.covariance.yy > 0)
        }
    }

    @Test("A scan of unknown transmitters is lost, also on an empty map")
    func lost() {
        let stranger = WiFiReading(bssid: HardwareAddress(value: 99), rssi: -40)
        let scan = RadioScan(SampleSite.scan(1, wifi: [stranger]))
        #expect(prepared.locate(scan) == .lost)
        #expect(prepared.locate(RadioScan(readings: [], at: scan.at)) == .lost)
        let empty = NearestNeighbours().prepare(.empty, site: SampleSite.index)
        #expect(empty.locate(scan) == .lost)
    }

    @Test("A scan with fewer than three known transmitters is uncertain")
    func uncertain() {
        let all = SampleSite.readings(at: Point(x: 5, y: 4), floor: SampleSite.ground)
        let scan = RadioScan(SampleSite.scan(1, wifi: Array(all.prefix(2))))
        let estimate = prepared.locate(scan)
        #expect(estimate.state == .uncertain)
        #expect(estimate.place != nil)
    }

    @Test("The scratch's earlier content does not matter", arguments: 0..<10)
    func scratch(seed: Int) {
        var random = SeededRandom(seed: seed)
        var scratch = PositionerScratch()
        for _ in 0..<20 {
            let point = Point(
                x: .random(in: 0...20, using: &random), y: .random(in: 0...6, using: &random))
            let wifi = SampleSite.readings(at: point, floor: SampleSite.ground)
            let scan = RadioScan(SampleSite.scan(1, wifi: wifi))
            let (reused, state) = prepared.locate(
                scan, state: .empty, seed: 0, scratch: &scratch)
            #expect(reused == prepared.locate(scan))
            #expect(state == .empty)
        }
    }

    @Test("Estimates agree with the formulas applied to every fingerprint", arguments: 0..<60)
    func againstEveryFingerprint(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let floor = seed % 2 == 0 ? SampleSite.ground : SampleSite.first
        let point = Point(
            x: .random(in: 0...20, using: &random), y: .random(in: 0...6, using: &random))
        let wifi = SampleSite.readings(at: point, floor: floor) {
            .random(in: -6...6, using: &random)
        }
        let scan = RadioScan(SampleSite.scan(1, wifi: wifi))
        let expected = slowEstimate(scan)
        let fixed = NearestNeighbours(exponent: M_E)
            .prepare(SampleSite.map, site: SampleSite.index)
        let place = try #require(fixed.locate(scan).place)
        #expect(place.floor == expected.floor)
        #expect(place.point.distance(to: expected.point) < 0.02)
    }

    /// The slow and obvious method: the Sorensen distance as written in the paper, over all
    /// transmitters and fingerprints.
    private func slowEstimate(_ scan: RadioScan) -> (floor: FloorID, point: Point) {
        let map = SampleSite.map
        let minimum = Double(map.readingRSSI.min()!) - 1
        func powed(_ rssi: Int8) -> Double { pow(max(0, Double(rssi) - minimum) / -minimum, M_E) }
        var heard = [Double](repeating: 0, count: map.transmitters.count)
        for reading in scan.readings {
            guard let number = map.transmitters.firstIndex(of: reading.transmitter) else {
                continue
            }
            heard[number] = powed(reading.rssi)
        }
        let nearest = map.fingerprints.indices.map { row in
            var strengths = [Double](repeating: 0, count: map.transmitters.count)
            for position in map.readings(of: row) {
                strengths[Int(map.readingTransmitter[position])] = powed(map.readingRSSI[position])
            }
            let pairs = zip(heard, strengths)
            let distance =
                pairs.reduce(0) { $0 + abs($1.0 - $1.1) } / pairs.reduce(0) { $0 + $1.0 + $1.1 }
            return (row: row, weight: 1 / max(distance, 1e-4))
        }.sorted { $0.weight > $1.weight }.prefix(9)
        var votes: [Int32: Double] = [:]
        for (row, weight) in nearest { votes[map.fingerprints[row].floor, default: 0] += weight }
        let floor = votes.max { $0.value < $1.value }!.key
        let chosen = nearest.filter { map.fingerprints[$0.row].floor == floor }
        let total = chosen.reduce(0) { $0 + $1.weight }
        let x = chosen.reduce(0) { $0 + $1.weight * map.fingerprints[$1.row].point.x } / total
        let y = chosen.reduce(0) { $0 + $1.weight * map.fingerprints[$1.row].point.y } / total
        return (map.floors[Int(floor)], Point(x: x, y: y))
    }

    @Test("The radii contain the true place as often as stated, and are not too large")
    func radii() {
        var random = SeededRandom(seed: 3)
        func noise() -> Double {
            (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -3.5...3.5, using: &random) }
        }
        let noisy = SampleSite.surveys.map { survey in
            var survey = survey
            guard case .metres(let floor, let x, let y) = survey.place else { return survey }
            let point = Point(x: x, y: y)
            survey.scan.wifi = SampleSite.readings(at: point, floor: floor, noise: noise)
            return survey
        }
        let map = RadioMapBuilder.build(noisy, site: SampleSite.index).map
        let prepared = NearestNeighbours().prepare(map, site: SampleSite.index)
        var within68 = 0
        var within95 = 0
        for _ in 0..<1_000 {
            let point = Point(
                x: .random(in: 1...19, using: &random), y: .random(in: 1...5, using: &random))
            let wifi = SampleSite.readings(at: point, floor: SampleSite.ground, noise: noise)
            let estimate = prepared.locate(RadioScan(SampleSite.scan(1, wifi: wifi)))
            guard let place = estimate.place else { continue }
            let error = place.point.distance(to: point)
            within68 += error <= place.radius68 ? 1 : 0
            within95 += error <= place.radius95 ? 1 : 0
        }
        #expect((600...930).contains(within68))
        #expect((880...1_000).contains(within95))
    }

    @Test("The registry has it by name; the default is the choice of each radio map")
    func registry() {
        #expect(PositionerRegistry.standard.names.contains("knn"))
        #expect(PositionerRegistry.standard[PositionerRegistry.defaultName]?.name == "auto")
        #expect(PositionerRegistry.standard["oracle"] == nil)
    }
}
