import EventLog
import Events
import MemoryLog
import Retrying
import SampleSites
import Site
import Synchronization
import TestSupport
import Testing
import Wire

@testable import ServiceHost

@Suite("The table of sites") struct SiteTableTests {
    private static let site = SiteID("museum")

    /// A table that reads a log in memory.
    private final class Bench: Sendable {
        let log = MemoryLog()
        let told = Told()
        let seen = Mutex<[SiteID: PublishedSite]?>(nil)
        let removed = Mutex<Set<SiteID>>([])
        let announced = Mutex<Set<SiteID>>([])

        init() async throws {
            try await log.createTopics(Topic.specifications(partitions: 3))
        }

        func run(_ body: () async throws -> Void) async throws {
            let table = SiteTable(
                log: log,
                onChange: { [self] table in
                    removed.withLock { $0 = table.removed }
                    announced.withLock { $0 = table.announced }
                    seen.withLock { $0 = table.sites }
                },
                notices: told.notices)
            let running = Task { await table.run() }
            do {
                try await body()
            } catch {
                running.cancel()
                await running.value
                throw error
            }
            running.cancel()
            await running.value
        }

        var versions: [SiteID: Int]? { seen.withLock { $0?.mapValues(\.version) } }
        func name(of site: SiteID) -> String? {
            seen.withLock { $0?[site]?.index.document.name }
        }
    }

    private static func published(
        _ version: Int, _ name: String, of site: SiteID = site
    ) -> SitePublished {
        var document = SampleSite.index.document
        document.name = name
        return SitePublished(
            site: site, version: version, publishedAt: Timestamp(microseconds: 0),
            document: document)
    }

    private static func records(
        _ event: SitePublished
    ) -> (pieces: [LogRecord], announcement: LogRecord, announced: SiteAnnounced) {
        let json = event.document.json
        let announced = SiteAnnounced(event, document: json)
        return (
            SiteDocumentPieces.records(announced, json), announced.record(source: "/test"),
            announced
        )
    }

