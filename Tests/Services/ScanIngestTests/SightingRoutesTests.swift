import EventLog
import Events
import Geometry
import HTTP
import Privacy
import SampleSites
import ServiceBench
import ServiceHost
import ServiceRuntime
import Site
import Testing
import Wire

@testable import ScanIngest

@Suite("A report of a device that a node heard") struct SightingRoutesTests {
    private static let site = IngestBench.site
    private static let address = "7c:2f:80:aa:bb:cc"

    private static func report(
        _ device: String = #""address": "\#(address)""#, at: String = "2026-11-22T00:00:00Z",
        scanner: String = "node-7", members: String = ""
    ) -> String {
        #"{\#(device), "scanner": "\#(scanner)", "at": "\#(at)", "rssi": -70\#(members)}"#
    }

    private func gateway(_ ingest: IngestBench) -> String {
        ingest.bench.issue(.gateway, site: Self.site)
    }

    /// Publishes the site with these scanners at a place.
    private func place(_ scanners: [String], _ ingest: IngestBench) throws {
        var document = SampleSite.index.document
        document.scanners = scanners.map {
            SiteScanner(
                id: ScannerID($0), floor: SampleSite.ground, point: Point(x: 5, y: 4))
        }
        ingest.bench.publish(try SiteIndex(document), as: Self.site, version: 2)
    }

    private func send(
        _ body: String, _ token: String, _ ingest: IngestBench
    ) async throws -> Answer {
        try await ingest.send(body, token, to: "/v1/sightings")
    }

    private func stored(_ ingest: IngestBench) async throws -> [SightingReported] {
        try await ingest.bench.records(of: .sightings).map { try SightingReported(record: $0) }
    }

