import SampleSites
import Site
import Testing

@Suite("The museum of the tests") struct SampleMuseumTests {
    @Test("It has two floors and 16 rooms, and nothing to be mended")
    func complete() throws {
        let document = SampleMuseum.document
        #expect(document.floors.count == 2 && document.rooms.count == 16)
        #expect(document.rooms.count { $0.isRestricted } == 1)
        _ = try SiteIndex(document)
    }

    @Test("Each named room has an English, a Welsh and a German name")
    func names() {
        for room in SampleMuseum.document.rooms where !room.name.isEmpty {
            let others = room.names.byLanguage
            #expect(others["cy"]?.isEmpty == false && others["de"]?.isEmpty == false)
        }
    }
}
