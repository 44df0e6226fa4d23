import Events
import HTTPClient
import JSON
import ServiceRuntime
import Wire

/// Follows `GET /v1/positions/stream` and compares what comes with the truth.
actor PositionWatch {
    private struct Expected {
        var truth: ScanTruth?
        var sentAt: Int64
        var position: PositionEstimated?
        var seenAt: Int64 = 0
    }

    struct Summary: Sendable {
        var positions = 0
        var medianError: Double?
        var meanError: Double?
        var roomHit: Double?
        var floorHit: Double?
        var latencyP50: Double?
        var latencyP99: Double?
    }

    /// The newest position of a device beside its truth.
    struct Row: Sendable {
        var position: PositionEstimated
        var truth: ScanTruth?
    }

    private let services: ServiceClient
    private let sites: Set<SiteID>
    private var expected: [EventID: Expected] = [:]
    private var newest: [DeviceID: Row] = [:]
    private var received = 0
    private var tasks: [Task<Void, Never>] = []

    init(services: ServiceClient, sites: Set<SiteID>) {
        self.services = services
        self.sites = sites
    }

    /// Opens the streams; returns when they are open, so that no position is missed. One that breaks
    /// off is opened again where it was.
    func start() async throws {
        for site in sites.sorted() {
            let stream = try await open(site, after: "")
            tasks.append(Task { await follow(site, stream) })
        }
    }

    private func open(_ site: SiteID, after last: String) async throws -> HTTPClientStream {
        let url = services.url("locator", "/v1/positions/stream?site=\(site)")
        let resumed = last.isEmpty ? [] : [(name: "last-event-id", value: last)]
        let end = ContinuousClock.now.advanced(by: ServiceClient.patience)
        while true {
            do throws(HTTPClientError) {
                return try await services.client.stream(url, headers: services.headers + resumed)
            } catch {
                let mayPass = error.isRetriable && (error.code == "status" || !last.isEmpty)
                guard mayPass, ContinuousClock.now < end else { throw error }
            }
            try await ServiceClient.pause(nil)
        }
    }

    private func follow(_ site: SiteID, _ first: HTTPClientStream) async {
        var stream = first
        var last = ""
        while !Task.isCancelled {
            var parser = ServerSentEventParser()
            do {
                for try await chunk in stream.body {
                    for event in parser.feed(chunk) {
                        last = event.id
                        note(event)
                    }
                }
            } catch {
                // It is opened again.
            }
            // What stays away shows in the positions that are missing.
            guard let next = try? await open(site, after: last) else { return }
            stream = next
        }
    }

    func stop() { for task in tasks { task.cancel() } }

    func expect(_ id: EventID, truth: ScanTruth?, sentAt: Int64) {
        expected[id] = Expected(truth: truth, sentAt: sentAt)
    }

    private func note(_ event: ReceivedEvent) {
        let seenAt = SystemTimeSource().monotonicNanoseconds
        guard let position = try? PositionEstimated(json: Array(event.data.utf8)),
            expected[position.scan]?.position == nil, let truth = expected[position.scan]?.truth
        else { return }
        received += 1
        expected[position.scan]?.position = position
        expected[position.scan]?.seenAt = seenAt
        newest[position.device] = Row(position: position, truth: truth)
    }

    /// Returns when every scan has its position, or the time is up.
    func wait(for accepted: [EventID], seconds: Int) async {
        for _ in 0..<(seconds * 20) where !accepted.allSatisfy({ expected[$0]?.position != nil }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The newest position of each device, by device, and how many came in all.
    func table() -> (rows: [Row], received: Int) {
        (newest.sorted { $0.key < $1.key }.map(\.value), received)
    }

    func summary(of accepted: [EventID]) -> Summary {
        var summary = Summary()
        var errors: [Double] = []
        var latencies: [Double] = []
        var judged = 0
        var roomHits = 0
        var roomsKnown = 0
        var floorHits = 0
        for id in accepted {
            guard let entry = expected[id], let position = entry.position else { continue }
            summary.positions += 1
            latencies.append(Double(entry.seenAt - entry.sentAt) / 1e6)
            guard let truth = entry.truth else { continue }
            judged += 1
            if position.floor == truth.floor { floorHits += 1 }
            if let room = truth.room {
                roomsKnown += 1
                if position.room == room { roomHits += 1 }
            }
            if let x = position.x, let y = position.y {
                let (dx, dy) = (x - truth.x, y - truth.y)
                errors.append((dx * dx + dy * dy).squareRoot())
            }
        }
        errors.sort()
        latencies.sort()
        summary.medianError = quantile(0.5, of: errors)
        summary.meanError =
            errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
        summary.roomHit = roomsKnown == 0 ? nil : Double(roomHits) / Double(roomsKnown)
        summary.floorHit = judged == 0 ? nil : Double(floorHits) / Double(judged)
        summary.latencyP50 = quantile(0.5, of: latencies)
        summary.latencyP99 = quantile(0.99, of: latencies)
        return summary
    }
}

/// The smallest value that at least the share of the sorted values do not exceed.
func quantile(_ share: Double, of sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let rank = Int((share * Double(sorted.count)).rounded(.up)) - 1
    return sorted[min(max(rank, 0), sorted.count - 1)]
}
