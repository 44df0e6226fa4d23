import Foundation
import HTTPClient

/// Follows the stream of positions as a page does.
enum PositionReader {
    struct Event: Sendable {
        /// What to come back with.
        var id: String
        var scan: String
    }

    /// Reads until so many events have come, or the time is up.
    static func read(
        _ campus: Campus, _ path: String, token: String, after lastID: String? = nil, count: Int,
        seconds: Double = 60
    ) async throws -> [Event] {
        let headers = lastID.map { [(name: "last-event-id", value: $0)] } ?? []
        let stream = try await campus.stream(path, token: token, headers: headers)
        return await withTaskGroup(of: [Event]?.self) { group in
            group.addTask {
                try? await Task.sleep(for: .seconds(seconds))
                return nil
            }
            group.addTask { await collect(stream, count) }
            var events: [Event] = []
            while let answer = await group.next() {
                // Whoever is first ends the other; the reader then gives what it has.
                events += answer ?? []
                group.cancelAll()
            }
            return events
        }
    }

    private static func collect(_ stream: HTTPClientStream, _ count: Int) async -> [Event] {
        var parser = ServerSentEventParser()
        var events: [Event] = []
        do {
            for try await chunk in stream.body {
                for event in parser.feed(chunk) where events.count < count {
                    let position = jsonObject(Array(event.data.utf8))
                    let scan = position["scanId"] as? String ?? "no scan"
                    events.append(Event(id: event.id, scan: scan))
                }
                if events.count >= count { break }
            }
        } catch {
            // A stream that breaks off shows in what is missing.
        }
        return events
    }
}
