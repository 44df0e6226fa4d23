import Cryptography
import EventLog
import Events
import ServiceBench
import ServiceHost
import Testing
import Wire

@testable import ScanIngest

@Suite("A record of scans-inbound") struct InboundScansTests {
    private func record(
        _ value: String?, token: String?, at moment: Timestamp = ServiceBench.start
    ) -> StoredRecord {
        var headers = LogHeaders()
        if let token { headers.append("authorization", "Bearer \(token)") }
        return StoredRecord(
            topic: Topic.scansInbound.name, partition: 0, offset: 0,
            appendedAtMicroseconds: moment.microseconds, key: nil,
            value: value.map { Array($0.utf8) }, headers: headers)
    }

    private func work(
        _ ingest: IngestBench, _ records: [StoredRecord]
    ) throws -> ProcessorOutputs {
        var quotas = InboundQuotas()
        return try ingest.inbound.work(&quotas, records)
    }

    @Test("becomes a scan under its device's key, or a survey where it has a place")
    func accepted() async throws {
        let ingest = try await IngestBench()
        let token = ingest.bench.issue(
            .surveyor, site: IngestBench.site, device: DeviceID("tablet"))
        let survey = IngestBench.scan(#""place": {"location": "desk"}"#)
        let outputs = try work(
            ingest, [record(IngestBench.scan(), token: token), record(survey, token: token)])
        #expect(outputs.setAside.isEmpty)
        #expect(outputs.records.map(\.topic) == [Topic.scans.name, Topic.surveyRecords.name])
        let key = RecordKey.bytes(IngestBench.site, DeviceID("tablet"))
        #expect(outputs.records.first?.key == key)
    }

    @Test("that shows its token is reported to the operator, once")
    func reported() async throws {
        let ingest = try await IngestBench()
        let shown = record(IngestBench.scan(), token: ingest.phone())
        _ = try work(ingest, [shown, shown])
        #expect(ingest.bench.unexpected.count == 1)
    }

    @Test(
        "is set aside in full where it can't be used, with whether its sender is to blame",
        arguments: [
            (nil, true, "value-missing", false), ("{", true, "truncated", false),
            (IngestBench.scan(), false, "token-missing", true),
            (IngestBench.scan(#""device": "other""#), true, "device-not-yours", true),
            (IngestBench.scan(#""site": "elsewhere""#), true, "site-not-yours", true),
            (IngestBench.scan(#""site": "elsewhere.test""#), true, "site-unknown", true),
        ] as [(String?, Bool, String, Bool)])
    func setAside(value: String?, hasToken: Bool, code: String, isOfSender: Bool) async throws {
        let ingest = try await IngestBench()
        let bad = record(value, token: hasToken ? ingest.phone() : nil)
        let good = record(IngestBench.scan(), token: ingest.phone())
        let outputs = try work(ingest, [bad, good])
        #expect(outputs.setAside.map(\.code) == [code])
        #expect(outputs.setAside.first?.isOfSender == isOfSender)
        #expect(outputs.setAside.first?.record.value == bad.value)
        // Only a value that can't be read is withheld; the others hold nothing of strangers.
        let isWithheld = outputs.setAside.first?.screened.map { $0.value == nil } ?? false
        #expect(isWithheld == (value == "{"))
        #expect(outputs.records.count == 1)
    }

    @Test("is set aside without what strangers sent, and its sender need not sign it again")
    func screened() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let address = "7c:2f:80:aa:bb:cc"
        let gateway = ingest.bench.issue(.gateway, site: SiteID("elsewhere"))
        let beacon = #"{"address": "\#(address)", "rssi": -60}"#
        let heard =
            #""at": "2026-11-21T23:00:00Z", "heardBy": [{"scanner": "node-7", "rssi": -70}]"#
        let bodies = [
            #"{"site": "sample", "device": "7c2f80aabbcc", \#(heard)}"#,
            IngestBench.scan(
                #""site": "sample", "device": "own", "ble": [\#(beacon)]"#
            ),
            IngestBench.scan(#""site": "sample", "device": "own", "seen": "\#(address)""#),
        ]
        let outputs = try work(ingest, bodies.map { record($0, token: gateway) })
        #expect(outputs.setAside.map(\.code) == Array(repeating: "site-not-yours", count: 3))
        for letter in outputs.setAside {
            let kept = try #require(letter.screened)
            let text = String(decoding: try #require(kept.value), as: UTF8.self)
            #expect(!text.contains("aabbcc") && !text.contains("aa:bb:cc"))
            let stored = StoredRecord(
                topic: Topic.scansInbound.name, partition: 0, offset: 0,
                appendedAtMicroseconds: ServiceBench.start.microseconds, key: kept.key,
                value: kept.value, headers: kept.headers)
            let (name, secret) = ("whereabouts.scans-inbound/0/0", ServiceBench.serviceSecret)
            #expect(ScreenedRecords.isGenuine(stored, from: name, secret: secret))
            #expect(!ScreenedRecords.isGenuine(stored, from: name, secret: "another"))
            #expect(!ScreenedRecords.isGenuine(stored, from: "other/0/0", secret: secret))
            // Only a record that was put back shows who sent it.
            #expect(ScreenedRecords.sender(of: stored, secret: secret) == nil)
            let again = PutBack.again(stored, secret: secret, at: ServiceBench.start)
            let back = StoredRecord(
                topic: again.topic, partition: 0, offset: 9,
                appendedAtMicroseconds: ServiceBench.start.microseconds, key: again.key,
                value: again.value, headers: again.headers)
            #expect(ScreenedRecords.sender(of: back, secret: secret) != nil)
        }
    }

    @Test(
        "hides no address in its key or in members that nobody reads",
        arguments: [
            ("7c2f80aabbcc", true), ("x/7C-2F-80-AA-BB-CC", true), ("7c:2f:80:aa:bb:cc,", true),
            ("f7826da6-4fa2-4e98-8024-bc5b71e0893e", false), ("7c2f80aabbccdd", false),
            ("2026-11-21T08:00:00.000Z", false), ("7c2f80aabbc", false), ("", false),
        ])
    func hidden(text: String, isFound: Bool) {
        #expect(HiddenAddresses.areIn(Array(text.utf8), beside: nil) == isFound)
    }

    @Test("waits while the tables of sites and tokens are still being read")
    func starting() async throws {
        let ingest = try await IngestBench(isStarting: true)
        #expect(throws: InboundScans.NotReady.self) {
            try work(ingest, [record(IngestBench.scan(), token: "token")])
        }
    }

    @Test("beyond its token's quota is set aside, by the time at which the log received it")
    func quota() async throws {
        let ingest = try await IngestBench()
        let token = ingest.phone(quota: TokenQuota(recordsPerSecond: 1, burst: 2))
        let later = Timestamp(microseconds: ServiceBench.start.microseconds + 1_000_000)
        let outputs = try work(
            ingest,
            Array(repeating: record(IngestBench.scan(), token: token), count: 3)
                + [record(IngestBench.scan(), token: token, at: later)])
        #expect(outputs.setAside.map(\.code) == ["quota-exceeded"])
        #expect(outputs.records.count == 3)
    }

    @Test("whose token names its device has a letter that names it, and an erased one's is empty")
    func letters() async throws {
        let ingest = try await IngestBench()
        ingest.hand()
        let device = DeviceID("tablet")
        let token = ingest.bench.issue(.surveyor, site: IngestBench.site, device: device)
        let survey = IngestBench.scan(#""place": {"location": "nowhere"}"#)
        let outputs = try work(ingest, [record(survey, token: token)])
        #expect(outputs.setAside.map(\.code) == ["location-unknown"])
        let kept = try #require(outputs.setAside.last?.screened)
        let letter = DeadLettered(
            topic: Topic.scansInbound.name, partition: 0, offset: 0, code: "x", detail: "",
            key: kept.key, value: kept.value, at: ServiceBench.start)
        #expect(letter.device == DeviceKey(IngestBench.site, device))
        ingest.erased.replace(
            with: ErasedDevices([
                DeviceErased(
                    id: EventID(high: 1, low: 1), site: IngestBench.site,
                    device: DeviceID("phone"), at: ServiceBench.start)
            ]))
        let erased = try work(ingest, [record(IngestBench.scan(), token: ingest.phone())])
        #expect(erased.setAside.map(\.code) == ["device-erased"])
        let empty = try #require(erased.setAside.first?.screened)
        #expect(empty.value == nil && empty.key == nil)
    }
}
