import EventLog
import Events
import HTTP
import ServiceHost
import Wire

/// One client's stream. It reads missed records from the log at the client's pace, then continues
/// with those of the hub.
///
/// One task uses it. It leaves the hub when it is released.
final class StreamFollower: Sendable {
    /// Bytes of one chunk of records from the log.
    private static let chunkBytes = 32_768

    private enum Phase: Sendable {
        case hello
        case missing(StreamVector)
        case reading(Reading)
        case live
    }

    private struct Reading: Sendable {
        var vector: StreamVector
        var reader: any LogReader
        /// Events that were read but not sent yet.
        var events: [[UInt8]] = []
    }

    private let hub: StreamHub
    private let subscription: StreamSubscription
    private let replays: StreamReplays
    private let phase: PhaseBox

    /// Only the stream's own task uses the phase, so this is safe.
    private final class PhaseBox: @unchecked Sendable {
        var phase = Phase.hello
        let start: StreamVector
        init(start: StreamVector) { self.start = start }
    }

    init(
        _ hub: StreamHub, _ subscription: StreamSubscription, _ replays: StreamReplays,
        from start: StreamVector
    ) {
        self.hub = hub
        self.subscription = subscription
        self.replays = replays
        phase = PhaseBox(start: start)
    }

    deinit {
        hub.leave(subscription)
        if case .reading(let reading) = phase.phase {
            let reader = reading.reader
            Task { await reader.close() }
        }
    }

    /// The next bytes; nil ends the stream.
    ///
    /// A quiet stream waits in this function, and every waiting stream holds its memory. So the
    /// state for catching up is in other functions.
    func next() async throws -> [UInt8]? {
        subscription.asked()
        defer { subscription.answered() }
        while !subscription.hasEnded {
            if case .live = phase.phase {
                switch await subscription.dequeue() {
                case .events(let events): return events
                case .behind(let vector): phase.phase = .missing(vector)
                case .ended: return nil
                }
            } else if let chunk = try await catchUp() {
                return chunk
            }
        }
        return nil
    }

    /// One step towards the hub's records; nil where there is nothing to send yet.
    private func catchUp() async throws -> [UInt8]? {
        switch phase.phase {
        case .hello:
            phase.phase = .missing(phase.start)
            // The first bytes show the client at once that the stream is open.
            return Self.hello
        case .missing(let vector):
            try await begin(vector)
            return nil
        case .reading(let reading): return try await read(reading)
        case .live: return nil
        }
    }

    private static let hello = Array(": hello\n\n".utf8)

    private func begin(_ vector: StreamVector) async throws {
        if hub.join(subscription, from: vector) {
            phase.phase = .live
            return
        }
        subscription.hold(try await replays.turn(for: subscription.token))
        do {
            let start = try await replays.clamped(vector)
            let reader = try await hub.log.reader(from: start.starts(of: hub.source.topic))
            phase.phase = .reading(Reading(vector: start, reader: reader))
        } catch {
            subscription.letGo()
            throw error
        }
    }

    /// An id without data is no event, but clients send it back as Last-Event-ID. So a client that
    /// is cut off while it gets no events does not begin again.
    private static func place(_ vector: StreamVector) -> [UInt8] {
        Array("id: \(vector.text)\n".utf8)
    }

    /// The records that were read; nil where there is nothing to send yet.
    private func read(_ now: Reading) async throws -> [UInt8]? {
        var now = now
        if now.events.isEmpty {
            if hub.join(subscription, from: now.vector) {
                phase.phase = .live
                subscription.letGo()
                await now.reader.close()
                return nil
            }
            let records = try await replays.read(now.reader)
            for record in records {
                now.vector.pass(record.partition, record.offset + 1)
                guard let key = record.key,
                    subscription.topic.wants(String(decoding: key, as: UTF8.self)),
                    !hub.erased.covers(record),
                    let event = StreamedEvent(
                        record, of: hub.source, number: 0, vector: now.vector
                    ).flatMap(subscription.seen)
                else { continue }
                now.events.append(event.event())
            }
            // Gaps in the log count as read; otherwise the stream would never reach the hub.
            if records.isEmpty {
                for (partition, offset) in try await now.reader.positions() {
                    now.vector.pass(partition.partition, offset)
                }
            }
            phase.phase = .reading(now)
            if now.events.isEmpty {
                return subscription.dequeueComment().map { Self.place(now.vector) + $0 }
            }
        }
        var chunk: [UInt8] = []
        var count = 0
        while count < now.events.count, chunk.count < Self.chunkBytes {
            chunk += now.events[count]
            count += 1
        }
        now.events.removeFirst(count)
        phase.phase = .reading(now)
        return chunk
    }
}
