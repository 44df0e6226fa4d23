import Foundation
import HTTPClient
import Synchronization
import TestSupport
import Testing

extension IntegrationTests {
    /// Twenty scanners at two copies of scan-ingest, each of which is a process of its own.
    @Suite("The scan switch, end to end") struct ScanSwitchEndTests {
        private static let scanners = 20
        private static let requests = 100

        @Test("A scan is asked for and answered, also when a copy is killed, on PostgreSQL")
        func postgres() async throws {
            try await run(try await SwitchSite(kafka: nil), mostMilliseconds: 250)
        }

        @Test(
            "A scan is asked for and answered, also when a copy is killed, on Kafka",
            .enabled(if: RealKafka.isInstalled))
        func kafka() async throws {
            let kafka = try #require(RealKafka.start(), "the broker did not start")
            try await run(try await SwitchSite(kafka: kafka), mostMilliseconds: 400)
        }

        private func run(_ site: SwitchSite, mostMilliseconds: Double) async throws {
            try await measure(site, mostMilliseconds: mostMilliseconds)
            try await away(site)
            try await killed(site)
            #expect(site.first.areAllRunning)
        }

        private func measure(_ site: SwitchSite, mostMilliseconds: Double) async throws {
            let names = (0..<Self.scanners).map { "scanner-\($0)" }
            let times = Times()
            var running: [Task<Void, any Error>] = []
            for (number, name) in names.enumerated() {
                let token = try await site.scanner(name)
                running.append(
                    Task { try await site.scan(name, token, at: number % 2, times) })
            }
            defer { for task in running { task.cancel() } }
            try await eventually("all scanners poll") {
                times.polling.withLock(\.count) == names.count
            }
            // One asker may make sixty requests within a minute.
            let askers = try await site.askers(4)
            var (toStart, toAsker): ([Double], [Double]) = ([], [])
            for number in 0..<Self.requests {
                let (name, asker) = (names[number % names.count], askers[number % askers.count])
                let asked = ContinuousClock.now
                let id = try await site.ask([name], as: asker)
                let answer = try await site.result(id, at: (number / 2) % 2, as: asker)
                let got = ContinuousClock.now
                try #require(answer.status == 200, "\(answer.text)")
                let results = try #require(answer.json["results"] as? [[String: Any]])
                #expect(results[0]["state"] as? String == "answered")
                let position = results[0]["position"] as? [String: Any]
                #expect(position?["room"] as? String == "a", "\(answer.text)")
                let start = try #require(times.starts.withLock { $0[id] })
                let end = try #require(times.ends.withLock { $0[id] })
                toStart.append((start - asked).milliseconds)
                toAsker.append((got - end).milliseconds)
            }
            for (name, times) in [("request to start", toStart), ("end to asker", toAsker)] {
                let sorted = times.sorted()
                let (median, late) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
                print("scan switch, \(site.first.log), \(name), ms: median \(median), p99 \(late)")
                #expect(median < mostMilliseconds)
                #expect(late < 1_000)
            }
        }

        /// A scanner that does not poll is named within three seconds.
        private func away(_ site: SwitchSite) async throws {
            _ = try await site.scanner("gone")
            let began = ContinuousClock.now
            let id = try await site.ask(["gone"])
            let answer = try await site.result(id, at: 1)
            #expect(answer.json["code"] as? String == "scanner-away", "\(answer.text)")
            #expect((ContinuousClock.now - began).milliseconds < 3_500)
        }

        /// The asker's copy is killed. He asks for the result at the other one, and gets it.
        private func killed(_ site: SwitchSite) async throws {
            let token = try await site.scanner("lasting")
            let id = try await site.ask(["lasting"])
            let waiting = Task { try await site.result(id, at: 1) }
            try await eventually("the scanner has the request") {
                let poll = try await site.poll("lasting", token, at: 0, after: nil, wait: 5)
                let requests = poll.json["requests"] as? [[String: Any]]
                return requests?.contains { $0["id"] as? String == id } ?? false
            }
            site.second.end(with: SIGKILL)
            _ = try? await waiting.value
            let again = Task { try await site.result(id, at: 0) }
            let sent = try await site.handIn(id, token, at: 0)
            #expect(sent.status == 202, "\(sent.text)")
            let answer = try await again.value
            #expect(answer.status == 200, "\(answer.text)")
            let results = answer.json["results"] as? [[String: Any]]
            #expect(results?.first?["state"] as? String == "answered")
        }
    }
}

/// When the scans of requests began and ended.
private final class Times: Sendable {
    let starts = Mutex<[String: ContinuousClock.Instant]>([:])
    let ends = Mutex<[String: ContinuousClock.Instant]>([:])
    /// Scanners that have had an answer, so that their next poll waits.
    let polling = Mutex<Set<String>>([])
}

