import Events
import Testing

@testable import FingerprintBuilder

@Suite("Served radio maps") struct ServedMapsTests {
    private func map(_ hash: String, megabytes: Int) -> ServedMaps.Map {
        ServedMaps.Map(
            hash: hash, sites: [SiteID(hash)],
            bytes: [UInt8](repeating: 1, count: megabytes * 1_000_000))
    }

    @Test("are kept up to a limit, and the one served longest ago goes first")
    func limit() {
        let served = ServedMaps()
        for hash in ["a", "b", "c"] { served.keep(map(hash, megabytes: 15)) }
        served.keep(map("a", megabytes: 15))
        served.keep(map("d", megabytes: 10))
        #expect(served["b"] == nil)
        #expect(["a", "c", "d"].allSatisfy { served[$0]?.sites == [SiteID($0)] })
        served.keep(map("e", megabytes: 49))
        #expect(["a", "c", "d", "e"].allSatisfy { served[$0] == nil })
    }
}
