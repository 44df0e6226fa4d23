import Foundation
import HTTPClient
import SeededRandomness
import TestSupport
import Testing

extension IntegrationTests {
    /// Nodes report to one process. A copy of scan-ingest beside it takes half of the partitions,
    /// and dies inside a transaction again and again. At last the first process is killed.
    @Suite("Sightings, end to end") struct SightingEndTests {
        private static let fewestScans = 50
        private static let deaths = 3
        private static let window: Int64 = 500
        private static let grace: Int64 = 250

        @Test("Whoever dies, each device and window gives one scan, on PostgreSQL")
        func postgres() async throws { try await run(kafka: nil) }

        @Test(
            "Whoever dies, each device and window gives one scan, on Kafka",
            .enabled(if: RealKafka.isInstalled, PipelineTests.noKafka))
        func kafka() async throws {
            guard let kafka = RealKafka.shared else { return }
            try await run(kafka: kafka)
        }

        private func run(kafka: RealKafka?) async throws {
            let site = try await SmallSite(
                settings: [
                    "WHEREABOUTS_SIGHTING_WINDOW": "\(Self.window)ms",
                    "WHEREABOUTS_SIGHTING_GRACE": "\(Self.grace)ms",
                    "WHEREABOUTS_REQUESTS_PER_SECOND": "0",
                ], kafka: kafka)
            let began = Int64(Date().timeIntervalSince1970 * 1_000)
            var nodes = Nodes(random: SeededRandom(seed: 7))
            try await eventually("the first sightings are taken") {
                try await nodes.report(to: site)
            }
            for number in 1...Self.deaths {
                let copy = try mortalCopy(beside: site.campus, number)
                try await eventually(
                    "copy \(number) dies", seconds: 120, every: .milliseconds(20)
                ) {
                    _ = try await nodes.report(to: site)
                    return !copy.isRunning
                }
                #expect(copy.exitStatus == SIGKILL)
            }
            try await site.campus.restart("whereabouts")
            try await eventually("sightings are taken again", every: .milliseconds(20)) {
                try await nodes.report(to: site)
            }
            // Windows are of real time, and a fast machine is through its deaths in a few of them.
            try await eventually("there are enough windows", seconds: 60) {
                for _ in 0..<10 { _ = try await nodes.report(to: site) }
                let sightings = try await site.campus.sightings().filter { $0.receivedAt >= began }
                return JoinedSlowly.scans(sightings, window: Self.window, grace: Self.grace).count
                    > Self.fewestScans
            }
            try await compare(site.campus, since: began)
            #expect(site.campus.areAllRunning)
        }

        /// A copy of scan-ingest that is killed inside its third transaction.
        private func mortalCopy(beside campus: Campus, _ number: Int) throws -> ServerProcess {
            var environment = campus.environment
            environment["WHEREABOUTS_LISTEN"] = "127.0.0.1:\(freePorts(1)[0])"
            environment["WHEREABOUTS_FAULT"] = "inside-transaction:@3"
            for service in ["SITE_EDITOR", "FINGERPRINT_BUILDER", "LOCATOR"] {
                environment["WHEREABOUTS_\(service)_URL"] = campus.url("whereabouts")
            }
            return try ServerProcess(
                Programs.command("scan-ingest"),
                logPath: campus.folder.appending(path: "copy-\(number).log").path,
                environment: environment)
        }

        /// Compares the scans with what an undisturbed run makes of the same log.
        private func compare(_ campus: Campus, since began: Int64) async throws {
            let sightings = try await campus.sightings().filter { $0.receivedAt >= began }
            let wanted = JoinedSlowly.scans(sightings, window: Self.window, grace: Self.grace)
            try #require(wanted.count > Self.fewestScans)
            // Some windows have more than one node, and some sightings came more than once.
            #expect(wanted.values.contains { $0.contains(" ") })
            try await eventually("all windows are closed: \(campus.messages)") {
                try await self.scans(of: campus, since: began).count >= wanted.count
            }
            let scans = try await self.scans(of: campus, since: began)
            var made: [String: String] = [:]
            for scan in scans {
                let device = scan["device"] as? String ?? ""
                let number = try #require(milliseconds(scan["at"])) / Self.window
                let heardBy = scan["heardBy"] as? [[String: Any]] ?? []
                let place = "\(device)/\(number)"
                #expect(made[place] == nil, "\(place) has two scans")
                made[place] = heardBy.map { "\($0["scanner"] ?? "")\($0["rssi"] ?? "")" }
                    .joined(separator: " ")
            }
            #expect(made == wanted)
            #expect(Set(scans.compactMap { $0["id"] as? String }).count == scans.count)
            print(
                "sightings, \(campus.log): \(sightings.count) sightings gave \(scans.count) scans")
        }

