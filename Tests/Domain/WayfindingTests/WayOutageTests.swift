import Events
import Testing
import Wayfinding

@Suite struct WayOutageTests {
    @Test("An outage begins at its first moment and is over at its last")
    func begins() {
        let outage = WayOutage(
            connection: ConnectionID("lift"), from: Timestamp(milliseconds: 10),
            until: Timestamp(milliseconds: 20))
        let moments: [Int64] = [9, 10, 19, 20]
        let active = moments.map { outage.isActive(at: Timestamp(milliseconds: $0)) }
        #expect(active == [false, true, true, false])
    }

    @Test("An outage without an end goes on")
    func goesOn() {
        let outage = WayOutage(connection: ConnectionID("lift"), from: Timestamp(milliseconds: 10))
        #expect(outage.isActive(at: Timestamp(milliseconds: 1_000_000)))
    }
}
