import EventLog
import Events
import HTTP
import ServiceHost
import Wire

/// Positions as server-sent events, straight from the log. The id of an event is the vector of
/// offsets to go on from, one for each partition, so that a client that comes back misses nothing.
struct PositionStream: Sendable {
    let hub: PositionHub
    private let replays: PositionReplays

    init(hub: PositionHub) {
        self.hub = hub
        replays = PositionReplays(log: hub.log)
    }

    /// - Parameters:
    ///   - topic: whose positions.
    ///   - token: whose stream it is.
    ///   - since: from the first that was appended at or after this time; else from now on.
    ///   - lastEventID: as the client got it; wins over `since`.
    func response(
        _ topic: StreamTopic, token: String, since: Timestamp?, lastEventID: String?
    ) async throws -> HTTPResponse {
        let now = try hub.position()
        let subscription = try hub.enter(topic, token: token)
        let follower: PositionFollower
        do {
            let start = try await start(now, since: since, lastEventID: lastEventID)
            follower = PositionFollower(hub, subscription, replays, from: start)
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
                    .eventIdMalformed, "Last-Event-ID takes an id that this stream gave.")
            }
            // One from another log, or from before a log was restored, must not wait for what never
            // comes.
            return now.reaches(vector) ? vector : try await replays.clamped(vector)
        }
        if let since {
            return StreamVector(
                try await hub.log.offsets(
                    of: Topic.positions.name, atMicroseconds: since.microseconds))
        }
        return now
    }
}
