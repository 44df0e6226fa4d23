import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct MixtureTests {
    @Test("The place is the weighted mean of the three places", arguments: 0..<4)
    func weightedMean(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let map = RandomMap.make(&random)
        let site = SampleSite.index
        let temper = PreparedGaussianLikelihood(map: map, site: site).temper
        let text = "mixture:cells-part=0.25,gaussian-part=0.5,gaussian-part-temper=\(temper)"
        let mixture = try PositionerRegistry.standard.positioner(text).prepare(map, site: site)
        let parts: [(Double, any PreparedPositioner)] = [
            (0.25, Blend().prepare(map, site: site)),
            (0.25, CellRegression().prepare(map, site: site)),
            (0.5, GaussianLikelihood().prepare(map, site: site)),
        ]
        var compared = 0
        for _ in 0..<50 {
            let scan = RandomMap.scan(&random)
            let places = parts.map { ($0, $1.locate(scan).place) }
            let mixed = mixture.locate(scan).place
            let floors = Set(places.map(\.1?.floor))
            guard let mixed, floors.count == 1, floors.first == mixed.floor else { continue }
            compared += 1
            let x = places.reduce(0) { $0 + $1.0 * $1.1!.point.x }
            let y = places.reduce(0) { $0 + $1.0 * $1.1!.point.y }
            #expect(mixed.point.distance(to: Point(x: x, y: y)) < 1e-9)
        }
        #expect(compared > 5)
    }

    @Test("Without weights it is the blend, and a scan of unknown transmitters is lost")
    func blendAlone() {
        var random = SeededRandom(seed: 8)
        let map = RandomMap.make(&random)
        let mixture = Mixture().prepare(map, site: SampleSite.index)
        let blend = Blend().prepare(map, site: SampleSite.index)
        for _ in 0..<20 {
            let scan = RandomMap.scan(&random)
            #expect(mixture.locate(scan).place?.point == blend.locate(scan).place?.point)
            #expect(mixture.locate(scan).place?.radius68 == blend.locate(scan).place?.radius68)
        }
        let stranger = SampleSite.scan(
            2, wifi: [WiFiReading(bssid: HardwareAddress(value: 77), rssi: -50)])
        #expect(mixture.locate(RadioScan(stranger)) == .lost)
        #expect(
            Mixture().prepare(.empty, site: SampleSite.index).locate(RadioScan(stranger)) == .lost)
    }

    @Test(
        "Weights that are no weights are refused",
        arguments: [
            "cells-part=1.5", "cells-part=-0.1", "cells-part=nan", "cells-part=half",
            "cells-part=0.6,gaussian-part=0.6", "gaussian-part-temper=0",
        ])
    func refused(values: String) {
        #expect(PositionerRegistry.standard["mixture:\(values)"] == nil)
    }

    @Test("A choice that is written as text is read as the same choice")
    func text() throws {
        var choice = BlendChoice.fallback
        choice.shares = MixtureShares(cells: 0.125, gaussian: 0.3, temper: 0.0625)
        choice.radii.factor68 = 1.7
        let read = try PositionerRegistry.standard.positioner(Mixture.text(choice)) as? Mixture
        #expect(read?.choice.shares == choice.shares)
        #expect(read?.choice.settings == choice.settings)
        #expect(read?.choice.radii == choice.radii)
    }
}
