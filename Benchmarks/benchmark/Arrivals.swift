import EventLog
import Events
import Foundation
import HTTPClient
import SeededRandomness
import Synchronization
import Wire

/// The times when scans were sent and when their results could be read, by the scan's id.
final class Arrivals: Sendable {
    private struct State {
        var sent: [EventID: ContinuousClock.Instant] = [:]
        var milliseconds: [Double] = []
    }

    private let state = Mutex(State())

    func willSend(_ id: EventID) {
        let now = ContinuousClock.now
        state.withLock { $0.sent[id] = now }
    }

    private func arrived(_ id: EventID, at moment: ContinuousClock.Instant) {
        state.withLock { state in
            guard let sent = state.sent.removeValue(forKey: id) else { return }
            state.milliseconds.append((moment - sent) / .milliseconds(1))
        }
    }

    /// Reads a topic from now on until the task is cancelled. `scanID` finds the scan's id in a
    /// record's value.
    func follow(
        _ topic: String, of log: any EventLog, ready: @Sendable () -> Void,
        scanID: @Sendable ([UInt8]) throws -> EventID
    ) async throws {
        var start: [TopicPartition: Int64] = [:]
        for (partition, bounds) in try await log.bounds(of: topic).enumerated() {
            start[TopicPartition(topic, partition)] = bounds.end
        }
        let reader = try await log.reader(from: start)
        ready()
        while !Task.isCancelled {
            let records = try await reader.next(maximum: 1_000, wait: .milliseconds(200))
            let now = ContinuousClock.now
            for record in records {
                if let value = record.value { arrived(try scanID(value), at: now) }
            }
        }
        await reader.close()
    }

    /// Reads a stream of positions until the task is cancelled or the stream ends.
    func follow(_ stream: HTTPClientStream) async throws {
        var parser = ServerSentEventParser()
        for try await chunk in stream.body {
            let now = ContinuousClock.now
            for event in parser.feed(chunk) {
                arrived(try PositionEstimated(json: Array(event.data.utf8)).scan, at: now)
            }
        }
    }

    var outstanding: Int { state.withLock { $0.sent.count } }

    /// Returns the measured times in ascending order and removes them.
    func drain() -> [Double] {
        state.withLock { state in
            defer { state = State() }
            return state.milliseconds.sorted()
        }
    }
}

/// Calls `send` at a rate, whether or not earlier calls' work has ended.
///
/// - Parameter isEven: calls at equal intervals. Otherwise the moments are drawn uniformly from the
///   complete time; every run draws the same moments.
func pace(
    perSecond: Int, seconds: Int, isEven: Bool = true, _ send: (Int) -> Void
) async throws {
    let start = ContinuousClock.now
    let length = Int64(seconds) * 1_000_000
    var chance = SeededRandom(seed: 12)
    var moments = (0..<perSecond * seconds).map { Int64($0) * 1_000_000 / Int64(perSecond) }
    if !isEven { moments = moments.map { _ in Int64.random(in: 0..<length, using: &chance) } }
    for (number, moment) in moments.sorted().enumerated() {
        let due = start + .microseconds(moment)
        if due > .now { try await Task.sleep(until: due, tolerance: .zero, clock: .continuous) }
        send(number)
    }
}
