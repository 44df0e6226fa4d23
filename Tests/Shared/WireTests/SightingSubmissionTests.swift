import Events
import Testing
import Wire

@Suite("Reports of heard devices") struct SightingSubmissionTests {
    private static let now = Timestamp(milliseconds: 1_795_305_600_000)

    private func read(_ body: String) throws -> [Result<SightingSubmission, RejectedScan>] {
        try SightingSubmission.read(body: Array(body.utf8), receivedAt: Self.now)
    }

    private func one(_ members: String) throws -> SightingSubmission {
        try #require(try read("{\"rssi\": -60, \(members)}").first).get()
    }

    private func code(_ body: String) throws -> ProblemCode? {
        guard case .failure(let rejected) = try #require(try read(body).first) else { return nil }
        return rejected.fault.code
    }

    @Test("are read with an address or an id, a distance, and times by the server's clock")
    func members() throws {
        let address = try one(
            #""address": "7C-2F-80-AA-BB-CC", "scanner": "node-1", "site": "museum", "#
                + #""distance": 3.5, "distanceDeviation": 0.5"#)
        #expect(address.name == "7c:2f:80:aa:bb:cc" && address.isAddress)
        #expect(address.scanner?.text == "node-1" && address.site?.text == "museum")
        #expect(address.distance == MeasuredDistance(metres: 3.5, deviation: 0.5))
        #expect(address.at == Self.now)
        let id = try one(#""device": "iBeacon:0f-80-3""#)
        #expect(id.name == "iBeacon:0f-80-3" && !id.isAddress && id.scanner == nil)
        let heard = id.heard(by: ScannerID("own"))
        #expect(heard.scanner.text == "own" && heard.rssi == -60)
        let timed = try one(#""device": "tag", "at": "2026-11-21T23:59:58Z""#)
        #expect(timed.at.milliseconds == Self.now.milliseconds - 2_000)
        let skewed = try one(
            #""device": "tag", "at": "2001-01-01T00:00:00Z", "sentAt": "2001-01-01T00:00:03Z""#)
        #expect(skewed.at.milliseconds == Self.now.milliseconds - 3_000)
    }

    @Test(
        "are refused with the code of the fault",
        arguments: [
            (#"{"rssi": -60}"#, ProblemCode.fieldMissing),
            (#"{"device": "", "rssi": -60}"#, .fieldMissing),
            (#"{"device": "tag"}"#, .fieldMissing),
            (#"{"device": "tag", "rssi": 1}"#, .rssiOutOfRange),
            (#"{"address": "7c2f80", "rssi": -60}"#, .addressMalformed),
            (#"{"address": "7c:2f:80:aa:bb:cc", "device": "tag", "rssi": -60}"#, .fieldOutOfRange),
            (#"{"device": "tag", "rssi": -60, "distance": 2}"#, .fieldMissing),
            (#"{"device": "tag", "rssi": -60, "distanceDeviation": 2}"#, .fieldMissing),
            (
                #"{"device": "tag", "rssi": -60, "distance": -1, "distanceDeviation": 2}"#,
                .fieldOutOfRange
            ),
            (
                #"{"device": "tag", "rssi": -60, "distance": 1, "distanceDeviation": 0}"#,
                .fieldOutOfRange
            ),
            (#"{"device": "tag", "rssi": -60, "scanner": "a/b"}"#, .scannerMalformed),
            (#"{"device": "tag", "rssi": -60, "site": "a/b"}"#, .siteMalformed),
            (#"{"device": "tag", "rssi": -60, "at": "1999-01-01T00:00:00Z"}"#, .timeOutOfRange),
            (#"{"device": "tag", "rssi": -60, "at": "2026-11-22T01:00:01Z"}"#, .timeOutOfRange),
            ("[3]", .notAnObject),
        ])
    func faults(body: String, code: ProblemCode) throws {
        #expect(try self.code(body) == code)
    }

    @Test("without address and device are told that they need one of both")
    func unnamed() throws {
        let outcome = try #require(try read(#"{"rssi": -60}"#).first)
        guard case .failure(let rejected) = outcome else {
            Issue.record("the report is accepted")
            return
        }
        #expect(rejected.fault.detail == "a sighting needs address or device")
    }

    @Test("have a name of at most 128 bytes")
    func longName() throws {
        let name = String(repeating: "x", count: 129)
        #expect(try code("{\"device\": \"\(name)\", \"rssi\": -60}") == .textTooLong)
        #expect(try code("{\"device\": \"\(name.dropLast())\", \"rssi\": -60}") == nil)
    }

    @Test("come as an object, an array or lines; one bad report does not spoil the others")
    func batches() throws {
        let good = #"{"device": "tag", "rssi": -60}"#
        for body in ["[\(good), {}, \(good)]", "\(good)\n{}\n\(good)"] {
            let outcomes = try read(body)
            #expect(outcomes.count == 3)
            #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true])
        }
        #expect(throws: WireFault.self) { try read("") }
        let many = "[" + Array(repeating: good, count: 1_001).joined(separator: ",") + "]"
        #expect {
            try read(many)
        } throws: {
            ($0 as? WireFault)?.code == .batchTooLarge
        }
    }
}