        private func scans(of campus: Campus, since began: Int64) async throws -> [[String: Any]] {
            try await campus.values(of: "whereabouts.scans").map { jsonObject(Array($0.utf8)) }
                .filter { scan in
                    guard scan["heardBy"] != nil, let at = milliseconds(scan["receivedAt"]) else {
                        return false
                    }
                    return at >= began
                }
        }
    }
}

/// Nodes that hear some devices, whose batches overlap.
private struct Nodes {
    var random: SeededRandom

    /// Sends one batch; false where it was not taken, as while the process is away.
    mutating func report(to site: SmallSite) async throws -> Bool {
        let now = Date()
        let reports = (0..<6).map { _ -> [String: Any] in
            let device = Int.random(in: 0..<8, using: &random)
            let age = Double(Int.random(in: 0..<900, using: &random)) / 1_000
            return [
                "site": SmallSite.name, "address": "7c:2f:80:aa:bb:0\(device)",
                "scanner": "node-\(Int.random(in: 0..<4, using: &random))",
                "at": now.addingTimeInterval(-age).formatted(
                    Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
                "rssi": -Int.random(in: 40..<90, using: &random),
            ]
        }
        let data = try JSONSerialization.data(withJSONObject: reports)
        let answer = try? await site.campus.send(
            "POST", "/v1/sightings", token: site.administrator, body: Array(data))
        return answer?.status == 202
    }
}

/// A sighting of the log.
private struct LoggedSighting {
    var device: String
    var node: String
    var rssi: Int
    /// Milliseconds since 1970.
    var at: Int64
    var receivedAt: Int64
    /// When the log got it; microseconds since 1970.
    var appended: Int64
}

/// The scans of sightings, found by looking at all of them for each window.
private enum JoinedSlowly {
    /// - Returns: the nodes of each device and window, the strongest first.
    static func scans(
        _ sightings: [LoggedSighting], window: Int64, grace: Int64
    ) -> [String: String] {
        let length = window * 1_000
        var made: [String: String] = [:]
        for (place, all) in Dictionary(
            grouping: sightings, by: { "\($0.device)/\($0.at / window)" })
        {
            let first = all.map(\.appended).min() ?? 0
            let number = max(all[0].at / window, first / length)
            let end = (number + 1) * length + grace * 1_000
            var nodes: [String: Int] = [:]
            for sighting in all where sighting.appended < end {
                nodes[sighting.node] = max(nodes[sighting.node] ?? -200, sighting.rssi)
            }
            made[place] = nodes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\($0.key)\($0.value)" }.joined(separator: " ")
        }
        return made
    }
}

extension Campus {
    /// The sightings of the log with the times at which it got them, read by psql or kcat.
    fileprivate func sightings() async throws -> [LoggedSighting] {
        let topic = "whereabouts.sightings"
        let lines: [String]
        switch log {
        case .postgres:
            lines = try await psql(
                #"SELECT (extract(epoch FROM appended_at) * 1000000)::bigint, value "#
                    + #"FROM log."\#(topic)" ORDER BY partition, "offset""#)
        case .kafka:
            lines = try await ProgramRun.of([
                "kcat", "-C", "-b", kafka?.bootstrapServers ?? "", "-t", topic, "-o", "beginning",
                "-e", "-q", "-X", "isolation.level=read_committed", "-f", "%T000\\t%s\\n",
            ]).successful().lines
        }
        return lines.compactMap { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, let appended = Int64(parts[0]) else { return nil }
            let value = jsonObject(Array(parts[1].utf8))
            guard let node = value["scanner"] as? String, let device = value["device"] as? String,
                let rssi = value["rssi"] as? Int, let at = milliseconds(value["at"]),
                let receivedAt = milliseconds(value["receivedAt"])
            else { return nil }
            return LoggedSighting(
                device: device, node: node, rssi: rssi, at: at, receivedAt: receivedAt,
                appended: appended)
        }
    }
}

/// A time of JSON in milliseconds since 1970.
private func milliseconds(_ value: Any?) -> Int64? {
    guard let text = value as? String,
        let date = try? Date(
            text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    else { return nil }
    return Int64((date.timeIntervalSince1970 * 1_000).rounded())
}
