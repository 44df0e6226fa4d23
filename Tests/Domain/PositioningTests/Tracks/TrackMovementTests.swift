import Events
import Geometry
import SampleSites
import Site
import Testing

@testable import Positioning

/// Tracks through a building with two corridors and stairs at one end. In the drawing one character
/// is two metres, and the lowest line is y = 0. Both floors are alike.
@Suite struct TrackMovementTests {
    private static let drawing = """
        CCCCCCCCCCCCCCCCCCSS
        """
    private static let pitch = 2.0
    private static let ground = FloorID("ground")
    private static let first = FloorID("first")

    private let prepared: any PreparedPositioner

    init() throws {
        let site = try SiteIndex(Self.document)
        var surveys: [SurveyRecorded] = []
        for floor in [Self.ground, Self.first] {
            for x in stride(from: 0.5, to: Double(Self.drawing.count) * Self.pitch, by: 1) {
                let scan = SampleSite.scan(
                    surveys.count, wifi: Self.readings(x, floor), seconds: surveys.count * 120)
                surveys.append(
                    SurveyRecorded(scan: scan, place: .metres(floor: floor, x: x, y: 1)))
            }
        }
        let map = RadioMapBuilder.build(surveys, site: site).map
        prepared = Track(over: NearestNeighbours()).prepare(map, site: site)
    }

    private static var document: SiteDocument {
        let building = BuildingID("house")
        var rooms: [RoomRecord] = []
        for floor in [ground, first] {
            for (letter, kind) in [("C", "corridor"), ("S", "stairs")] {
                let columns = drawing.enumerated().filter { String($0.element) == letter }
                let (low, high) = (
                    Double(columns.first!.offset) * pitch, Double(columns.last!.offset + 1) * pitch
                )
                rooms.append(
                    RoomRecord(
                        id: RoomID("\(floor.text)-\(letter)"), floor: floor, name: letter,
                        kind: kind,
                        outline: [[low, 0], [high, 0], [high, pitch], [low, pitch]]))
            }
        }
        return SiteDocument(
            name: "Two corridors", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [BuildingRecord(id: building, name: "House", timeZone: "Europe/London")],
            floors: [
                FloorRecord(id: ground, building: building, ordinal: 0, level: "G"),
                FloorRecord(id: first, building: building, ordinal: 1, level: "1"),
            ], rooms: rooms)
    }

    /// An access point stands every ten metres on each floor. From another floor it is 20 dB
    /// weaker.
    private static func readings(_ x: Double, _ floor: FloorID) -> [WiFiReading] {
        [ground, first].enumerated().flatMap { number, level in
            (0..<5).map { index in
                let loss = 2 * abs(x - 10 * Double(index)) + (level == floor ? 0 : 20)
                return WiFiReading(
                    bssid: HardwareAddress(value: UInt64(10 * number + index + 1)),
                    rssi: max(-95, -35 - Int(loss)))
            }
        }
    }

    /// The estimates for a device at these places, with a scan every two seconds. The readings are
    /// never those of the last scan, which would say nothing again.
    private func located(
        _ places: [(x: Double, floor: FloorID)], adjust: (inout RadioScan) -> Void = { _ in }
    ) -> [Estimate] {
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        return places.enumerated().map { number, place in
            var wifi = Self.readings(place.x, place.floor)
            wifi[0].rssi -= number % 2
            var scan = RadioScan(SampleSite.scan(9_000 + number, wifi: wifi, seconds: 2 * number))
            adjust(&scan)
            let answer = prepared.locate(scan, state: state, seed: 0, scratch: &scratch)
            state = answer.state
            return answer.estimate
        }
    }

    @Test("A scan of another floor, far from the stairs, does not change the floor at once")
    func noFloorThroughTheCeiling() {
        let below = Array(repeating: (x: 4.0, floor: Self.ground), count: 10)
        let glimpse = Array(repeating: (x: 4.0, floor: Self.first), count: 5)
        let estimates = located(below + glimpse + below.prefix(3))
        #expect(estimates.allSatisfy { $0.place?.floor == Self.ground })
        // The canary: each of these scans alone is located on the other floor.
        #expect(located(Array(glimpse.prefix(1)))[0].place?.floor == Self.first)
    }

    @Test("A walker who goes up the stairs is on the floor above after leaving them")
    func stairs() {
        let there = stride(from: 10.0, through: 38, by: 2).map { (x: $0, floor: Self.ground) }
        let back = stride(from: 38.0, through: 22, by: -2).map { (x: $0, floor: Self.first) }
        let floors = located(there + back).map { $0.place?.floor }
        #expect(floors.prefix(there.count - 2).allSatisfy { $0 == Self.ground })
        #expect(floors.suffix(4).allSatisfy { $0 == Self.first })
        let changes = zip(floors, floors.dropFirst()).count { $0 != $1 }
        #expect(changes == 1)
    }

    /// Starts in the middle of the corridor and then has no readings; returns the last x.
    private func deaf(_ adjust: @escaping (inout RadioScan) -> Void) throws -> Double {
        let start = SampleSite.scan(1, wifi: Self.readings(18, Self.ground))
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        var last = prepared.locate(RadioScan(start), state: state, seed: 0, scratch: &scratch)
        state = last.state
        for number in 1...4 {
            var scan = RadioScan(
                readings: [], at: start.at.advanced(byMicroseconds: Int64(number) * 2_000_000))
            adjust(&scan)
            last = prepared.locate(scan, state: state, seed: 0, scratch: &scratch)
            state = last.state
        }
        return try #require(last.estimate.place).point.x
    }

    @Test("Without readings, steps and a heading move a track on; with no steps it stays")
    func steps() throws {
        let east = try deaf { ($0.steps, $0.headingDegrees) = (4, 90) }
        let west = try deaf { ($0.steps, $0.headingDegrees) = (4, 270) }
        let none = try deaf { ($0.steps, $0.headingDegrees) = (0, 90) }
        // Sixteen steps are about ten metres.
        #expect(east > 21)
        #expect(west < 15)
        #expect(abs(none - 18) < 1.5)
    }

    @Test("A speed moves a track as far as steps do")
    func speed() throws {
        let east = try deaf { ($0.speedMetresPerSecond, $0.headingDegrees) = (1.3, 90) }
        #expect(east > 21)
        #expect(abs(try deaf { $0.speedMetresPerSecond = 0 } - 18) < 1.5)
    }
}
