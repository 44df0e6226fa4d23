import Geometry
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite struct PositionerScratchTests {
    private static func count(_ scratch: inout PositionerScratch) -> Int {
        scratch.use(0) { count in
            count += 1
            return count
        }
    }

    @Test("Memory is kept between uses, and another type of memory starts new")
    func kept() {
        var scratch = PositionerScratch()
        #expect((1...3).map { _ in Self.count(&scratch) } == [1, 2, 3])
        #expect(scratch.use("") { $0 } == "")
        #expect(Self.count(&scratch) == 1)
    }

    @Test("A copy has memory of its own, so that copies can be used at the same time")
    func copies() {
        var scratch = PositionerScratch()
        _ = Self.count(&scratch)
        var copy = scratch
        #expect(Self.count(&copy) == 1)
        #expect(Self.count(&copy) == 2)
        #expect(Self.count(&scratch) == 2)
    }

    @Test(
        "Positioners that share a scratch give the same estimates as with one each",
        arguments: 0..<5)
    func turns(seed: Int) {
        var random = SeededRandom(seed: seed)
        let prepared = PositionerRegistry.standard.names.compactMap {
            PositionerRegistry.standard[$0]?.prepare(SampleSite.map, site: SampleSite.index)
        }
        var shared = PositionerScratch()
        for _ in 0..<40 {
            let point = Point(
                x: .random(in: 0...20, using: &random), y: .random(in: 0...6, using: &random))
            let wifi = SampleSite.readings(at: point, floor: SampleSite.ground)
            let scan = RadioScan(SampleSite.scan(1, wifi: wifi))
            let positioner = prepared[Int.random(in: prepared.indices, using: &random)]
            let (estimate, _) = positioner.locate(
                scan, state: .empty, seed: 0, scratch: &shared)
            #expect(estimate == positioner.locate(scan))
        }
    }
}
