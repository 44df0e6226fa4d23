import Events
import Geometry
import SampleSites
import Site
import Testing

@testable import Positioning

@Suite("Beacons on floors with few surveys") struct StatedBeaconTests {
    /// The sample site with beacons on its ground floor.
    private static func site(_ points: [Point]) throws -> SiteIndex {
        var document = SampleSite.index.document
        document.beacons = points.enumerated().map { number, point in
            SiteBeacon(
                id: BeaconID("beacon-\(number)"), floor: SampleSite.ground, point: point,
                uuid: EventID(high: 1, low: 1), major: 1, minor: number)
        }
        return try SiteIndex(document)
    }

    @Test("The positioners of a site share the ways to its beacons, of which at most 200 locate")
    func shared() throws {
        let site = try Self.site((0..<205).map { Point(x: 0.09 * Double($0), y: 1) })
        let stated = StatedFloors(.empty, site: site)
        let first = try #require(BeaconEvidence(stated, site: site))
        let second = try #require(BeaconEvidence(stated, site: site))
        #expect(first.fields.nodes.count == 200)
        #expect(first.fields.ground === second.fields.ground)
    }

    @Test("Trials of a radio map prepare no beacons", arguments: [nil, "knn"])
    func trials(choice: String?) {
        #expect(ChosenPositioner.following(choice) is BesideBeacons)
        #expect(!(ChosenPositioner.withoutBeacons(choice) is BesideBeacons))
    }

    @Test("Tracks walk around the beacons of a floor with few surveys, and not of one with many")
    func walkable() throws {
        let beacon = Point(x: 60, y: 60)
        let site = try Self.site([beacon])
        for (count, isWalkable) in [(3, true), (60, false)] {
            let surveys = SampleSite.surveys.prefix(count)
            let map = RadioMapBuilder.build(surveys, site: site).map
            let graph = WalkableGraphBuilder.build(map: map, site: site)
            #expect(graph.cells.contains { $0.point.distance(to: beacon) < 3 } == isWalkable)
        }
    }

    @Test("One survey far off does not make the graph coarser beside beacons")
    func farOff() throws {
        let site = try Self.site([Point(x: 5, y: 5)])
        let scan = SampleSite.scan(
            10_000, wifi: [WiFiReading(bssid: HardwareAddress(value: 1), rssi: -70)],
            seconds: 1_200_000)
        let far = SurveyRecorded(
            scan: scan, place: .metres(floor: SampleSite.ground, x: 90_000, y: -90_000))
        let map = RadioMapBuilder.build(SampleSite.surveys.prefix(5) + [far], site: site).map
        let graph = WalkableGraphBuilder.build(map: map, site: site)
        #expect(graph.pitch == WalkableGraph.pitchMetres)
    }
}
