import Access
import Events
import HTTP
import MemoryLog
import ServiceBench
import ServiceHost
import Testing
import Wire

@testable import ScanIngest

@Suite("Sightings of other systems") struct ForeignSightingsTests {
    private static func heard(_ name: String) -> HeardDevice {
        HeardDevice(
            name: name, isAddress: false, scanner: ScannerID("node-7"), at: ServiceBench.start,
            rssi: -70)
    }

    private static let gateway = Caller(
        id: "nodes", grants: [Grant(.gateway, site: IngestBench.site)])

    @Test("spend their site's quota, and wait until the site is published")
    func foreign() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let sink = ForeignSightings(
            intake: ingest.sightings, clock: ingest.bench.clock, metrics: ingest.bench.metrics,
            burstSeconds: 0.01)
        let tag = Self.heard("tag")
        await #expect(throws: Problem.self) {
            try await sink.accept([tag], of: SiteID("elsewhere"))
        }
        // A gateway may send 1,000 a second, so ten in this time. The eleventh is too much.
        let many = Array(repeating: tag, count: 11)
        let refusals = try await sink.accept(many, of: IngestBench.site)
        #expect(refusals.map(\.code) == ["quota-exceeded"])
        #expect(try await ingest.bench.records(of: .sightings).count == 10)
        await #expect(throws: Problem.self) { try await sink.accept([tag], of: IngestBench.site) }
    }

    @Test("are all judged before the first is appended, so that a retry repeats nothing")
    func judgedFirst() async throws {
        let ingest = try await IngestBench()
        _ = ingest.bench.issue(.scanner, site: IngestBench.site, device: DeviceID("known"))
        // There is no key for strangers yet.
        await #expect(throws: Problem.self) {
            try await ingest.sightings.accept(
                [Self.heard("known"), Self.heard("stranger")], of: IngestBench.site,
                from: Self.gateway, receivedAt: ServiceBench.start)
        }
        #expect(try await ingest.bench.records(of: .sightings).isEmpty)
    }

    @Test("are appended in pieces, so that a large post fits the queue of the log")
    func pieces() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let intake = SightingIntake(
            scans: ingest.inbound.intake,
            log: MemoryLog(ingest.bench.server, maximumQueuedRecords: 5_000),
            unknownNodes: ingest.sightings.unknownNodes)
        let many = Array(repeating: Self.heard("tag"), count: 5_001)
        let refusals = try await intake.accept(
            many, of: IngestBench.site, from: Self.gateway, receivedAt: ServiceBench.start)
        #expect(refusals.count == many.count && refusals.allSatisfy { $0 == nil })
        #expect(try await ingest.bench.records(of: .sightings).count == many.count)
    }
}
