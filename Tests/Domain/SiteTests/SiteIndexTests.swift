import Events
import Geometry
import Site
import Testing

/// A building with two floors: G with its booth B, above a corridor C.
func smallSite() -> SiteDocument {
    let ground = FloorID("bush-0")
    let first = FloorID("bush-1")
    return SiteDocument(
        name: "Bush House", originLatitude: 51.5129, originLongitude: -0.1167, bearingDegrees: 20,
        buildings: [
            BuildingRecord(id: BuildingID("bush"), name: "Bush House", timeZone: "Europe/London")
        ],
        floors: [
            FloorRecord(id: ground, building: BuildingID("bush"), ordinal: 0, level: "G"),
            FloorRecord(id: first, building: BuildingID("bush"), ordinal: 1, level: "1"),
        ],
        rooms: drawnRooms(
            """
            GGGGGGGG
            GGGBBGGG
            GGGGGGGG
            CCCCCCCC..
            """, floor: ground) + drawnRooms("AAAA", floor: first),
        locations: [
            LocationRecord(
                id: LocationID("door"), floor: ground, room: RoomID("bush-0-C"), point: [1, 0.5]),
            LocationRecord(id: LocationID("desk"), floor: ground, room: nil, point: [3.5, 2.5]),
        ])
}

@Suite struct SiteIndexTests {
    private let site = try! SiteIndex(smallSite())

    private func room(_ x: Double, _ y: Double, _ floor: String = "bush-0") -> String? {
        site.room(at: Point(x: x, y: y), on: site.floorIndex(FloorID(floor))!).map {
            site.room($0).id.text
        }
    }

    @Test("The smallest room around a point is its room")
    func smallestRoom() {
        #expect(room(1, 3) == "bush-0-G")
        #expect(room(4, 2.5) == "bush-0-B")
        #expect(room(4, 0.5) == "bush-0-C")
        #expect(room(9, 0.5) == nil)
        #expect(room(1, 0.5, "bush-1") == "bush-1-A")
        let floor = site.floorIndex(FloorID("bush-0"))!
        let around = site.rooms(at: Point(x: 4, y: 2.5), on: floor).map { site.room($0).name }
        #expect(around == ["Room B", "Room G"])
    }

    @Test("Places of surveys are found by location, by metres and by degrees")
    func resolving() throws {
        let door = try site.resolve(.location(LocationID("door")))
        #expect(door.point == Point(x: 1, y: 0.5))
        #expect(door.room == site.roomIndex(RoomID("bush-0-C")))
        let desk = try site.resolve(.location(LocationID("desk")))
        #expect(desk.room == site.roomIndex(RoomID("bush-0-B")))
        let ground = FloorID("bush-0")
        let metres = try site.resolve(.metres(floor: ground, x: 1, y: 3))
        #expect(metres.room == site.roomIndex(RoomID("bush-0-G")))
        let degrees = site.frame.geographic(Point(x: 1, y: 3))
        let geographic = try site.resolve(
            .geographic(
                floor: ground, latitude: degrees.latitude, longitude: degrees.longitude))
        #expect(geographic.point.distance(to: Point(x: 1, y: 3)) < 1e-6)
    }

    @Test("Impossible places are refused with the reason")
    func unresolvable() {
        #expect(throws: PlaceFault.unknownLocation) {
            try site.resolve(.location(LocationID("nowhere")))
        }
        #expect(throws: PlaceFault.unknownFloor) {
            try site.resolve(.metres(floor: FloorID("roof"), x: 0, y: 0))
        }
        for x in [Double.nan, .infinity, 1e9] {
            #expect(throws: PlaceFault.coordinateOutOfRange) {
                try site.resolve(.metres(floor: FloorID("bush-0"), x: x, y: 0))
            }
        }
        #expect(throws: PlaceFault.coordinateOutOfRange) {
            try site.resolve(.geographic(floor: FloorID("bush-0"), latitude: 91, longitude: 0))
        }
    }
}
