import Events
import Geometry
import SampleSites
import Site
import Testing

@testable import Positioning

@Suite("Faint scans") struct FaintHearingTests {
    private static let weakest = SampleSite.map.readingRSSI.min() ?? 0

    private func scan(_ rssi: Int, _ addresses: [UInt64] = [1]) -> RadioScan {
        RadioScan(
            SampleSite.scan(
                9_999,
                wifi: addresses.map {
                    WiFiReading(bssid: HardwareAddress(value: $0), rssi: rssi)
                }))
    }

    @Test(
        "A scan with only the map's weakest readings is lost or uncertain",
        arguments: PositionerRegistry.standard.names, [0, -1, -20])
    func vague(name: String, below: Int) throws {
        let positioner = try PositionerRegistry.standard.positioner(name)
            .prepare(SampleSite.map, site: SampleSite.index)
        for addresses in [[1], [1, 2, 3], Array(1...8)] as [[UInt64]] {
            let estimate = positioner.locate(scan(Int(Self.weakest) + below, addresses))
            guard let place = estimate.place else { continue }
            #expect(estimate.state == .uncertain)
            #expect(place.isFinite)
            #expect(place.radius68 > 12)
            #expect(place.radius95 > 20)
        }
    }

    @Test("A scan with any stronger reading is as certain as before")
    func stronger() {
        let faint = FaintHearing(SampleSite.map)
        let point = Point(x: 10, y: 3)
        #expect(faint.radius95(of: scan(Int(Self.weakest)), about: point) != nil)
        #expect(faint.radius95(of: scan(Int(Self.weakest) + 1), about: point) == nil)
        #expect(faint.radius95(of: scan(-60, [1, 2]), about: point) == nil)
        #expect(faint.radius95(of: scan(-110, [99]), about: point) == nil)
        #expect(FaintHearing(.empty).radius95(of: scan(-110), about: point) == nil)
    }
}
