import Foundation
import HTTPClient
import Postgres
import TestSupport

/// The questions over HTTP, and the download of all positions as CSV, from a locator.
struct PositionDownloads {
    private let database: PostgresConfiguration
    private let directory: URL

    init(_ database: PostgresConfiguration, _ directory: URL) {
        self.database = database
        self.directory = directory
    }

    func run() async throws {
        let service = try await RunningService(
            "locator", log: .postgres(conninfo: database.connectionString), in: directory)
        defer { service.program.end() }
        let services = MeasuredServices(service)
        let client = HTTPClient()
        defer { client.close() }
        let at = "2026-11-22T12:00:00.000Z"
        let until = "2026-11-22T12:10:00.000Z"
        let evening = "2026-11-22T16:00:00.000Z"
        let all = "/v1/positions?site=\(PositionDay.site)"
        let site = "/v1/sites/\(PositionDay.site)"
        for (name, path) in [
            ("a device, 1,000 rows", "\(all)&device=device-7"),
            ("a device, ten minutes", "\(all)&device=device-7&from=\(at)&until=\(until)"),
            ("ten minutes, 1,000 rows", "\(all)&from=\(at)&until=\(until)"),
            ("a page of 10,000 rows", "\(all)&limit=10000"),
            ("ten seconds of a replay", "\(site)/replay?from=\(at)&seconds=10"),
            ("the rooms of four hours", "\(site)/room-hours?from=\(at)&until=\(evening)"),
        ] {
            var times: [Double] = []
            var bytes = 0
            for _ in 0..<2 {
                let start = ContinuousClock.now
                let answer = try await client.send(
                    "GET",
                    services.scanIngest + path,
                    headers: services.headers + [
                        ("accept", path.hasPrefix(all) ? "text/csv" : "application/json")
                    ], timeoutSeconds: 600)
                guard answer.status == 200 else {
                    throw BenchmarkFault(String(decoding: answer.body, as: UTF8.self))
                }
                times.append((ContinuousClock.now - start) / .milliseconds(1))
                bytes = answer.body.count
            }
            note(
                String(
                    format: "%9.1f ms, then %9.1f: HTTP, %@ (%ld bytes)", times[0], times[1], name,
                    bytes))
        }
        try download(services)
        note("the locator's memory: \(try service.program.residentBytes() / 1_000_000) MB")
    }

    /// Downloads everything with curl, which reads as fast as the locator writes.
    private func download(_ services: MeasuredServices) throws {
        let start = ContinuousClock.now
        let curl = try PinnedProgram(
            command: [
                "curl", "-sS", "-f", "-o", "/dev/null", "-w", "%{size_download}",
                "-H", "authorization: Bearer \(services.token)", "-H", "accept: text/csv",
                "\(services.scanIngest)/v1/positions?site=\(PositionDay.site)&limit=all",
            ], processor: nil, in: directory)
        let printed = try curl.wholeOutput(limitSeconds: 7_200)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let bytes = Double(printed.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        note(
            String(
                format: "all as CSV: %.0f MB in %.1f s, %.1f MB a second", bytes / 1e6, seconds,
                bytes / 1e6 / seconds))
    }
}
