import EventLog
import Events
import HTTP
import ServiceHost
import Synchronization
import Wire

/// Positions as server-sent events, straight from the log. The id of an event is the vector of
/// offsets to go on from, one for each partition, so that a client that comes back misses nothing.
struct PositionStream: Sendable {
    let host: Host
    /// Streams at once; each one reads the log by itself.
    let limit: Int
    private let open = OpenStreams()

    init(host: Host, limit: Int) {
        self.host = host
        self.limit = limit
    }

    /// - Parameters:
    ///   - site: whose positions.
    ///   - device: only this device's.
    ///   - since: from the first that was appended at or after this time; else from now on.
    ///   - lastEventID: as the client got it; wins over `since`.
    func response(
        site: String, device: String?, since: Timestamp?, lastEventID: String?
    ) async throws -> HTTPResponse {
        guard open.enter(limit: limit) else {
            throw Problem(
                503, "too-many-streams", "\(limit) clients follow positions already; try later.",
                retryAfterSeconds: 10)
        }
        let leave = LeaveOnce(open)
        let start: [Int64]
        let reader: any LogReader
        do {
            start = try await offsets(since: since, lastEventID: lastEventID)
            reader = try await host.log.reader(
                from: Dictionary(
                    uniqueKeysWithValues: start.enumerated().map {
                        (TopicPartition(Topic.positions.name, $0.offset), $0.element)
                    }))
        } catch {
            leave()
            throw error
        }
        let wanted = device.map { Array("\(site)/\($0)".utf8) } ?? Array("\(site)/".utf8)
        let isWhole = device != nil
        let (events, continuation) = AsyncThrowingStream<ServerSentEvent, any Error>.makeStream()
        let reading = Task {
            var offsets = start
            do {
                while !Task.isCancelled {
                    for record in try await reader.next(maximum: 500, wait: .seconds(1)) {
                        guard offsets.indices.contains(record.partition) else { continue }
                        offsets[record.partition] = record.offset + 1
                        guard let key = record.key, let value = record.value,
                            isWhole ? key == wanted : key.starts(with: wanted)
                        else { continue }
                        continuation.yield(
                            ServerSentEvent(
                                id: Self.text(offsets), event: "position", data: value))
                    }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
            await reader.close()
            leave()
        }
        continuation.onTermination = { _ in reading.cancel() }
        return .events(events)
    }

    private func offsets(since: Timestamp?, lastEventID: String?) async throws -> [Int64] {
        let topic = Topic.positions.name
        let bounds = try await host.log.bounds(of: topic)
        if let lastEventID {
            guard let offsets = Self.offsets(lastEventID), offsets.count == bounds.count else {
                throw Problem(
                    400, "event-id-malformed", "Last-Event-ID takes an id that this stream gave.")
            }
            // What retention has removed meanwhile can't be sent again; an id from another log
            // must not wait for offsets that never come.
            return zip(offsets, bounds).map { max($1.start, min($0, $1.end)) }
        }
        if let since {
            return try await host.log.offsets(of: topic, atMicroseconds: since.microseconds)
        }
        return bounds.map(\.end)
    }

    static func text(_ offsets: [Int64]) -> String {
        offsets.map(String.init).joined(separator: ".")
    }

    static func offsets(_ text: String) -> [Int64]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let offsets = parts.compactMap { Int64($0) }.filter { $0 >= 0 }
        return offsets.count == parts.count ? offsets : nil
    }
}

/// How many streams are open.
private final class OpenStreams: Sendable {
    private let count = Mutex(0)

    func enter(limit: Int) -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}

/// Gives the place back, however often it is called, once.
private final class LeaveOnce: Sendable {
    private let streams: OpenStreams
    private let hasLeft = Mutex(false)

    init(_ streams: OpenStreams) { self.streams = streams }

    func callAsFunction() {
        let isFirst = hasLeft.withLock { hasLeft in
            defer { hasLeft = true }
            return !hasLeft
        }
        if isFirst { streams.leave() }
    }
}
