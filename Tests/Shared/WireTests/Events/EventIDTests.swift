import Events
import Testing
import Wire

@Suite("New event ids") struct EventIDTests {
    @Test("a new id contains its time and is never the same twice")
    func versionSeven() {
        let id = EventID(at: SampleEvents.moment)
        #expect(id.high >> 16 == UInt64(SampleEvents.moment.milliseconds))
        #expect(id.description.dropFirst(14).first == "7")
        #expect(id != EventID(at: SampleEvents.moment))
    }

    @Test("a position's id depends on the scan and the positioner, and on nothing else")
    func positions() throws {
        let id = EventID(positionOf: SampleEvents.scanID, by: "nearest")
        #expect(id == EventID(positionOf: SampleEvents.scanID, by: "nearest"))
        #expect(id != EventID(positionOf: SampleEvents.scanID, by: "other"))
        #expect(id != EventID(positionOf: id, by: "nearest"))
        // The namespace is the scan's id in network order, as RFC 9562's own example shows.
        let domainNames = try #require(EventID("6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        #expect(
            EventID(positionOf: domainNames, by: "www.example.com").description
                == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }
}
