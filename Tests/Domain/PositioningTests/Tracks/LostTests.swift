import Events
import Geometry
import SampleSites
import Site
import Testing

@testable import Positioning

@Suite("A device that hears nothing of the map is lost with its second scan") struct LostTests {
    private static func positioners() -> [any Positioner] {
        [AutomaticPositioner(), Track(over: Blend()), Track(over: NearestNeighbours())]
    }

    private static func scan(_ number: Int, isStrange: Bool) -> RadioScan {
        let wifi = SampleSite.readings(at: Point(x: 5, y: 4), floor: SampleSite.ground)
        let strangers = (0..<6).map { index in
            WiFiReading(bssid: HardwareAddress(value: UInt64(90_000 + index)), rssi: -60 - index)
        }
        return RadioScan(
            SampleSite.scan(number, wifi: isStrange ? strangers : wifi, seconds: 5 * number))
    }

    @Test("With strangers' transmitters alone, also while it counts steps", arguments: [nil, 0, 7])
    func strangers(steps: Int?) {
        for positioner in Self.positioners() {
            let prepared = positioner.prepare(SampleSite.map, site: SampleSite.index)
            var (state, scratch) = (PositionerState.empty, PositionerScratch())
            func located(_ number: Int, isStrange: Bool) -> Estimate {
                var scan = Self.scan(number, isStrange: isStrange)
                scan.steps = steps
                let answer = prepared.locate(scan, state: state, seed: 0, scratch: &scratch)
                state = answer.state
                return answer.estimate
            }
            let there = (0..<5).map { located($0, isStrange: false) }
            #expect(there.allSatisfy { $0.place?.floor == SampleSite.ground })
            let gone = (5..<10).map { located($0, isStrange: true).state }
            #expect(gone == [.uncertain, .lost, .lost, .lost, .lost], "\(positioner.name)")
            // The track goes on where the map is heard again.
            #expect(located(10, isStrange: false).place?.floor == SampleSite.ground)
        }
    }

    @Test("It is lost at once where it was not located before")
    func atOnce() {
        for positioner in Self.positioners() {
            let prepared = positioner.prepare(SampleSite.map, site: SampleSite.index)
            #expect(prepared.locate(Self.scan(0, isStrange: true)) == .lost)
        }
    }
}
