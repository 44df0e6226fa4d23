import EventLog
import Events
import HTTP
import ServiceHost
import Wire

/// The events of a hub as server-sent events, straight from the log. An event's id is the vector of
/// the next offsets, one for each partition, so a client that comes back misses nothing.
struct EventStream: Sendable {
    let hub: StreamHub
    private let replays: StreamReplays

    /// - Parameter other: a stream that shares the load on the log with this one.
    init(hub: StreamHub, beside other: EventStream? = nil) {
        self.hub = hub
        replays =
            other?.replays.reading(hub.source.topic)
            ?? StreamReplays(log: hub.log, topic: hub.source.topic)
    }

    /// - Parameters:
    ///   - topic: the site or device of the events.
    ///   - sight: returns the places that may be named to the client; nil for all.
    ///   - token: the token of the client.
    ///   - beginning: nothing from before this time is sent, whatever the client asks for.
    ///   - since: starts with the first record appended at or after this time; nil starts now.
    ///   - lastEventID: the id that the client last got; overrides `since`.
    func response(
        _ topic: StreamTopic, sight: StreamSight? = nil, token: String, beginning: Timestamp? = nil,
        since: Timestamp?,
        lastEventID: String?
    ) async throws -> HTTPResponse {
        let now = try hub.position()
        let subscription = try hub.enter(topic, sight: sight, token: token)
        let follower: StreamFollower
        do {
            var start = try await start(now, since: since, lastEventID: lastEventID)
            if let beginning { start = start.joined(try await vector(at: beginning)) }
            follower = StreamFollower(hub, subscription, replays, from: start)
        } catch {
            hub.leave(subscription)
            throw error
        }
        return HTTPResponse(
            headers: [("content-type", "text/event-stream"), ("cache-control", "no-store")],
            body: .pulled { try await follower.next() })
    }

    private func start(
        _ now: StreamVector, since: Timestamp?, lastEventID: String?
    ) async throws -> StreamVector {
        if let lastEventID {
            guard let vector = StreamVector(lastEventID),
                vector.offsets.count == now.offsets.count
            else {
                throw Problem(
                    .eventIdMalformed, "Send an id that this stream gave as Last-Event-ID.")
            }
            // An id from another log, or from before the log was restored, must not wait for
            // records that never come.
            return now.reaches(vector) ? vector : try await replays.clamped(vector)
        }
        if let since { return try await vector(at: since) }
        return now
    }

    private func vector(at time: Timestamp) async throws -> StreamVector {
        StreamVector(
            try await hub.log.offsets(
                of: hub.source.topic.name, atMicroseconds: time.microseconds))
    }
}
