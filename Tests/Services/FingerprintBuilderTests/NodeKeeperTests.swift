import Events
import LogViews
import Postgres
import RadioMapCare
import ServiceBench
import ServiceHost
import TestSupport
import Testing

@testable import FingerprintBuilder

@Suite(
    "Keeping nodes calibrated",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct NodeKeeperTests {
    private static let places = ["a": 4.0, "b": 12, "c": 20, "d": 28]
    private static let names = ["a", "b", "c", "d"]
    private static let working = names.map { "\($0) working" }
    private static let workingButD = working.filter { $0 != "d working" }

    @Test("A node that was published at another place is neither deaf nor fitted with old hours")
    func moved() async throws {
        let nodes = try await NodeBench()
        try nodes.publish(Self.places)
        try await nodes.hear(NodeBench.all(Self.names))
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.working)
        nodes.bench.pass(seconds: 3 * 3_600)
        var places = Self.places
        places["d"] = 80
        try nodes.publish(places, version: 2)
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.workingButD)
        nodes.bench.pass(seconds: 2 * 3_600)
        try await nodes.hear(NodeBench.all(["a", "b", "c"]))
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.workingButD)
        // It counts again at its place, also after it was published once more.
        nodes.bench.pass(seconds: 60)
        try nodes.publish(places, version: 3)
        try await nodes.hear(NodeBench.all(Self.names))
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.working)
    }

    @Test("Hours of a node since its move count for a week, those of the same day before it do not")
    func movedYesterday() async throws {
        let nodes = try await NodeBench()
        try nodes.publish(Self.places)
        try await nodes.hear(NodeBench.all(Self.names))
        try await nodes.keeper.calibrateAll()
        nodes.bench.pass(seconds: 3 * 3_600)
        var places = Self.places
        places["d"] = 80
        try nodes.publish(places, version: 2)
        try await nodes.keeper.calibrateAll()
        for _ in 0..<2 {
            nodes.bench.pass(seconds: 3_600)
            try await nodes.hear(NodeBench.all(Self.names))
        }
        // The hours are summed up now.
        nodes.bench.pass(seconds: 30 * 3_600)
        let hour = Int(nodes.bench.clock.now.microseconds / 3_600_000_000)
        let hearings = try await nodes.store.hearings(at: hour)[MapCampus.site] ?? []
        let found = hearings.filter { $0.source == .node(ScannerID("a")) && $0.node.text == "d" }
            .map { "\($0.hour - hour) \($0.windows) \($0.readings)" }
        #expect(found == ["-35 60 60", "-31 120 120"])
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.working)
    }

    @Test("Windows in which one node alone heard another are counted apart")
    func alone() async throws {
        let nodes = try await NodeBench()
        try nodes.publish(Self.places)
        try await nodes.hear(["a": ["b", "c"], "b": ["a"]])
        try await nodes.hear(["a": ["b"]])
        let hour = Int(nodes.bench.clock.now.microseconds / 3_600_000_000)
        let hearings = try await nodes.store.hearings(at: hour)[MapCampus.site] ?? []
        let found = hearings.map {
            "\($0.source.text) \($0.node) \($0.windows) \($0.readings) \($0.loneWindows) "
                + "\($0.loneReadings)"
        }
        #expect(
            found == [
                "node/a b 60 60 60 60", "node/a c 60 60 60 0", "node/b a 0 0 60 60",
            ])
    }

    @Test("When a site was removed, its calibration ends in the tables and in the log")
    func removed() async throws {
        let nodes = try await NodeBench()
        try nodes.publish(Self.places)
        try await nodes.hear(NodeBench.all(Self.names))
        try await nodes.keeper.calibrateAll()
        nodes.bench.sites.replace(with: [:], removed: [MapCampus.site])
        nodes.guarding.set(.anotherLog, logID: "another", newest: 0)
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.working, "another log says nothing about sites")
        nodes.guarding.set(.fits, logID: "the log", newest: 0)
        for _ in 0..<2 {
            try await nodes.keeper.calibrateAll()
            #expect(try await nodes.store.sites().isEmpty)
            #expect(try await nodes.count("SELECT count(*) FROM node_hearings.hours") == 0)
            let tombstones = try await nodes.count(
                "SELECT count(*) FROM radio_maps.outbox WHERE key = $1 AND value IS NULL",
                [.bytes(Array("campus/nodes".utf8))])
            #expect(tombstones == 1)
        }
    }

    @Test("A site that nothing tells of any more is removed an hour later")
    func unknown() async throws {
        let nodes = try await NodeBench()
        try nodes.publish(Self.places)
        try await nodes.hear(NodeBench.all(Self.names))
        try await nodes.keeper.calibrateAll()
        nodes.bench.sites.replace(with: [:])
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.working)
        nodes.bench.pass(seconds: 3_600)
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == nil)
    }

    @Test("A site that can't be calibrated holds up neither others nor the end of old hours")
    func failing() async throws {
        let nodes = try await NodeBench()
        let broken = SiteID("a-broken-one")
        try nodes.publish(Self.places, as: broken)
        try nodes.publish(Self.places)
        try await nodes.hear(NodeBench.all(Self.names), at: broken)
        try await nodes.hear(NodeBench.all(Self.names))
        try await nodes.refuse(broken)
        try await nodes.pool.query(
            "INSERT INTO node_hearings.hours VALUES ($1, 'node/a', 'b', 1, 1, 1, -70)",
            [.text(MapCampus.site.text)])
        await #expect(throws: (any Error).self) { try await nodes.keeper.calibrateAll() }
        #expect(try await nodes.newest() == Self.working)
        let old = try await nodes.count("SELECT count(*) FROM node_hearings.hours WHERE hour = 1")
        #expect(old == 0)
    }

    @Test("A site that fails each time has the others calibrated at growing pauses, not faster")
    func pace() async throws {
        let nodes = try await NodeBench()
        try nodes.publish(Self.places)
        try await nodes.hear(NodeBench.all(Self.names))
        #expect(await nodes.pauses(2) == [.seconds(60), .seconds(60)])
        let broken = SiteID("a-broken-one")
        try nodes.publish(Self.places, as: broken)
        try await nodes.hear(NodeBench.all(Self.names), at: broken)
        try await nodes.refuse(broken)
        let pauses = await nodes.pauses(8)
        let seconds: [Int64] = [1, 2, 4, 8, 16, 32, 60, 60]
        #expect(pauses.map(\.components.seconds) == seconds)
        #expect(nodes.bench.unexpected.count == 1)
    }

    @Test("A newest calibration that can't be read counts as none, and is told once")
    func unreadable() async throws {
        let nodes = try await NodeBench()
        try nodes.publish(Self.places)
        try await nodes.hear(NodeBench.all(Self.names))
        // While it is of the future, no other one takes its place.
        let ahead = nodes.bench.clock.now.advanced(byMicroseconds: 60_000_000)
        try await nodes.pool.query(
            "INSERT INTO radio_maps.node_calibrations VALUES ($1, $2, $3)",
            [
                .text(MapCampus.site.text), .timestamp(microseconds: ahead.microseconds),
                .bytes([0]),
            ])
        for _ in 0..<2 { try await nodes.keeper.calibrateAll() }
        nodes.bench.pass(seconds: 120)
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.working)
        #expect(nodes.bench.unexpected.count == 1)
    }

    @Test("A calibration of an earlier site with the same id does not count")
    func earlierSite() async throws {
        let nodes = try await NodeBench()
        try nodes.publish(Self.places)
        let start = ServiceBench.start
        let earlier = NodesCalibrated(
            site: MapCampus.site, siteVersion: 9, calibratedAt: start, level: -59, wallLoss: 4,
            floorLoss: 15, deviation: 4,
            nodes: [
                NodesCalibrated.Node(
                    scanner: ScannerID("d"), offset: 0, offsetError: 7, exponent: 2.2,
                    exponentError: 0, links: 0, readings: 0, state: .deaf, deafSince: start)
            ])
        #expect(try await nodes.store.publish(earlier, source: "/test"))
        nodes.bench.pass(seconds: 3_600)
        try await nodes.hear(NodeBench.all(["a", "b", "c"]))
        try await nodes.keeper.calibrateAll()
        #expect(try await nodes.newest() == Self.workingButD)
    }
}
