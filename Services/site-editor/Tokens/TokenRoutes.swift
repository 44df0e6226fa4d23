import Access
import Events
import HTTP
import ServiceHost
import Site
import Wire

/// /v1/tokens: administrators issue, list and revoke the tokens of their sites.
struct TokenRoutes: Sendable {
    private static let pageMaximum = 1_000
    /// How long an answer waits until this process has read the change from the log.
    private static let patience: Duration = .seconds(2)

    let tokens: TokenDirectory
    let blocks: SenderBlocks
    let clock: EventClock
    let security: SecurityLog
    let store: TokenStore

    var all: [Route] {
        [
            Route(.post, "/v1/tokens", handler: .task { try await issue($0) }),
            Route(.get, "/v1/tokens", handler: .task { try await list($0) }),
            Route(.delete, "/v1/tokens/{id}", handler: .task { try await revoke($0) }),
            Route(
                .post, "/v1/token-uses", maximumBodyBytes: 200_000,
                handler: .task { try await noteUses($0) }),
        ]
    }

    private func issue(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let caller = request.caller else { throw Problem.tokenMissing }
        var order = try request.read(TokenOrder.init(json:))
        order.site = order.site ?? caller.onlySite
        if let site = order.site {
            try request.check(at: site)
            if !order.role.makesSites, try await !store.isKnown(site) {
                throw Problem.siteUnknown(site)
            }
        }
        // A session ends in the evening, but its account may issue tokens that last longer.
        let end = caller.account == nil ? caller.expiresAt : nil
        let issuer = TokenStore.Issuer(id: caller.id, grants: caller.grants, expiresAt: end)
        let (token, issued) = try await store.issue(order, by: issuer, at: clock.now)
        security.note(
            .tokenIssued, by: request,
            [
                "token": issued.id.description, "role": issued.role.rawValue,
                "of": issued.site?.text ?? "all sites",
            ])
        await tokens.wait(atMost: Self.patience) { $0.knows(hash: issued.hash) }
        return .json(listed(issued).json(secret: token), status: 201)
    }

    /// Lists the tokens of the caller's sites, a page at a time.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        var sites = try Self.sites(request)
        if let text = request.firstQuery("site") {
            guard let site = SiteID(validating: text) else { throw Problem.identifierMalformed }
            try request.check(at: site)
            sites = [site]
        }
        var after: EventID?
        if let text = request.firstQuery("after") {
            guard let id = EventID(text) else {
                throw Problem.cursorMalformed
            }
            after = id
        }
        let limit = try request.pageLimit(maximum: Self.pageMaximum)
        let rows = try await store.live(
            TokenStore.Query(
                sites: sites, issuedBy: try request.filled("issuedBy"), after: after, limit: limit),
            at: clock.now)
        return .json(
            ListAnswer.page(rows.map { listed($0.issued, $0.lastUsedAt) }, limit: limit))
    }

    /// Revokes a token. With `?children=true` all tokens that it issued are revoked too.
    private func revoke(_ request: HTTPRequest) async throws -> HTTPResponse {
        let children: Bool
        switch request.firstQuery("children") {
        case nil, "false": children = false
        case "true": children = true
        default: throw Problem(.childrenMalformed, "children is true or false.")
        }
        guard let caller = request.caller, let id = EventID(request.parameters["id"] ?? "") else {
            throw Self.unknown
        }
        let hashes = try await store.revoke(
            id, children: children, within: try Self.sites(request), by: caller.id, at: clock.now)
        guard !hashes.isEmpty else { throw Self.unknown }
        security.note(
            .tokenRevoked, by: request,
            ["token": id.description, "revoked": String(hashes.count)])
        await tokens.wait(atMost: Self.patience) { tokens in
            !hashes.contains { tokens.knows(hash: $0) }
        }
        return HTTPResponse(status: 204)
    }

    /// Stores the last uses of tokens, which services report.
    private func noteUses(_ request: HTTPRequest) async throws -> HTTPResponse {
        let uses = try request.read { (body) throws(WireFault) in
            try TokenUses.read(body, most: Host.usesAtOnce)
        }
        try await store.note(uses)
        return HTTPResponse(status: 204)
    }

    private static let unknown = Problem(
        .tokenUnknown, "There is no such valid token.")

    /// The sites whose tokens the caller may manage; nil for all.
    private static func sites(_ request: HTTPRequest) throws(Problem) -> [SiteID]? {
        guard let row = request.accessRow, let caller = request.caller else {
            throw .roleNotAllowed
        }
        let grants = caller.grants.filter {
            row.roles.contains($0.role) && $0.buildings == nil
        }
        let sites = grants.compactMap(\.site)
        // An administrator of a site also manages the tokens of its testers' site.
        return sites.count == grants.count ? sites + sites.compactMap(\.ofTesters) : nil
    }

    private func listed(_ token: TokenIssued, _ lastUsedAt: Timestamp? = nil) -> ListedToken {
        let end = blocks.blockedUntil(token.id.description, at: clock.now)
        return ListedToken(token, blockedUntil: end, lastUsedAt: lastUsedAt)
    }
}
