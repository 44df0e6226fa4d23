import ServiceRuntime
import Testing

@Suite("HealthRegistry") struct HealthRegistryTests {
    @Test("A service is ready when every part is, and the summary gives the reason if not")
    func summary() {
        let registry = HealthRegistry()
        let log = registry.check("log")
        let map = registry.check("radio map", initially: .ready)
        #expect(!registry.isReady)
        log.set(.ready)
        #expect(registry.isReady)
        #expect(registry.check("log") === log)
        map.set(.failing(reason: "no \"map\"\n"))
        #expect(
            registry.summaryJSON
                == #"{"ready":false,"checks":[{"name":"log","state":"ready"},"#
                + #"{"name":"radio map","state":"failing","reason":"no \"map\"\n"}]}"#)
    }
}
