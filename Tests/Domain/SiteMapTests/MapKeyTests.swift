import Events
import Geometry
import Site
import Testing

@testable import SiteMap

@Suite("The key of a map") struct MapKeyTests {
    @Test("A door that opens by itself and lies off the map is not explained")
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

    @Test("A sign that found no room on the map is not explained")
    func noRoom() throws {
        // On a page of this size nothing is left of the toilets but a dot.
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
