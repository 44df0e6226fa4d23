import Cryptography
import EventLog
import Events
import ServiceBench
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
        #expect(outputs.records.map(\.topic) == [Topic.scans.name, Topic.surveys.name])
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
        #expect(
            (outputs.setAside.first?.screened?.value != nil)
                == (value?.first == "{" && value != "{"))
        #expect(outputs.records.count == 1)
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
}
