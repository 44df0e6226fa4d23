import Events
import HTTPClient
import JSON
import Numbers
import ServiceRuntime
import Wire

/// Follows `GET /v1/positions/stream` and compares its positions with the true places.
actor PositionWatch {
    private struct Expected {
        var truth: ScanTruth?
        var sentAt: Int64
        var position: PositionEstimated?
        var seenAt: Int64 = 0
    }

    struct Summary: Sendable {
        var positions = 0
        var streamBreaks = 0
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
    /// The number of times that a stream broke and was opened again.
    private var breaks = 0
    /// The pause before a broken stream is opened again.
    private static let pause = Duration.milliseconds(500)
    private var tasks: [Task<Void, Never>] = []

    init(services: ServiceClient, sites: Set<SiteID>) {
        self.services = services
        self.sites = sites
    }

    /// Opens the streams; returns when they are open, so that no position is missed.
    func start() async throws {
        for site in sites.sorted() {
            let stream = try await open(site, after: "")
            tasks.append(Task { await follow(site, stream) })
        }
    }

    /// Opens a stream behind the last event, and repeats a failed attempt if the fault may pass.
    ///
    /// - Parameter last: the id of the last event that came; empty for a new stream.
    private func open(_ site: SiteID, after last: String) async throws -> HTTPClientStream {
        let url = services.url("locator", "/v1/positions/stream?site=\(site)")
        let resumed = last.isEmpty ? [] : [(name: "last-event-id", value: last)]
        let end = ContinuousClock.now.advanced(by: ServiceClient.patience)
        while true {
            do throws(HTTPClientError) {
                return try await services.client.stream(url, headers: services.headers + resumed)
            } catch {
                let mayPass = error.isRetriable && (error.code == "status" || !last.isEmpty)
                guard mayPass, ContinuousClock.now < end else {
                    throw services.described(error, of: "locator")
                }
            }
            try await ServiceClient.pause(nil)
        }
    }

    /// Follows a stream until the watch is stopped. Opens a broken stream again behind the last
    /// event that came, so that no event is missed.
    private func follow(_ site: SiteID, _ first: HTTPClientStream) async {
        var stream: HTTPClientStream? = first
        var last = ""
        while !Task.isCancelled {
            if let open = stream {
                var parser = ServerSentEventParser()
                do {
                    for try await chunk in open.body {
                        for event in parser.feed(chunk) {
                            if !event.id.isEmpty { last = event.id }
                            note(event)
                        }
                    }
                } catch {
                    // The reason does not matter: the stream is opened again, and positions that
                    // are missing in the end are counted.
                }
                if Task.isCancelled { return }
                breaks += 1
            }
            try? await Task.sleep(for: Self.pause)
            stream = try? await open(site, after: last)
        }
    }

    func stop() { for task in tasks { task.cancel() } }

    func expect(_ id: EventID, truth: ScanTruth?, sentAt: Int64) {
        expected[id] = Expected(truth: truth, sentAt: sentAt)
    }

    private func note(_ event: ReceivedEvent) {
        let seenAt = SystemTimeSource().monotonicNanoseconds
        guard let position = try? PositionEstimated(json: Array(event.data.utf8)),
            let awaited = expected[position.scan], awaited.position == nil
        else { return }
        received += 1
        expected[position.scan]?.position = position
        expected[position.scan]?.seenAt = seenAt
        newest[position.device] = Row(position: position, truth: awaited.truth)
    }

    /// Returns when every scan has its position, or after these seconds.
    func wait(for accepted: [EventID], seconds: Int) async {
        for _ in 0..<(seconds * 20) where !accepted.allSatisfy({ expected[$0]?.position != nil }) {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The newest position of each device, sorted by device, and the number of all positions.
    func table() -> (rows: [Row], received: Int) {
        (newest.sorted { $0.key < $1.key }.map(\.value), received)
    }

    func summary(of accepted: [EventID]) -> Summary {
        var summary = Summary()
        summary.streamBreaks = breaks
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
        summary.medianError = nearestRank(errors, 0.5)
        summary.meanError =
            errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
        summary.roomHit = roomsKnown == 0 ? nil : Double(roomHits) / Double(roomsKnown)
        summary.floorHit = judged == 0 ? nil : Double(floorHits) / Double(judged)
        summary.latencyP50 = nearestRank(latencies, 0.5)
        summary.latencyP99 = nearestRank(latencies, 0.99)
        return summary
    }
}
