import Events
import Geometry
import Site
import Testing

@testable import SiteMap

@Suite("The key of a map") struct MapKeyTests {
    @Test("The key does not explain an automatic door that is off the map")
    func offTheMap() throws {
        let here = try MapPictureTests.ground()
        #expect(here.svg().contains(">Automatic door<"))
        let without = try MapPictureTests.ground { document in
            for index in document.connections.indices {
                document.connections[index].isAutomatic = nil
            }
        }
        #expect(!without.svg().contains(">Automatic door<"))
    }

    @Test("The key does not explain a sign that had no room on the map")
    func noRoom() throws {
        // The toilets are only 5 cm wide, so their sign has no room.
        let small = try MapPictureTests.ground { document in
            for index in document.rooms.indices where document.rooms[index].kind == "toilet" {
                let corner = document.rooms[index].outline.corners[0]
                document.rooms[index].outline = [
                    corner, [corner.x + 0.05, corner.y], [corner.x + 0.05, corner.y + 0.05],
                ]
            }
        }
        #expect(!small.svg().contains(">Toilets<"))
    }
}
