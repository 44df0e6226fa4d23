import Foundation
import HTTPClient
import Synchronization
import TestSupport
import Testing

extension IntegrationTests {
    /// `WHEREABOUTS_FUZZ=200000` runs the long form, with the rule for memory; without it 10,000
    /// bodies and records are sent. `WHEREABOUTS_PROGRAMS` names the folder of another build.
    @Suite("Damaged input") struct FuzzTests {
        static let seed: UInt64 = 20_261_121
        static let workers = 16
        /// Records among what is sent: each batch goes to one topic.
        static let recordShare = 5
        static let recordBatch = 250

        @Test("Damaged requests and records crash nothing, hang nothing and fill no memory")
        func fuzz() async throws {
            let environment = ProcessInfo.processInfo.environment
            let wanted = environment["WHEREABOUTS_FUZZ"].flatMap(Int.init)
            let count = wanted ?? 10_000
            let site = try await SmallSite(
                settings: [
                    "WHEREABOUTS_REQUESTS_PER_SECOND": "0", "WHEREABOUTS_LOG_LEVEL": "error",
                ])
            let process = site.campus.process(of: "whereabouts")
            let tally = FuzzTally(process: process, total: count)
            print("fuzz: \(count) bodies and records, seed \(Self.seed)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Self.sendRecords(count / Self.recordShare, site, tally) }
                let requests = count - count / Self.recordShare
                for worker in 0..<Self.workers {
                    group.addTask {
                        await Self.sendRequests(requests / Self.workers, worker, site, tally)
                    }
                }
                try await group.waitForAll()
            }
            #expect(site.campus.areAllRunning, "\(site.campus.messages.suffix(4_000))")
            let faults = tally.faults
            #expect(faults.isEmpty, "\(faults.count) faults, such as \(faults.prefix(5))")
            try await goesOn(site)
            print("fuzz: \(tally.summary)")
            if wanted != nil { #expect(tally.growth <= 1.05) }
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        /// After all that, a good scan is located, whether it comes over HTTP or over the log.
        private func goesOn(_ site: SmallSite) async throws {
            let ids = (0..<2).map { _ in UUID().uuidString.lowercased() }
            let answer = try await site.campus.send(
                "POST", "/v1/scans", token: site.device,
                body: jsonText(SmallSite.scan(["id": ids[0]])))
            #expect(answer.status == 202)
            let record = RawRecord(
                key: nil, value: jsonText(SmallSite.scan(["id": ids[1]])),
                headers: [("authorization", "Bearer \(site.device)")])
            try await site.campus.append([record], to: "whereabouts.scans-inbound")
            try await eventually("good scans are still located", seconds: 120) {
                let found = try await site.campus.psql(
                    """
                    SELECT count(*) FROM locator.positions
                    WHERE scan_id IN ('\(ids[0])', '\(ids[1])')
                    """)
                return found == ["2"]
            }
        }

        private static func sendRequests(
            _ count: Int, _ worker: Int, _ site: SmallSite, _ tally: FuzzTally
        ) async {
            var source = FuzzSource(seed: seed &+ UInt64(worker))
            for _ in 0..<count {
                let request = source.request()
                // The administrator's token opens everything, and so reaches the most code.
                let token = request.hasToken ? site.administrator : nil
                do {
                    let answer = try await site.campus.send(
                        request.method, request.path, token: token, body: request.body,
                        headers: request.headers, timeoutSeconds: 20)
                    tally.note(answer, to: request)
                } catch {
                    tally.noteFailure("\(error)", of: request)
                }
            }
        }

        private static func sendRecords(
            _ count: Int, _ site: SmallSite, _ tally: FuzzTally
        ) async throws {
            var source = FuzzSource(seed: seed &+ 1_000_003)
            for batch in 0..<count / recordBatch {
                // Records keep pace with the requests, so that both fill the memory evenly.
                while tally.sent < batch * recordBatch * (recordShare - 1),
                    site.campus.areAllRunning
                {
                    try await Task.sleep(for: .milliseconds(20))
                }
                let topic = batch.isMultiple(of: 2) ? "scans-inbound" : "scans"
                // A token of which more than 100 records are set aside is blocked: each batch has two.
                let tokens = try await [site.newDevice(), site.newDevice()]
                let records = (0..<recordBatch).map { number in
                    var record = source.record(
                        token: tokens[number % 2], event: "whereabouts.scan-recorded.v1")
                    // Services alone write there. Keys name the senders: faults of many at many sites are
                    // a bad release's, and stop the locator.
                    if topic == "scans" { record.key = Array("\(SmallSite.name)/pi-1".utf8) }
                    return record
                }
                try await site.campus.append(records, to: "whereabouts.\(topic)")
            }
        }

        /// Mistakes of which a single request ended the process, each put back.
        @Test(
            "A request that ends the process is found",
            arguments: ["unchecked-cursor", "unchecked-colon"])
        func planted(mistake: String) async throws {
            let site = try await SmallSite(
                settings: [
                    "WHEREABOUTS_REQUESTS_PER_SECOND": "0", "WHEREABOUTS_LOG_LEVEL": "error",
                    "WHEREABOUTS_PLANTED": mistake,
                ])
            var source = FuzzSource(seed: Self.seed)
            // A page meets the first mistake once in some thousand requests.
            for number in 0..<20_000 where site.campus.areAllRunning {
                let request =
                    number.isMultiple(of: 2)
                    ? source.edit()
                    : FuzzSource.Request(
                        method: "GET", path: source.page(), body: [], headers: [], hasToken: true)
                _ = try? await site.campus.send(
                    request.method, request.path, token: site.administrator, body: request.body,
                    headers: request.headers, timeoutSeconds: 20)
            }
            // A process that crashes takes a moment to end, and refuses the rest of the requests meanwhile.
            try await eventually("\(mistake) is noticed") { !site.campus.areAllRunning }
        }

        @Test("The judge of answers notices what may not be")
        func judge() {
            func fault(_ status: Int, _ headers: [String: String] = [:], _ body: String = "")
                -> String?
            {
                FuzzTally.fault(
                    Answer(status: status, headers: headers, body: Array(body.utf8)))
            }
            #expect(fault(202) == nil)
            #expect(fault(503, ["retry-after": "1"], #"{"code":"busy"}"#) == nil)
            #expect(fault(503, [:], #"{"code":"busy"}"#) != nil)
            #expect(fault(500, ["retry-after": "1"], #"{"code":"internal"}"#) != nil)
            #expect(fault(400) != nil, "a refusal without a code")
            #expect(FuzzTally.growth(of: [9, 9, 1, 1, 9, 9, 2, 2]) == 2)
        }
    }
}

/// What came of the requests, and how much memory the server had meanwhile.
final class FuzzTally: Sendable {
    private struct State {
        var sent = 0
        var statuses: [Int: Int] = [:]
        var faults: [String] = []
        var memory: [Int] = []
    }