    @Test("keeps the version before until every piece of the next is there")
    func halfways() async throws {
        let bench = try await Bench()
        let (first, second) = (
            Self.records(Self.published(1, "One")), Self.records(Self.published(2, "Two"))
        )
        try await bench.log.append(first.pieces + [first.announcement])
        try await bench.run {
            #expect(try await eventually { bench.versions == [Self.site: 1] })
            try await bench.log.append([second.announcement])
            // Another site's publication shows that the announcement was read.
            let other = Self.records(Self.published(5, "Other", of: SiteID("other")))
            try await bench.log.append(other.pieces)
            try await bench.log.append([other.announcement])
            #expect(
                try await eventually { bench.versions == [Self.site: 1, SiteID("other"): 5] })
            #expect(bench.name(of: Self.site) == "One")
            try await bench.log.append(second.pieces)
            #expect(
                try await eventually { bench.versions == [Self.site: 2, SiteID("other"): 5] })
            #expect(bench.name(of: Self.site) == "Two")
        }
        // A slow machine appends the pieces late. Then the table reports them as missing, and later
        // that they are there.
        #expect(bench.told.unexpected.allSatisfy { $0.contains("pieces of version 2 are missing") })
        #expect(bench.told.recoveries.count == bench.told.unexpected.count)
    }

    @Test("takes events of earlier releases, removals, and a document that comes back")
    func history() async throws {
        let bench = try await Bench()
        let old = Self.published(1, "Old")
        try await bench.log.append([old.record(source: "/test")])
        try await bench.run {
            #expect(try await eventually { bench.versions == [Self.site: 1] })
            let new = Self.records(Self.published(2, "New"))
            try await bench.log.append(new.pieces)
            try await bench.log.append([new.announcement])
            #expect(try await eventually { bench.versions == [Self.site: 2] })
            let gone = SiteDocumentPieces.tombstones(
                of: Self.site, hash: new.announced.hash, pieces: new.announced.pieces)
            try await bench.log.append([
                LogRecord(topic: Topic.site.name, key: RecordKey.bytes(Self.site), value: nil)
            ])
            try await bench.log.append(gone)
            #expect(try await eventually { bench.versions == [:] })
            #expect(bench.removed.withLock { $0 } == [Self.site])
            let again = Self.records(Self.published(3, "New"))
            #expect(again.announced.hash == new.announced.hash)
            try await bench.log.append(again.pieces)
            try await bench.log.append([again.announcement])
            #expect(try await eventually { bench.versions == [Self.site: 3] })
            #expect(bench.removed.withLock { $0.isEmpty })
        }
        #expect(bench.told.unexpected.isEmpty)
    }

    @Test("knows a site whose last record can't be read, which was not removed")
    func laterRelease() async throws {
        let bench = try await Bench()
        let key = RecordKey.bytes(Self.site)
        func record(_ value: [UInt8]?) -> LogRecord {
            LogRecord(topic: Topic.site.name, key: key, value: value)
        }
        try await bench.log.append([record(Array("of a later release".utf8))])
        try await bench.run {
            #expect(try await eventually { bench.announced.withLock { $0 } == [Self.site] })
            #expect(bench.versions == [:])
            try await bench.log.append([record(nil)])
            #expect(try await eventually { bench.removed.withLock { $0 } == [Self.site] })
            #expect(bench.announced.withLock { $0.isEmpty })
            try await bench.log.append([record(Array("of a later release".utf8))])
            #expect(try await eventually { bench.removed.withLock { $0.isEmpty } })
            #expect(bench.announced.withLock { $0 } == [Self.site])
        }
        #expect(bench.told.unexpected.count == 2)
    }

    @Test("tells of a document with other bytes, and of one that breaks a rule; others go on")
    func faults() async throws {
        let bench = try await Bench()
        let first = Self.records(Self.published(1, "One"))
        try await bench.log.append(first.pieces + [first.announcement])
        var wrong = Self.records(Self.published(2, "Two"))
        wrong.pieces[0].value?[20] ^= 1
        var invalid = Self.published(4, "Four", of: SiteID("invalid"))
        invalid.document.rooms += invalid.document.rooms
        let broken = Self.records(invalid)
        try await bench.log.append(broken.pieces + [broken.announcement])
        try await bench.run {
            #expect(try await eventually { bench.versions == [Self.site: 1] })
            try await bench.log.append(wrong.pieces + [wrong.announcement])
            #expect(try await eventually { bench.told.unexpected.count == 2 })
            #expect(bench.versions == [Self.site: 1])
            let third = Self.records(Self.published(3, "Three"))
            try await bench.log.append(third.pieces + [third.announcement])
            #expect(try await eventually { bench.versions == [Self.site: 3] })
        }
        #expect(bench.told.unexpected.allSatisfy { $0.contains("can't be used") })
    }

    @Test("finds documents in a long topic, few singly and many in one pass", arguments: [3, 9])
    func many(count: Int) async throws {
        let bench = try await Bench()
        let sites = (1...count).map { SiteID("site-\($0)") }
        for version in 1...4 {
            for site in sites {
                let records = Self.records(Self.published(version, "\(site) \(version)", of: site))
                try await bench.log.append(records.pieces)
                try await bench.log.append([records.announcement])
            }
        }
        try await bench.run {
            let newest = Dictionary(uniqueKeysWithValues: sites.map { ($0, 4) })
            let isNewest = try await eventually { bench.versions == newest }
            #expect(isNewest)
        }
        for site in sites { #expect(bench.name(of: site) == "\(site) 4") }
        let once = try await SiteTable.sites(in: bench.log, notices: .unheard)
        let versions = once.mapValues(\.version)
        #expect(versions == bench.versions)
    }

    @Test("reads many large documents in passes, so that few of them are in memory at once")
    func passes() {
        let wanted = (0..<40).shuffled().map { number in
            SiteDocumentSearch.Wanted(
                announced: SiteAnnounced(
                    site: SiteID("site-\(number)"), version: 1,
                    publishedAt: Timestamp(microseconds: 0), hash: "",
                    byteCount: number == 20 ? 50 << 20 : 10 << 20, pieces: 1),
                appendedAtMicroseconds: Int64(number))
        }
        let portions = SiteCollection.portions(of: wanted)
        let times = portions.map { $0.map(\.appendedAtMicroseconds) }
        #expect(times.flatMap(\.self) == Array(0..<40))
        #expect(times.contains([20]))
        #expect(times.allSatisfy { $0.count <= 3 })
        #expect(portions.count == 15)
    }
}

/// Waits until the condition holds. False if it still doesn't hold after twenty seconds.
private func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while .now < deadline {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}
