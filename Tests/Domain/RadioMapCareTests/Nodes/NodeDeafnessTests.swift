import Events
import Geometry
import Positioning
import Simulation
import Site
import Testing

@testable import RadioMapCare

@Suite("Deaf nodes") struct NodeDeafnessTests {
    /// The node that hears the most others.
    private static func best(_ calibration: NodesCalibrated) -> ScannerID? {
        calibration.nodes.max { ($0.links, $1.scanner) < ($1.links, $0.scanner) }?.scanner
    }

    @Test("A node that stops hearing is named, left out, and back when it hears again")
    func named() throws {
        let hearing = try SimulatedHearing(seed: 21)
        let first = SimulatedHearing.Span(hours: 3.9, seed: 1)
        let before = try #require(hearing.calibration(hearing.hearings(first), hours: 3.9))
        #expect(before.nodes.allSatisfy { $0.state == .working })
        let deaf = try #require(Self.best(before))
        let second = SimulatedHearing.Span(from: 4.1, hours: 1.8, seed: 2, muted: [deaf])
        let silent = try #require(
            hearing.calibration(
                hearing.hearings(first, second), before: before, hours: 5.95))
        #expect(silent.newlyDeaf(after: before) == [deaf])
        #expect(silent.isNews(after: before))
        let node = try #require(silent.nodes.first { $0.scanner == deaf })
        #expect(node.deafSince == SimulatedHearing.time(5.95))
        let prepared = try #require(
            PreparedNodes(hearing.published.index, calibration: silent, map: .empty))
        #expect(!prepared.uses(.node(deaf)))
        // Its figures are still those of its history.
        let known = try #require(before.nodes.first { $0.scanner == deaf })
        #expect(abs(node.offset - known.offset) < 3)
        let third = SimulatedHearing.Span(from: 8.1, hours: 1.8, seed: 3)
        let back = try #require(
            hearing.calibration(
                hearing.hearings(first, second, third), before: silent, hours: 9.95))
        #expect(back.nodes.allSatisfy { $0.state == .working })
    }

    @Test("A node that never heard its nearest neighbours is deaf")
    func fromTheStart() throws {
        let links = try SimulatedHearing(seed: 21)
        var document = links.nodes.document
        let first = document.scanners[0]
        document.scanners = [(0.0, "a"), (0.5, "b"), (1, "c"), (1.5, "d")].map { metres, name in
            var scanner = first
            scanner.id = ScannerID(name)
            scanner.point.x += metres
            return scanner
        }
        let published = PublishedSite(version: 1, index: try SiteIndex(document))
        let hour = Int(SimulatedHearing.time(1).microseconds / 3_600_000_000)
        let heard = ["a", "b", "c", "d"].flatMap { source in
            ["a", "b", "c"].filter { $0 != source }.map { node in
                NodeHearing(
                    source: .node(ScannerID(source)), node: ScannerID(node), hour: hour,
                    windows: 120, readings: 110, mean: -60)
            }
        }
        let calibration = NodeCalibrator.calibration(
            heard, of: SiteID("simulated"), published, before: nil,
            at: SimulatedHearing.time(1))
        let deaf = calibration?.nodes.filter { $0.state == .deaf }.map(\.scanner)
        #expect(deaf == [ScannerID("d")])
    }

    @Test("More than half of the nodes are never newly deaf at once")
    func tooMany() throws {
        let hearing = try SimulatedHearing(seed: 21)
        let first = SimulatedHearing.Span(hours: 3.9, seed: 1)
        let before = try #require(hearing.calibration(hearing.hearings(first), hours: 3.9))
        let muted = (0..<hearing.nodes.count).filter { $0 % 4 != 0 }.map { ScannerID("node-\($0)") }
        let second = SimulatedHearing.Span(from: 4.1, hours: 1.8, seed: 2, muted: Set(muted))
        let findings = NodeCalibrator.findings(
            hearing.hearings(first, second), of: hearing.nodes.building.site, hearing.published,
            before: before,
            at: SimulatedHearing.time(5.95))
        let deaf = findings.calibration?.newlyDeaf(after: before) ?? []
        #expect(2 * deaf.count <= hearing.nodes.count)
        #expect(deaf.isEmpty || findings.doubted.isEmpty)
    }

    @Test("A deaf node without a history is back once it hears two sources, if the site places it")
    func backWithoutHistory() throws {
        let hearing = try SimulatedHearing(seed: 21)
        let ids = hearing.published.index.document.scanners.map(\.id)
        let now = SimulatedHearing.time(40)
        let hour = Int(now.microseconds / 3_600_000_000)
        var before = NodesCalibrated(
            site: hearing.nodes.building.site, siteVersion: 1,
            calibratedAt: SimulatedHearing.time(39), level: -59, wallLoss: 4, floorLoss: 15,
            deviation: 4, nodes: [])
        before.nodes = [ids[0], ScannerID("removed")].map {
            NodesCalibrated.Node(
                scanner: $0, offset: 0, offsetError: 7, exponent: 2.2, exponentError: 0, links: 0,
                readings: 0, state: .deaf, deafSince: SimulatedHearing.time(30))
        }
        func since(sources: Int) -> [ScannerID] {
            let heard = (1...3).flatMap { number in
                [hour - 20, hour].map { time in
                    NodeHearing(
                        source: .node(ids[number]), node: ids[0], hour: time, windows: 100,
                        readings: time == hour && number <= sources ? 90 : 0, mean: -70)
                }
            }
            let links = NodeLinks(hearing.published.index)
            return Array(NodeDeafness(heard, links, before: before, at: now).since.keys)
        }
        #expect(since(sources: 1) == [ids[0]])
        #expect(since(sources: 3).isEmpty)
    }

    @Test("Nodes are not deaf because a source is silent")
    func silentSource() throws {
        let hearing = try SimulatedHearing(seed: 22)
        let first = NodeSource.node(ScannerID("node-0"))
        let silentFrom = Int(SimulatedHearing.time(4.1).microseconds / 3_600_000_000)
        let heard = hearing.hearings(
            .init(hours: 3.9, seed: 1), .init(from: 4.1, hours: 1.8, seed: 2)
        ).filter { $0.source != first || $0.hour < silentFrom }
        let calibration = try #require(hearing.calibration(heard, hours: 5.95))
        #expect(calibration.nodes.allSatisfy { $0.state == .working })
    }

    @Test("Only scans of placed nodes and beacons, and by nodes of beacons, are counted")
    func tally() throws {
        var document = try SimulatedHearing(seed: 21).published.index.document
        let uuid = EventID(high: 1, low: 2)
        document.beacons = [
            SiteBeacon(
                id: BeaconID("fixed"), floor: document.floors[0].id, point: [3, 3], uuid: uuid,
                major: 1, minor: 2)
        ]
        let references = NodeTally.References(document)
        func scan(
            _ device: String, _ scanner: String, heardBy: [NodeReading] = []
        ) -> ScanRecorded {
            ScanRecorded(
                id: uuid, site: SiteID("simulated"), device: DeviceID(device),
                scanner: ScannerID(scanner), at: Timestamp(milliseconds: 3_600_000),
                receivedAt: Timestamp(milliseconds: 3_600_000),
                ble: heardBy.isEmpty
                    ? [BluetoothReading(uuid: uuid, major: 1, minor: 2, rssi: -70)] : [],
                heardBy: heardBy)
        }
        let readings = ["node-1", "node-2", "node-4", "stranger"].map {
            NodeReading(scanner: ScannerID($0), rssi: -60)
        }
        var tally = NodeTally()
        tally.add(scan("somebody", "somebody", heardBy: readings), references)
        #expect(tally.counts.isEmpty)
        #expect(!references.concern(DeviceID("somebody")))
        tally.add(scan("node-1", "node-1", heardBy: readings), references)
        // Only one other placed node heard this one, which is counted apart.
        tally.add(scan("node-2", "node-2", heardBy: Array(readings.prefix(2))), references)
        tally.add(scan("node-3", "node-3"), references)
        let found = tally.hearings.map { "\($0.source.text) \($0.node) \($0.windows) \($0.mean)" }
        #expect(
            found == [
                "beacon/fixed node-3 1 -70.0", "node/node-1 node-2 1 -60.0",
                "node/node-1 node-4 1 -60.0", "node/node-2 node-1 0 0.0",
            ])
        #expect(tally.hearings.map(\.loneWindows) == [0, 0, 0, 1])
        #expect(tally.hearings.map(\.loneReadings) == [0, 0, 0, 1])
        for hearing in tally.hearings {
            #expect(hearing.hour == 1)
            #expect(NodeSource(hearing.source.text) == hearing.source)
        }
    }
}