    @Test("is stored by itself, under a pseudonym that scans of the same device have, too")
    func renamed() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let members = #", "distance": 4.5, "distanceDeviation": 1"#
        let body = "[\(Self.report(members: members)), \(Self.report(#""device": "tag-3""#))]"
        let answer = try await send(body, gateway(ingest), ingest)
        #expect(answer.status == 202 && answer["accepted"] == "2")
        let sightings = try await stored(ingest).sorted { $0.id < $1.id }
        try #require(sightings.count == 2)
        #expect(sightings[0].distance == MeasuredDistance(metres: 4.5, deviation: 1))
        #expect(sightings.allSatisfy { $0.scanner.text == "node-7" && $0.rssi == -70 })
        let end = IngestBench.keys.keys[1].ends
        #expect(sightings.allSatisfy { Pseudonym($0.device)?.ends == end })
        for record in try await ingest.bench.records(of: .sightings) {
            let text = String(decoding: (record.key ?? []) + (record.value ?? []), as: UTF8.self)
            #expect(!text.contains("7c") && !text.contains("tag-3"))
        }
        let scan =
            #"{"device": "7c2f80aabbcc", "at": "2026-11-22T00:00:00Z", "#
            + #""heardBy": [{"scanner": "node-7", "rssi": -70}]}"#
        _ = try await ingest.send(scan, gateway(ingest))
        #expect(try await ingest.scans().first?.device == sightings[0].device)
    }

    @Test("keeps the id of an enrolled device and of one with a token, also by its identity key")
    func known() async throws {
        let ingest = try await IngestBench()
        let key: [UInt8] = [
            0xec, 0x02, 0x34, 0xa3, 0x57, 0xc8, 0xad, 0x05, 0x34, 0x10, 0x10, 0xa6, 0x0a, 0x39,
            0x7d, 0x9b,
        ]
        let watch = DeviceID("d-watch")
        ingest.hand(
            enrolled: [watch, DeviceID("d-1")], identities: [.init(device: watch, key: key)])
        _ = ingest.bench.issue(.scanner, site: Self.site, device: DeviceID("node-8"))
        let names = [
            #""device": "d-1""#, #""device": "node-8""#, #""address": "70:81:94:0d:fb:aa""#,
        ]
        for name in names { _ = try await send(Self.report(name), gateway(ingest), ingest) }
        #expect(Set(try await stored(ingest).map(\.device.text)) == ["d-1", "node-8", "d-watch"])
    }

    @Test("is answered 503 without a key for strangers, and 422 when the key is gone")
    func missing() async throws {
        let ingest = try await IngestBench()
        let none = try await send(Self.report(), gateway(ingest), ingest)
        #expect(none.status == 503 && none["rejected.0.code"] == "day-key-missing")
        ingest.hand()
        let old = try await send(
            Self.report(at: "2026-11-20T23:00:00Z"), gateway(ingest), ingest)
        #expect(old.status == 422 && old["rejected.0.code"] == "heard-too-long-ago")
        #expect(try await stored(ingest).isEmpty)
    }

    @Test(
        "comes from the node itself, from a gateway or from an administrator",
        arguments: [
            (TokenRole.scanner, "node-7", nil), (.device, "node-7", nil),
            (.scanner, "other", "scanner-not-yours"), (.surveyor, nil, "scanner-not-yours"),
            (.gateway, nil, nil), (.administrator, nil, nil), (.administratorOfSite, nil, nil),
        ] as [(TokenRole, String?, String?)])
    func senders(role: TokenRole, own: String?, code: String?) async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        try place(["node-7"], ingest)
        let token = ingest.bench.issue(role, site: Self.site, device: own.map { DeviceID($0) })
        let answer = try await send(Self.report(), token, ingest)
        #expect(answer["rejected.0.code"] == code)
        #expect(try await stored(ingest).count == (code == nil ? 1 : 0))
    }

    @Test(
        "comes from no telephone, nor from a node without a place at the site",
        arguments: [TokenRole.device, .scanner])
    func withoutPlace(role: TokenRole) async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        try place(["node-8"], ingest)
        let token = ingest.bench.issue(role, site: Self.site, device: DeviceID("node-7"))
        let answer = try await send(Self.report(), token, ingest)
        #expect(answer.status == 403 && answer["rejected.0.code"] == "scanner-not-yours")
        #expect(try await stored(ingest).isEmpty)
    }

    @Test("of a node that the site does not have is counted, and told once a day by its name")
    func unknownNode() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        try place(["node-7"], ingest)
        for scanner in ["node-7", "attic", "attic"] {
            let answer = try await send(
                Self.report(scanner: scanner), gateway(ingest), ingest)
            #expect(answer.status == 202)
        }
        let told = ingest.bench.unexpected.filter { $0.contains("no scanner attic") }
        #expect(told.count == 1 && told[0].contains("\(Self.site)"))
        #expect(!ingest.bench.unexpected.contains { $0.contains("no scanner node-7") })
        #expect(
            ingest.bench.metrics.exposition.contains(
                "\nwhereabouts_sightings_unknown_node_total 2\n"))
    }

    @Test("is refused by name when it would come too late to be joined, or is ahead")
    func late() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let body =
            "[\(Self.report(at: "2026-11-21T23:56:00Z")), "
            + "\(Self.report(at: "2026-11-21T23:55:59Z")), "
            + "\(Self.report(at: "2026-11-22T00:01:01Z"))]"
        let answer = try await send(body, gateway(ingest), ingest)
        #expect(answer.status == 202 && answer["accepted"] == "1")
        #expect(answer["rejected.0.index"] == "1")
        #expect(answer["rejected.0.code"] == "heard-too-long-ago")
        #expect(answer["rejected.1.index"] == "2")
        #expect(answer["rejected.1.code"] == "time-out-of-range")
    }

    @Test("needs a token of a permitted role, a published site, and a node")
    func names() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        try place(["node-9"], ingest)
        let visitor = ingest.bench.issue(.visitor, site: Self.site)
        #expect(try await send(Self.report(), visitor, ingest).code == "role-not-allowed")
        let everywhere = ingest.bench.issue(.administrator)
        #expect(
            try await send(Self.report(), everywhere, ingest)["rejected.0.code"] == "site-missing")
        let elsewhere = Self.report(members: #", "site": "elsewhere""#)
        let unknown = try await send(elsewhere, everywhere, ingest)
        #expect(unknown.status == 404 && unknown["rejected.0.code"] == "site-unknown")
        #expect(
            try await send(elsewhere, gateway(ingest), ingest)["rejected.0.code"]
                == "site-not-yours")
        let nameless = try await send(#"{"device": "tag", "rssi": -60}"#, gateway(ingest), ingest)
        #expect(nameless["rejected.0.code"] == "field-missing")
        let node = ingest.bench.issue(.scanner, site: Self.site, device: DeviceID("node-9"))
        #expect(try await send(#"{"device": "tag", "rssi": -60}"#, node, ingest).status == 202)
        #expect(try await stored(ingest).map(\.scanner.text) == ["node-9"])
    }

    @Test("of an erased device is refused, also when it is known as enrolled no more")
    func erased() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        ingest.erased.replace(
            with: ErasedDevices([
                DeviceErased(
                    id: EventID(high: 1, low: 1), site: Self.site, device: DeviceID("d-1"),
                    at: ServiceBench.start)
            ]))
        let answer = try await send(Self.report(#""device": "d-1""#), gateway(ingest), ingest)
        #expect(answer.status == 410 && answer["rejected.0.code"] == "device-erased")
    }

    @Test("counts against the quota of its sender")
    func quota() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let quota = TokenQuota(recordsPerSecond: 1, burst: 3, bytesPerSecond: 1_000_000)
        let token = ingest.bench.issue(.gateway, site: Self.site, quota: quota)
        let body = "[" + Array(repeating: Self.report(), count: 5).joined(separator: ",") + "]"
        let answer = try await send(body, token, ingest)
        #expect(answer.status == 202 && answer["accepted"] == "3")
        #expect(answer["rejected.1.code"] == "quota-exceeded")
        #expect(answer.text.contains("1 a second, and 3 at once"), "\(answer.text)")
        #expect(answer.headers["retry-after"] != nil)
        #expect(try await stored(ingest).count == 3)
    }

    @Test("is taken in batches by other systems, which are told what was refused")
    func batches() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let caller = try #require(ingest.bench.tokens.caller(forBearer: gateway(ingest)))
        let heard = [Self.address, "tag"].map {
            HeardDevice(
                name: $0, isAddress: $0 == Self.address, scanner: ScannerID("node-7"),
                at: ServiceBench.start, rssi: -70)
        }
        let refusals = try await ingest.sightings.accept(
            heard, of: Self.site, from: caller, receivedAt: ServiceBench.start)
        #expect(refusals.allSatisfy { $0 == nil })
        #expect(try await stored(ingest).count == 2)
        let elsewhere = try await ingest.sightings.accept(
            heard, of: SiteID("elsewhere"), from: caller, receivedAt: ServiceBench.start)
        #expect(elsewhere.map { $0?.code } == ["site-not-yours", "site-not-yours"])
    }
}