    private let process: Int32
    private let every: Int
    private let state = Mutex(State())

    init(process: Int32, total: Int) {
        self.process = process
        every = max(1, total / 200)
    }

    var sent: Int { state.withLock { $0.sent } }
    var faults: [String] { state.withLock { $0.faults } }

    /// Median of the last quarter over that of the second.
    var growth: Double { state.withLock { Self.growth(of: $0.memory) } }

    var summary: String {
        state.withLock { state in
            let statuses = state.statuses.sorted { $0.key < $1.key }
                .map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            let memory = stride(from: 0, to: state.memory.count, by: max(1, state.memory.count / 8))
                .map { "\(state.memory[$0])" }.joined(separator: " ")
            let growth = Self.growth(of: state.memory).formatted(
                .number.precision(.fractionLength(3)))
            return "\(statuses); VmRSS in kB \(memory); growth \(growth)"
        }
    }

    func note(_ answer: Answer, to request: FuzzSource.Request) {
        add(answer.status, Self.fault(answer), request)
    }

    func noteFailure(_ reason: String, of request: FuzzSource.Request) { add(0, reason, request) }

    private func add(_ status: Int, _ fault: String?, _ request: FuzzSource.Request) {
        state.withLock { state in
            state.sent += 1
            state.statuses[status, default: 0] += 1
            if let fault {
                let body = String(decoding: request.body.prefix(2_000), as: UTF8.self)
                state.faults.append("\(fault): \(request.method) \(request.path) \(body)")
            }
            if state.sent.isMultiple(of: every), let memory = Self.residentKilobytes(process) {
                state.memory.append(memory)
            }
        }
    }

    /// Why the answer may not be; nil when it may.
    static func fault(_ answer: Answer) -> String? {
        if answer.status == 503, answer.headers["retry-after"] == nil {
            return "503 without Retry-After"
        }
        if answer.status >= 500, answer.status != 503 { return "\(answer.status) \(answer.text)" }
        if answer.status >= 400, answer.code == nil { return "\(answer.status) without a code" }
        return nil
    }

    static func growth(of samples: [Int]) -> Double {
        let quarter = samples.count / 4
        guard quarter > 0 else { return 0 }
        func median(_ part: ArraySlice<Int>) -> Double { Double(part.sorted()[part.count / 2]) }
        return median(samples[(3 * quarter)...]) / median(samples[quarter..<2 * quarter])
    }

    private static func residentKilobytes(_ process: Int32) -> Int? {
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return status?.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) }
    }
}
