import Devices
import Events
import Geometry
import SampleSites
import Site
import Testing

@testable import Positioning

@Suite("Nodes of a site locate devices") struct LocatingNodesTests {
    private static let index: SiteIndex = {
        var document = SampleSite.index.document
        document.scanners = [("in-a", 5.0, 4.0), ("in-b", 15, 4), ("in-c", 10, 1)].map {
            SiteScanner(
                id: ScannerID($0.0), floor: SampleSite.ground, point: Point(x: $0.1, y: $0.2))
        }
        return try! SiteIndex(document)
    }()

    private static func calibration(at seconds: Int, deaf: Bool = false) -> NodesCalibrated {
        NodesCalibrated(
            site: SampleSite.id, siteVersion: 1, calibratedAt: Script.moment(seconds), level: -59,
            wallLoss: 4, floorLoss: 15, deviation: 4,
            nodes: [
                NodesCalibrated.Node(
                    scanner: ScannerID("in-a"), offset: 0, offsetError: 1, exponent: 2,
                    exponentError: 0.1, links: 2, readings: 100,
                    state: deaf ? .deaf : .working)
            ])
    }

    private static func knowledge(
        map: RadioMapAnnounced? = nil, nodes: NodesCalibrated? = nil, _ known: SiteKnowledge? = nil
    ) -> SiteKnowledge {
        SiteKnowledge(
            SiteSources(
                SampleSite.id, site: PublishedSite(version: 1, index: index), map: map,
                nodes: nodes), map: .empty,
            positioners: [WorkingPositioner(positioner: NearestNeighbours(), option: "knn")],
            known: known, Script.digests)
    }

    private static func scan(_ number: Int, _ levels: [String: Int], wifi: Bool = false)
        -> ScanRecorded
    {
        var scan = Script.scan(number, wifi ? "A" : "?", of: "tag")
        scan.heardBy = levels.map { NodeReading(scanner: ScannerID($0.key), rssi: $0.value) }
        return scan
    }

    @Test("A site without a radio map locates what its nodes hear, and remembers it")
    func located() throws {
        let site = Self.knowledge()
        #expect(site.positioners[0].prepared == nil && site.nodes != nil)
        var device = Device()
        var scratch = DeviceScratch()
        let scan = Self.scan(0, ["in-a": -82, "in-b": -60, "in-c": -78])
        let located = device.decide(
            scan, in: site, by: Script.rules, locatedAt: scan.receivedAt, scratch: &scratch)
        let position = try #require(located.served)
        #expect(position.state == .located)
        #expect(position.room == RoomID("B") && position.floor == SampleSite.ground)
        #expect(position.positioner == "knn" && position.radius95 ?? 0 > 1)
        #expect(device.evolve(located).memory)
        #expect(device.memory.entries[PreparedNodes.memoryName] != nil)
        // A scan that no node heard is the positioner's, which has no map.
        let silent = Self.scan(1, [:])
        let lost = device.decide(
            silent, in: site, by: Script.rules, locatedAt: silent.receivedAt, scratch: &scratch)
        #expect(lost.served?.state == .lost)
    }

    @Test("A single question is answered by nodes, too")
    func question() {
        var scratch = DeviceScratch()
        let scan = Self.scan(0, ["in-a": -60, "in-b": -82, "in-c": -78])
        let position = Device.position(
            ofOne: scan, in: Self.knowledge(), by: Script.rules, locatedAt: scan.receivedAt,
            scratch: &scratch)
        #expect(position?.room == RoomID("A"))
    }

    @Test("Nodes are prepared again for another calibration only, and deaf ones are left out")
    func calibrated() {
        let first = Self.knowledge(nodes: Self.calibration(at: 1))
        let same = Self.knowledge(nodes: Self.calibration(at: 1), first)
        #expect(first.nodes?.basis == same.nodes?.basis)
        // The memory of a device outlives a calibration that changes no node's state.
        let later = Self.knowledge(nodes: Self.calibration(at: 2), first)
        #expect(first.nodes?.basis == later.nodes?.basis)
        let other = Self.knowledge(nodes: Self.calibration(at: 2, deaf: true), first)
        #expect(first.nodes?.basis != other.nodes?.basis)
        let heard = RadioScan(Self.scan(0, ["in-a": -60]))
        #expect(first.nodes?.prepared.suits(heard) == true)
        #expect(other.nodes?.prepared.suits(heard) == false)
        var sources = SiteSources(SampleSite.id)
        sources.evolve(Self.calibration(at: 2, deaf: true))
        sources.evolve(Self.calibration(at: 1))
        #expect(sources.nodes == Self.calibration(at: 2, deaf: true))
        #expect(!first.isUpToDate(with: sources))
        sources.forgetNodes()
        #expect(sources.nodes == nil)
    }

    @Test("Ways are computed once for a version of the site, and give the same places")
    func ways() throws {
        let first = Self.knowledge(nodes: Self.calibration(at: 1))
        let deaf = Self.calibration(at: 2, deaf: true)
        let later = try #require(Self.knowledge(nodes: deaf, first).nodes?.prepared)
        let anew = try #require(Self.knowledge(nodes: deaf).nodes?.prepared)
        #expect(later.fields.ground === first.nodes?.prepared.fields.ground)
        #expect(later.fields.ground !== anew.fields.ground)
        let scan = RadioScan(Self.scan(0, ["in-b": -60, "in-c": -78]))
        #expect(later.locate(scan).place == anew.locate(scan).place)
    }
}
