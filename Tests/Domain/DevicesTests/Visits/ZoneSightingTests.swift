import Devices
import Events
import Geometry
import Positioning
import Site
import Testing

@Suite struct ZoneSightingTests {
    /// Two rooms of 10 m by 8 m side by side. There are three zones: a show in both rooms, a corner
    /// of the left room, and a lawn.
    private static let site: SiteIndex? = try? SiteIndex(
        SiteDocument(
            name: "Row", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("house"), name: "", timeZone: "Europe/London")
            ],
            floors: [
                FloorRecord(
                    id: FloorID("ground"), building: BuildingID("house"), ordinal: 0, level: "G")
            ],
            rooms: (0..<2).map { number in
                let x = Double(number) * 10
                return RoomRecord(
                    id: RoomID("r\(number)"), floor: FloorID("ground"), name: "", kind: "room",
                    outline: [[x, 0], [x + 10, 0], [x + 10, 8], [x, 8]])
            },
            zones: [
                ZoneRecord(
                    id: ZoneID("show"), name: "", kind: "exhibition",
                    rooms: [RoomID("r0"), RoomID("r1")]),
                ZoneRecord(
                    id: ZoneID("corner"), name: "", kind: "stand", floor: FloorID("ground"),
                    outline: [[0, 0], [3, 0], [3, 3], [0, 3]]),
                ZoneRecord(
                    id: ZoneID("lawn"), name: "", kind: "lawn",
                    outline: [[0, 0], [3, 0], [3, 3], [0, 3]]),
            ]))

    private func probabilities(
        x: Double, y: Double, floor: String, rooms: [String: Double] = [:]
    ) throws -> [String: Double] {
        let site = try #require(Self.site)
        var position = PositionEstimated(
            id: EventID(high: 1, low: 1), scan: EventID(high: 1, low: 1),
            at: Timestamp(milliseconds: 0), locatedAt: Timestamp(milliseconds: 0),
            device: DeviceID("d"), site: SiteID("s"), siteVersion: 1, state: .located,
            late: false, positioner: "knn", radioMapVersion: 1)
        (position.x, position.y, position.floor) = (x, y, FloorID(floor))
        position.rooms = rooms.map {
            PositionEstimated.RoomProbability(id: RoomID($0.key), probability: $0.value)
        }
        let sighting = try #require(
            ZoneSighting(position, at: Timestamp(milliseconds: 0), site: site))
        return sighting.probabilities.reduce(into: [:]) { all, zone in
            if zone.key.kind == .zone { all[zone.key.id.text] = zone.value }
        }
    }

    @Test("A zone's probability is the sum of its rooms' probabilities")
    func rooms() throws {
        let found = try probabilities(
            x: 9, y: 5, floor: "ground", rooms: ["r0": 0.5, "r1": 0.25, "r7": 0.25])
        #expect(found == ["show": 0.75])
    }

    @Test("A zone whose outline contains the place is certain, on its floor only")
    func outlines() throws {
        #expect(try probabilities(x: 1, y: 1, floor: "ground") == ["corner": 1])
        #expect(try probabilities(x: 1, y: 1, floor: FloorID.outdoors.text) == ["lawn": 1])
        #expect(try probabilities(x: 5, y: 5, floor: "ground").isEmpty)
    }

    @Test("A visit goes on at a position just outside of the zone, and ends farther away")
    func tolerance() throws {
        let site = try #require(Self.site)
        let rules = VisitRules(
            minimumDwell: .seconds(1), exitTolerance: 2, toleranceTimeout: .seconds(60),
            exitDelay: .zero)
        var visits = DeviceVisits()
        func see(_ seconds: Int64, x: Double, inside: Bool) -> [DeviceVisits.Change] {
            let at = Timestamp(milliseconds: seconds * 1_000)
            let zone = Zone(.zone, ZoneID("corner"))
            return visits.evolve(
                at: at,
                ZoneSighting(
                    at: at, probabilities: inside ? [zone: 1] : [:], point: Point(x: x, y: 1),
                    floor: FloorID("ground"), site: site), rules)
        }
        #expect(see(0, x: 1, inside: true).isEmpty)
        #expect(see(5, x: 1, inside: true).count == 1)
        #expect(see(10, x: 4.9, inside: false).isEmpty)
        #expect(see(15, x: 5.1, inside: false).count == 1)
    }
}
