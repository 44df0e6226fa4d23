import HTTPClient
import Timetables

/// The answer of a feed's server.
struct FeedAnswer: Sendable {
    var status: Int
    var body: [UInt8]
    var contentType: String?
    var entityTag: String?
    var modified: String?
    var retryAfterSeconds: Int?

    static func fetch(
        _ feed: TimetableFeed, with client: HTTPClient, headers: [(name: String, value: String)],
        timeoutSeconds: Double
    ) async throws -> FeedAnswer {
        if feed.kind == .form {
            return try await FormFetch(
                feed: feed, client: client, headers: headers, timeoutSeconds: timeoutSeconds
            ).fetch()
        }
        let response = try await client.send(
            "GET", feed.address, headers: headers, timeoutSeconds: timeoutSeconds)
        return FeedAnswer(response)
    }

    /// A header that is sent back. A longer one is passed over.
    private static func short(_ value: String?) -> String? {
        value.flatMap { $0.utf8.count <= 500 && !$0.utf8.contains(0) ? $0 : nil }
    }
}

extension FeedAnswer {
    init(_ response: HTTPClientResponse) {
        self.init(
            status: response.status, body: response.body,
            contentType: response.headers["content-type"],
            entityTag: Self.short(response.headers["etag"]),
            modified: Self.short(response.headers["last-modified"]),
            retryAfterSeconds: response.retryAfterSeconds)
    }
}
