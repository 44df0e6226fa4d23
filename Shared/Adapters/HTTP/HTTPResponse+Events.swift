extension HTTPResponse {
    /// How often a quiet event stream sends a comment, so that proxies and clients keep it open.
    public static let keepAliveSeconds = 15.0

    /// Sends events as they come, with a comment after `keepAliveSeconds` of silence. The end of
    /// `events` ends the response. When the client leaves, the iteration is cancelled.
    public static func events<Events: AsyncSequence & Sendable>(
        _ events: Events, keepAliveSeconds: Double = HTTPResponse.keepAliveSeconds
    ) -> HTTPResponse where Events.Element == ServerSentEvent {
        let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let sending = Task {
            do {
                for try await event in events { continuation.yield(event.encoded()) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        let beating = Task {
            // The first bytes show the client at once that the stream works.
            continuation.yield(Array(": hello\n\n".utf8))
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(keepAliveSeconds))
                continuation.yield(Array(": keep-alive\n\n".utf8))
            }
        }
        continuation.onTermination = { _ in
            sending.cancel()
            beating.cancel()
        }
        return HTTPResponse(
            headers: [("content-type", "text/event-stream"), ("cache-control", "no-store")],
            body: .stream(stream))
    }
}
