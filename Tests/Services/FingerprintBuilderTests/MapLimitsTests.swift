import Events
import Geometry
import Positioning
import Testing

@testable import FingerprintBuilder

@Suite struct MapLimitsTests {
    /// A map with the given sizes and no useful content.
    private func map(surveys: Int, transmitters: Int) -> RadioMap {
        var map = RadioMap.empty
        let survey = RadioMap.Fingerprint(
            survey: EventID(high: 1, low: 1), point: Point(x: 0, y: 0), floor: 0, room: -1,
            place: 0, walk: 0)
        map.fingerprints = .init(repeating: survey, count: surveys)
        map.transmitters = .init(repeating: .node(ScannerID("pi")), count: transmitters)
        return map
    }

    @Test("The largest map is accepted; a survey, a transmitter or a byte more is refused")
    func limits() {
        let (surveys, transmitters) = (MapLimits.surveys, MapLimits.transmitters)
        let largest = map(surveys: surveys, transmitters: transmitters)
        #expect(MapLimits.excess(of: largest, bytes: MapLimits.bytes) == nil)
        let more = MapLimits.excess(of: largest, bytes: MapLimits.bytes + 1)
        #expect(more?.contains("bytes") == true)
        let surveyed = map(surveys: surveys + 1, transmitters: 0)
        #expect(MapLimits.excess(of: surveyed, bytes: 0)?.contains("surveys") == true)
        let heard = map(surveys: 0, transmitters: transmitters + 1)
        #expect(MapLimits.excess(of: heard, bytes: 0)?.contains("transmitters") == true)
    }

    @Test("A refused map is reported once, and tried again once its surveys have changed")
    func refused() {
        let refused = RefusedMaps()
        let site = SiteID("museum")
        var told = 0
        #expect(!refused.isRefused(site, 7))
        for _ in 0..<3 {
            refused.note(site, 7) { told += 1 }
        }
        #expect(told == 1)
        #expect(refused.isRefused(site, 7))
        #expect(!refused.isRefused(site, 8))
        #expect(!refused.isRefused(SiteID("other"), 7))
    }
}
