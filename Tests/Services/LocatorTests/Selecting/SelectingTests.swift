import Devices
import EventLog
import Events
import Positioning
import Site
import Testing
import Wire

@testable import Locator

@Suite("Positioners that a site selects") struct SelectingTests {
    private static let stock = PositionerStock(
        ["one", "two", "three"].map {
            WorkingPositioner(positioner: CountingPositioner(name: $0), option: $0)
        })

    /// A locator of one partition, whose site selects anew between two batches.
    private struct Bench {
        var devices = DeviceTable()
        var scratch = DeviceScratch()
        var known: SiteKnowledge?
        var scans = 0

        mutating func select(_ revision: Int, _ served: String?, _ beside: String...) throws {
            let sources = SiteSources(
                LocatorBench.site,
                site: PublishedSite(version: 1, index: try SiteIndex(LocatorBench.document)),
                map: LocatorBench.announcement(version: 1),
                selected: LocatorBench.selected(revision, served: served, beside: beside))
            known = SiteKnowledge(
                sources, map: .empty, positioners: stock.working(for: sources.selected),
                known: known, .standard)
        }

        /// The position of each positioner for the next scan: topic, name and the count so far.
        mutating func locate() throws -> [String] {
            scans += 1
            let site = try #require(known)
            let batches = BatchLocating(
                rules: DeviceRules(digests: .standard),
                now: { Timestamp(microseconds: LocatorBench.start) }, knowledge: { _ in site },
                isErased: { _, _ in false }, onTooLarge: { _, _ in })
            let scan = PositionerMemoryTests.scan(
                1, scans, at: 10 * scans, arrived: 10 * scans)
            return batches.locate(&devices, BatchBench.stored([scan]), scratch: &scratch).records
                .compactMap { record in
                    guard
                        let position = try? PositionEstimated(
                            record: BatchBench.stored(record))
                    else { return nil }
                    let topic = record.topic.dropFirst(Topic.prefix.count)
                    return "\(topic) \(position.positioner) \(Int(position.x ?? 0))"
                }
        }
    }

    @Test("A positioner that is promoted goes on with its state of a device; one left out forgets")
    func promoted() throws {
        var bench = Bench()
        try bench.select(1, nil, "two")
        #expect(try bench.locate() == ["positions one 1", "positions-beside two 1"])
        #expect(try bench.locate() == ["positions one 2", "positions-beside two 2"])
        try bench.select(2, "two", "one", "three")
        #expect(
            try bench.locate() == [
                "positions two 3", "positions-beside one 3", "positions-beside three 1",
            ])
        try bench.select(3, "three")
        #expect(try bench.locate() == ["positions three 2"])
        try bench.select(4, "two")
        #expect(try bench.locate() == ["positions two 1"])
    }

    @Test("A name that the operator does not allow is left out and told, once for each selection")
    func missing() throws {
        let selected = LocatorBench.selected(served: "gone", beside: ["two", "old"])
        #expect(Self.stock.working(for: selected).map(\.name) == ["one", "two"])
        #expect(Self.stock.missing(in: selected) == ["gone", "old"])
        #expect(Self.stock.working(for: nil).map(\.name) == ["one"])
        #expect(Self.stock.missing(in: nil).isEmpty)
    }

    @Test("A prepared positioner is kept when the selection changes, and the value is out of date")
    func kept() throws {
        var bench = Bench()
        try bench.select(1, nil, "two")
        let before = try #require(bench.known)
        let sources = SiteSources(
            LocatorBench.site, site: before.site, map: before.announcement,
            selected: LocatorBench.selected(2, served: "two", beside: ["one"]))
        #expect(!before.isUpToDate(with: sources))
        try bench.select(2, "two", "one")
        let after = try #require(bench.known)
        #expect(after.isUpToDate(with: sources))
        #expect(after.positioners.map(\.basis) == before.positioners.map(\.basis).reversed())
    }
}
