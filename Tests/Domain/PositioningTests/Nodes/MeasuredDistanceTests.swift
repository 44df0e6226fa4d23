import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite("Measured distances") struct MeasuredDistanceTests {
    private static func range(
        _ point: Point, to truth: Point, error: Double = 0, deviation: Double = 1
    ) -> AnchoredRange {
        var range = AnchoredRange(point: point, rise: 2, metres: 0, deviation: deviation)
        range.metres = range.distance(to: truth) + error
        return range
    }

    private static func points(_ count: Int, _ random: inout SeededRandom) -> [Point] {
        (0..<count).map { _ in
            Point(
                x: Double.random(in: 0...40, using: &random),
                y: Double.random(in: 0...20, using: &random))
        }
    }

    @Test("Three exact distances give the place", arguments: 0..<20 as Range<UInt64>)
    func exact(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let truth = Self.points(1, &random)[0]
        let anchors = [Point(x: 0, y: 0), Point(x: 40, y: 1), Point(x: 18, y: 20)]
        let problem = Multilateration(
            heard: [], ranges: anchors.map { Self.range($0, to: truth) })
        let answer = try #require(problem.answer())
        #expect(answer.point.distance(to: truth) < 0.01)
        #expect(answer.offset == 0)
    }

    @Test("No point of a fine grid fits better than the answer", arguments: 0..<30 as Range<UInt64>)
    func grid(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let truth = Self.points(1, &random)[0]
        let ranges = Self.points(5, &random).map {
            Self.range($0, to: truth, error: Double.random(in: -2...4, using: &random))
        }
        let problem = Multilateration(heard: [], ranges: ranges)
        let answer = try #require(problem.answer())
        var best = Double.infinity
        for x in stride(from: -20.0, through: 60, by: 0.5) {
            for y in stride(from: -20.0, through: 40, by: 0.5) {
                best = min(best, problem.cost(Point(x: x, y: y), offset: 0))
            }
        }
        // Several minima are possible; the starts near the anchors must find a good one.
        #expect(answer.cost <= best + 1)
    }

    @Test("One distance that is far too long moves the place little")
    func robust() throws {
        let truth = Point(x: 15, y: 8)
        let anchors: [Point] = [
            [0, 0], [40, 0], [20, 20], [0, 20], [40, 20], [20, -10], [-10, 8], [50, 8],
        ]
        var ranges = anchors.map { Self.range($0, to: truth) }
        ranges[0].metres += 30
        let answer = try #require(Multilateration(heard: [], ranges: ranges).answer())
        #expect(answer.point.distance(to: truth) < 1.5)
    }

    @Test("Two distances alone give no place")
    func few() {
        let truth = Point(x: 1, y: 1)
        let ranges = [Point(x: 0, y: 0), Point(x: 9, y: 0)].map { Self.range($0, to: truth) }
        #expect(Multilateration(heard: [], ranges: ranges).answer() == nil)
    }

    @Test("A scan keeps distances of access points and nodes, but not of readings that are too old")
    func scan() {
        let distance = MeasuredDistance(metres: 4, deviation: 0.5)
        let address = HardwareAddress(value: 1)
        let scan = ScanRecorded(
            id: EventID(high: 1, low: 1), site: SampleSite.id, device: DeviceID("d"),
            scanner: ScannerID("d"), at: Timestamp(milliseconds: 0),
            receivedAt: Timestamp(milliseconds: 0),
            wifi: [
                WiFiReading(bssid: address, rssi: -50, distance: distance),
                WiFiReading(
                    bssid: HardwareAddress(value: 2), rssi: -50, ageMilliseconds: 60_000,
                    distance: distance),
            ], heardBy: [NodeReading(scanner: ScannerID("n"), rssi: -60, distance: distance)])
        #expect(
            RadioScan(scan).ranges == [
                RadioRange(transmitter: .wifi(address), distance: distance),
                RadioRange(transmitter: .node(ScannerID("n")), distance: distance),
            ])
    }
}
