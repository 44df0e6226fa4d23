import Events
import Geometry
import Positioning
import Site
import Testing

@testable import RadioMapCare

@Suite("Nodes that hang elsewhere") struct NodePlacesTests {
    private static let hour = 500_000

    private static func moved(_ name: String, in row: NodeRow, at hour: Int) -> NodePlaces {
        let before = NodePlaces(row.published.index.document, known: NodePlaces(), at: 0)
        var stays = before.stays
        stays[.node(ScannerID(name))]?.since = hour
        return NodePlaces(stays)
    }

    @Test("A place counts from the hour in which it changed")
    func since() throws {
        var document = try NodeRow(["a", "b", "c"]).published.index.document
        document.beacons = [
            SiteBeacon(
                id: BeaconID("fixed"), floor: document.floors[0].id, point: [3, 3],
                uuid: EventID(high: 1, low: 2))
        ]
        func hours(_ places: NodePlaces) -> [Int?] {
            let sources = ["node/a", "node/b", "node/c", "beacon/fixed"].compactMap(NodeSource.init)
            return sources.map { places.stays[$0]?.since }
        }
        let first = NodePlaces(document, known: NodePlaces(), at: 7)
        #expect(hours(first) == [0, 0, 0, 0], "nothing is known of earlier places")
        document.scanners[0].heightMetres = 2.5
        document.scanners[1].floor = document.floors[1].id
        document.beacons[0].point.x += 1
        let second = NodePlaces(document, known: first, at: 9)
        #expect(hours(second) == [9, 9, 0, 9])
        let gone = document.scanners.removeLast()
        let third = NodePlaces(document, known: second, at: 11)
        #expect(hours(third) == [9, 9, nil, 9])
        document.scanners.append(gone)
        #expect(hours(NodePlaces(document, known: third, at: 13)) == [9, 9, 13, 9])
        #expect(NodePlaces(document, known: second, at: 13) == second)
    }

    @Test("A node that moved is not deaf, and neither are those around its old place")
    func notDeaf() throws {
        let row = try NodeRow(["a", "b", "c", "d"])
        var tally = NodeTally()
        row.count(
            NodeRow.all(["a", "b", "c", "d"]), in: Self.hour - 12...Self.hour - 3, &tally)
        row.count(NodeRow.all(["a", "b", "c"]), in: Self.hour - 1...Self.hour, &tally)
        func nodes(_ places: NodePlaces, before: NodesCalibrated? = nil) -> [String] {
            let calibration = NodeCalibrator.findings(
                tally.hearings, of: NodeRow.site, row.published, places: places, before: before,
                at: NodeRow.time(hour: Self.hour)
            ).calibration
            return (calibration?.nodes ?? []).map { "\($0.scanner) \($0.state) \($0.links)" }
        }
        let known = ["a working 3", "b working 3", "c working 3"]
        #expect(nodes(NodePlaces()) == known + ["d deaf 3"])
        let moved = Self.moved("d", in: row, at: Self.hour - 2)
        let others = ["a working 2", "b working 2", "c working 2"]
        #expect(nodes(moved) == others)
        // It was deaf where it hung before.
        let before = NodeRow.deaf(["d"], sinceHour: Self.hour - 5)
        #expect(nodes(moved, before: before) == others)
    }

    @Test("A node does not miss what was sent before it came")
    func silence() throws {
        let row = try NodeRow(["a", "b", "c", "d"])
        var tally = NodeTally()
        row.count(["b": ["a", "c"]], in: Self.hour - 1...Self.hour - 1, times: 110, &tally)
        row.count(
            ["a": ["c", "d"], "b": ["a", "c"]], in: Self.hour...Self.hour, times: 30, &tally)
        func isMissed(_ places: NodePlaces) -> Bool {
            NodeLinks(row.published.index, places).links(tally.hearings).contains {
                $0.isBound && $0.source == .node(ScannerID("b")) && $0.node == ScannerID("d")
            }
        }
        #expect(isMissed(NodePlaces()))
        #expect(!isMissed(Self.moved("d", in: row, at: Self.hour - 1)))
    }

    @Test("The senders with the most readings are fitted, and nodes rather than beacons")
    func strongest() {
        func link(_ source: NodeSource, _ readings: Int) -> NodeLink {
            NodeLink(
                source: source, node: ScannerID("a"),
                path: RadioPath(metres: 5, walls: 0, floors: 0), rssi: -70, mean: -70, variance: 0,
                readings: readings, isBound: readings == 0)
        }
        let beacons = (0..<1_000).map { link(.beacon(BeaconID("beacon-\($0)")), 1_000 + $0) }
        let nodes = (0..<300).map { link(.node(ScannerID("node-\($0)")), 20) }
        let silent = (300..<400).map { link(.node(ScannerID("node-\($0)")), 0) }
        let kept = NodeCalibrator.strongest(silent + beacons + nodes)
        #expect(kept.count == NodeCalibrator.mostSourcesAtOnce)
        #expect(kept.count { $0.source.isNode } == 300)
        #expect(kept.allSatisfy { !$0.isBound })
        let fewest = kept.filter { !$0.source.isNode }.map(\.readings).min()
        #expect(fewest == 2_000 - (NodeCalibrator.mostSourcesAtOnce - 300))
        #expect(NodeCalibrator.strongest(silent + nodes).count == 400)
    }
}
