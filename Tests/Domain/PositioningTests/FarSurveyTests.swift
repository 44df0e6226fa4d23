import Events
import Geometry
import SampleSites
import Site
import Testing

@testable import Positioning

@Suite("Surveys far off") struct FarSurveyTests {
    /// A map of `SampleSite`'s surveys, with some copies of them elsewhere on its ground floor.
    private func map(_ places: [Point]) -> RadioMap {
        let far = places.enumerated().map { index, place in
            let number = 10_000 + index
            let scan = SampleSite.scan(
                number, wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -70)],
                seconds: number * 120)
            return SurveyRecorded(
                scan: scan, place: .metres(floor: SampleSite.ground, x: place.x, y: place.y))
        }
        return RadioMapBuilder.build(SampleSite.surveys + far, site: SampleSite.index).map
    }

    @Test(
        "A few distant surveys do not make a site's walkable graph coarser",
        arguments: [
            [Point(x: 90_000, y: -90_000)],
            [Point(x: 99_000, y: 0), Point(x: -99_000, y: 10), Point(x: 0, y: 99_000)],
        ])
    func few(_ places: [Point]) {
        let usual = WalkableGraphBuilder.build(map: map([]), site: SampleSite.index)
        let graph = WalkableGraphBuilder.build(map: map(places), site: SampleSite.index)
        #expect(graph.pitch == WalkableGraph.pitchMetres)
        #expect(graph.cells.count == usual.cells.count)
        #expect(graph.grids.map(\.cells.count).reduce(0, +) < 1_000)
    }

    @Test("Near surveys are walkable, and many distant ones make the site larger")
    func kept() {
        let near = WalkableGraphBuilder.build(
            map: map([Point(x: 900, y: 900)]), site: SampleSite.index)
        #expect(near.pitch == WalkableGraph.pitchMetres)
        #expect(near.cells.contains { $0.point.x > 890 })
        let places = (0..<200).map { Point(x: 250 * Double($0), y: 250 * Double($0 % 20)) }
        let wide = WalkableGraphBuilder.build(map: map(places), site: SampleSite.index)
        #expect(wide.pitch > WalkableGraph.pitchMetres)
        #expect(wide.cells.contains { $0.point.x > 49_000 })
    }
}
