import Events
import Geometry
import Site
import Testing

@Suite struct CourtyardTests {
    @Test("A point in the courtyard is in no room, one beside it is")
    func courtyard() throws {
        let floor = FloorID("bush-0")
        var document = smallSite()
        document.rooms = drawnRooms(
            """
            NNNN
            W..E
            SSSS
            """, floor: floor)
        document.locations = []
        let site = try SiteIndex(document)
        let index = try #require(site.floorIndex(floor))
        #expect(site.room(at: Point(x: 2, y: 1.5), on: index) == nil)
        let west = try #require(site.room(at: Point(x: 0.5, y: 1.5), on: index))
        #expect(site.room(west).name == "Room W")
    }
}
