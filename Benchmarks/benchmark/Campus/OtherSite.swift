import EventLog
import Events
import Foundation
import HTTPClient
import Wire

/// The positions of another site, while something large is done: how long a scan takes from its
/// POST to its position on the log.
struct OtherSite {
    private static let perSecond = 20

    private let log: any EventLog
    private let services: MeasuredServices
    private let arrivals = Arrivals()
    private let client = HTTPClient()

    init(_ log: ChosenLog, _ services: MeasuredServices) throws {
        self.log = try log.open()
        self.services = services
    }

    /// Sends scans while the body runs, and notes the median and the longest time.
    func during<Answer>(_ what: String, _ body: () async throws -> Answer) async throws -> Answer {
        let reading = Benchmark.beside {
            try await arrivals.follow(
                Topic.positions.name, of: log, ready: {},
                scanID: { try PositionEstimated(json: $0).scan })
        }
        let sending = Benchmark.beside { try await send() }
        defer {
            sending.cancel()
            reading.cancel()
        }
        let answer = try await body()
        sending.cancel()
        try await Task.sleep(for: .seconds(2))
        let lost = arrivals.outstanding
        let times = arrivals.drain()
        guard let longest = times.last, lost == 0 else {
            throw BenchmarkFault("\(lost) scans of the other site had no position (\(what))")
        }
        note(
            String(
                format: "    another site's positions: median %.0f ms, longest %.0f ms (%@)",
                times[times.count / 2], longest, what))
        return answer
    }

    private func send() async throws {
        var samples = ScanSamples(seed: 6)
        try await Task.sleep(for: .milliseconds(500))
        var number = 0
        while !Task.isCancelled {
            let now = Timestamp.now
            let id = EventID(at: now)
            let body = samples.scan(device: number % 50, id: id, at: now).json
            arrivals.willSend(id)
            Benchmark.beside { [client, services] in
                let answer = try await client.send(
                    "POST", services.scanIngest + "/v1/scans", headers: services.headers,
                    body: body)
                if answer.status != 202 { note("a scan was answered \(answer.status)") }
            }
            number += 1
            try await Task.sleep(for: .milliseconds(1_000 / Self.perSecond))
        }
    }

    func close() async {
        client.close()
        await log.close()
    }
}
