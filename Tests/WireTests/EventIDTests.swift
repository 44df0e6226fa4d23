import Events
import Testing
import Wire

@Suite("EventID, made") struct EventIDTests {
    @Test("a new id carries its moment and is never the same twice")
    func versionSeven() {
        let id = EventID(at: SampleEvents.moment)
        #expect(id.high >> 16 == UInt64(SampleEvents.moment.milliseconds))
        #expect(id.description.dropFirst(14).first == "7")
        #expect(id != EventID(at: SampleEvents.moment))
    }

    @Test("a position's id depends on the scan, whose it is and the positioner alone")
    func positions() {
        func id(
            _ scan: EventID = SampleEvents.scanID, of device: String = "phone",
            at site: String = "museum", by positioner: String = "nearest"
        ) -> EventID {
            EventID(
                positionOf: scan, of: DeviceID(device), at: SiteID(site), by: positioner)
        }
        #expect(id() == id())
        #expect(id() != id(by: "other"))
        #expect(id() != id(id()))
        // Who knows the id of another's scan can't take that of its position.
        #expect(id() != id(of: "thief"))
        #expect(id() != id(at: "elsewhere"))
        // As the description says it, for programs that make it themselves (Python's uuid.uuid5).
        #expect(
            id(EventID(high: 0x6ba7_b810_9dad_11d1, low: 0x80b4_00c0_4fd4_30c8)).description
                == "14e23600-026c-5a3e-9074-77509254781f")
    }
}
