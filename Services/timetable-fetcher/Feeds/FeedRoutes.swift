import Events
import HTTP
import ServiceHost
import Site
import Timetables
import Wire

/// /v1/sites/{site}/feeds: administrators set up the sources of timetables and free computers.
struct FeedRoutes: Sendable {
    private static let bodyBytes = 65_536
    private static let onTheWay = Duration.seconds(3)

    let sites: SiteDirectory
    let clock: EventClock
    let store: FeedStore
    /// Wakes the fetching, and the relay of events.
    let wake: @Sendable () -> Void

    var all: [Route] {
        [
            Route(.get, "/v1/sites/{site}/feeds", handler: .task { try await list($0) }),
            Route(.get, "/v1/sites/{site}/feeds/{id}", handler: .task { try await show($0) }),
            Route(
                .put, "/v1/sites/{site}/feeds/{id}", maximumBodyBytes: Self.bodyBytes,
                handler: .task { try await put($0) }),
            Route(
                .delete, "/v1/sites/{site}/feeds/{id}", handler: .task { try await remove($0) }),
            Route(
                .post, "/v1/sites/{site}/feeds/{id}/fetch",
                handler: .task { try await fetch($0) }),
            Route(
                .get, "/v1/sites/{site}/feeds/{id}/report",
                handler: .task { try await report($0) }),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let rows = try await store.all(site)
        try await sites.checkIsKnown(site, hasRows: !rows.isEmpty)
        let now = clock.now
        return .json(ListAnswer.json(rows.map { ListedFeed($0.feed, $0.currentReport(at: now)) }))
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id) = try place(of: request)
        let row = try await store.one(site, id)
        return .json(ListedFeed(row.feed, row.currentReport(at: clock.now)).json)
    }

    private func put(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id) = try place(of: request)
        guard sites.isReady else { throw Problem.starting }
        guard let published = sites[whole: site] else { throw Problem.siteUnknown(site) }
        let submission = try request.read(FeedSubmission.init(json:))
        let row = try await put(submission, id, at: published, site)
        wake()
        let listed = ListedFeed(row.feed, row.currentReport(at: clock.now))
        return .json(listed.json, status: row.isNew ? 201 : 200)
    }

    /// Stores a feed. A room that the site lacks may be in a version that is still on its way.
    private func put(
        _ submission: FeedSubmission, _ id: FeedID, at published: PublishedSite, _ site: SiteID
    ) async throws -> FeedStore.Row {
        do {
            return try await store.put(
                submission, id, at: site, in: published.index.document, now: clock.now)
        } catch FeedRefusal.misfit(let misfit) {
            guard
                await sites.wait(
                    for: published.version + 1, of: site, atMost: Self.onTheWay),
                let newer = sites[whole: site]
            else { throw FeedRefusal.misfit(misfit) }
            return try await store.put(
                submission, id, at: site, in: newer.index.document, now: clock.now)
        }
    }

    private func remove(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id) = try place(of: request)
        try await store.remove(id, at: site)
        wake()
        return HTTPResponse(status: 204)
    }

    private func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id) = try place(of: request)
        try await store.fetchNow(id, at: site, now: clock.now)
        wake()
        return HTTPResponse(status: 202)
    }

    private func report(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id) = try place(of: request)
        let (row, now) = (try await store.one(site, id), clock.now)
        return .json(row.currentReport(at: now).json(at: now))
    }

    private func place(of request: HTTPRequest) throws -> (SiteID, FeedID) {
        let site = try sites.site(of: request)
        guard let id = FeedID(validating: request.parameters["id"] ?? "") else {
            throw Problem(.identifierMalformed, "A feed's id has 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        return (site, id)
    }
}
