import Access
import Events
import HTTP
import Privacy
import ServiceHost
import Site
import Wire

/// /v1/sites/{site}/shared-position: visitors share where they are, for an hour at most. Who has
/// the link looks at /v1/sites/{site}/shared-positions/{secret}.
struct PositionShareRoutes: Sendable {
    let sites: SiteDirectory
    let clock: EventClock
    let store: PositionShareStore
    let quotas = ShareQuotas()

    var all: [Route] {
        [
            Route(
                .post, "/v1/sites/{site}/shared-position", maximumBodyBytes: 1_024,
                handler: .refusing { try await begin($0) }
            ),
            Route(
                .get, "/v1/sites/{site}/shared-position",
                handler: .refusing { try await show($0) }),
            Route(
                .put, "/v1/sites/{site}/shared-position", maximumBodyBytes: 1_024,
                handler: .refusing { try await put($0) }),
            Route(
                .delete, "/v1/sites/{site}/shared-position",
                handler: .refusing { try await end($0) }),
            Route(
                .get, "/v1/sites/{site}/shared-positions/{secret}",
                handler: .refusing { try await look($0) }),
        ]
    }

    private func begin(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let session = try Self.session(of: request)
        // Nobody could look at it: the site has to be published.
        _ = try sites.seen(site, by: request)
        let now = clock.now
        try quotas.spend(.begin, request, at: now)
        guard let made = try await store.begin(session, at: site, moment: now) else {
            throw Problem(
                .quotaExceeded, "\(store.mostOfSite) people share where they are at this site.",
                retryAfterSeconds: 60)
        }
        return Self.answer(made.share.json(at: now, secret: made.secret), status: 201)
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let session = try Self.session(of: request)
        let now = clock.now
        guard let share = try await store.own(session, at: site, moment: now) else {
            throw Self.unknown
        }
        return Self.answer(share.json(at: now))
    }

    private func put(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let session = try Self.session(of: request)
        let submission = try request.read(SharedPositionSubmission.init(json:))
        // Else whoever looks would be told of a staff area.
        if let floor = submission.floor {
            try NamedRecord.floor(floor).check(in: sites.seen(site, by: request).index.document)
        }
        let now = clock.now
        try quotas.spend(.put, request, at: now)
        let position = submission.position(at: now, by: request.reader(at: site))
        let isShared = try await store.put(
            position, secret: submission.secret, of: session, at: site, moment: now)
        guard isShared else { throw Self.unknown }
        return HTTPResponse(status: 204, headers: [("cache-control", "no-store")])
    }

    private func end(_ request: HTTPRequest) async throws -> HTTPResponse {
        _ = try sites.site(of: request)
        try await store.end(try Self.session(of: request))
        return HTTPResponse(status: 204, headers: [("cache-control", "no-store")])
    }

    private func look(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let now = clock.now
        try quotas.spend(.look, request, at: now)
        guard let strangers = sites.published(site, for: .stranger) else {
            throw sites.isReady ? Problem.siteUnknown(site) : .starting
        }
        let secret = request.parameters["secret"] ?? ""
        guard let found = try await store.look(secret, at: site, moment: now) else {
            throw Self.unknown
        }
        let shown = found.position.map { position in
            ShownPosition(
                position, strangers: strangers.index,
                sharers: sites.published(site, for: position.sharer)?.index ?? strangers.index)
        }
        return Self.answer(LookedAtShare(until: found.until, shown: shown).json(at: now))
    }

    private static func session(of request: HTTPRequest) throws(Problem) -> SessionMark {
        guard let caller = request.caller else { throw Problem.tokenMissing }
        return SessionMark(caller)
    }

    private static let unknown = Problem(
        .positionUnknown, "Nobody shares a position by this link, or not any more.")

    private static func answer(_ json: [UInt8], status: Int = 200) -> HTTPResponse {
        var response = HTTPResponse.json(json, status: status)
        response.headers.append(("cache-control", "no-store"))
        return response
    }
}