/// A small site with a radio map, and a second copy of scan-ingest beside the process of all.
private final class SwitchSite: Sendable {
    let site: SmallSite
    let second: ServerProcess
    private let secondURL: String
    private let client = HTTPClient()
    var first: Campus { site.campus }

    init(kafka: RealKafka?) async throws {
        let site = try await SmallSite(
            settings: [
                "WHEREABOUTS_MAP_QUIET": "100ms", "WHEREABOUTS_REQUESTS_PER_SECOND": "0",
            ], kafka: kafka)
        self.site = site
        (second, secondURL) = try await site.campus.copy(of: "scan-ingest")
        for _ in 0..<3 {
            let survey = SmallSite.scan(["place": ["location": "a-1"]])
            _ = try await site.campus.send(
                "POST", "/v1/surveys", token: site.administrator, body: jsonText(survey))
        }
        try await eventually("scans are located", seconds: 60) {
            try await site.campus.send(
                "POST", "/v1/locate", token: site.administrator, body: jsonText(SmallSite.scan())
            ).json["room"] as? String == "a"
        }
    }

    deinit { second.end(with: SIGKILL) }

    func scanner(_ name: String) async throws -> String {
        try await token(["role": "scanner", "site": SmallSite.name, "device": name])
    }

    /// Surveyors whom both copies know.
    func askers(_ count: Int) async throws -> [String] {
        var askers: [String] = []
        for _ in 0..<count {
            let token = try await token(["role": "surveyor", "site": SmallSite.name])
            for copy in 0..<2 {
                try await eventually("copy \(copy) knows the token") {
                    try await self.send(copy, "GET", "/v1/limits", token: token).status == 200
                }
            }
            askers.append(token)
        }
        return askers
    }

    private func token(_ order: [String: String]) async throws -> String {
        let answer = try await first.send(
            "POST", "/v1/tokens", token: site.administrator, body: jsonText(order))
        guard let token = answer.json["token"] as? String else {
            throw TestServerError("no token: \(answer.text)")
        }
        return token
    }

    /// - Parameter asker: nil for the site's surveyor.
    func ask(_ scanners: [String], as asker: String? = nil) async throws -> String {
        let answer = try await first.send(
            "POST", "/v1/sites/\(SmallSite.name)/scan-requests", token: asker ?? site.surveyor,
            body: jsonText(["scanners": scanners]))
        guard answer.status == 202, let id = answer.json["id"] as? String else {
            throw TestServerError("not asked: \(answer.text)")
        }
        return id
    }

    func result(_ id: String, at copy: Int, as asker: String? = nil) async throws -> Answer {
        try await send(
            copy, "GET", "/v1/scan-requests/\(id)/result?wait=20", token: asker ?? site.surveyor)
    }

    func poll(
        _ scanner: String, _ token: String, at copy: Int, after: String?, wait: Int
    ) async throws -> Answer {
        let after = after.map { "&after=\($0)" } ?? ""
        return try await send(
            copy, "GET", "/v1/scanners/\(scanner)/requests?wait=\(wait)\(after)", token: token)
    }

    func handIn(_ id: String, _ token: String, at copy: Int) async throws -> Answer {
        var scan = SmallSite.scan()
        for name in ["scanner", "device"] { scan[name] = nil }
        return try await send(
            copy, "POST", "/v1/scan-requests/\(id)/result", token: token, body: jsonText(scan))
    }

    /// What the program on a scanner does, with a scan that takes no time.
    func scan(
        _ name: String, _ token: String, at copy: Int, _ times: Times
    ) async throws {
        var after: String?
        var seen: Set<String> = []
        while !Task.isCancelled {
            let answer = try await poll(name, token, at: copy, after: after, wait: 20)
            // The copy reads the new token a moment later.
            if answer.status == 401 {
                try await Task.sleep(for: .milliseconds(50))
                continue
            }
            guard answer.status == 200 else { throw TestServerError("no poll: \(answer.text)") }
            after = answer.json["next"] as? String
            times.polling.withLock { _ = $0.insert(name) }
            let requests = answer.json["requests"] as? [[String: Any]] ?? []
            for id in requests.compactMap({ $0["id"] as? String })
            where seen.insert(id).inserted {
                times.starts.withLock { $0[id] = .now }
                times.ends.withLock { $0[id] = .now }
                _ = try await handIn(id, token, at: copy)
            }
        }
    }

    private func send(
        _ copy: Int, _ method: String, _ path: String, token: String, body: [UInt8] = []
    ) async throws -> Answer {
        let answer = try await client.send(
            method, (copy == 0 ? first.url("whereabouts") : secondURL) + path,
            headers: [("authorization", "Bearer \(token)"), ("content-type", "application/json")],
            body: body, timeoutSeconds: 40)
        return Answer(status: answer.status, headers: answer.headers, body: answer.body)
    }
}

extension Duration {
    fileprivate var milliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
    }
}
