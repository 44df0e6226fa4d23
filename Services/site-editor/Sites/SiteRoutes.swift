import Events
import HTTP
import ServiceHost
import Site
import Wire

/// /v1/sites: reads and changes sites as complete documents, and their records.
struct SiteRoutes: Sendable {
    static let bodyLimit = SiteLimits.documentBytes

    let sites: SiteDirectory
    let clock: EventClock
    let publishing: Publishing
    let store: SiteStore

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites",
                handler: .refusing { try await list($0) }),
            Route(
                .get, "/v1/sites/{site}",
                handler: .refusing { try await document($0) }),
            Route(
                .put, "/v1/sites/{site}",
                maximumBodyBytes: Self.bodyLimit, handler: .refusing { try await replace($0) }),
            Route(
                .delete, "/v1/sites/{site}",
                handler: .refusing { try await remove($0) }),
        ] + records
            + VersionRoutes(sites: sites, clock: clock, publishing: publishing, store: store).all
            + DraftRoutes(sites: sites, clock: clock, publishing: publishing, store: store).all
    }

    private var records: [Route] { RecordKind.written.flatMap { routes(of: $0) } }

    private func routes<Record: SiteRecordWire>(of _: Record.Type) -> [Route] {
        RecordRoutes<Record>(sites: sites, clock: clock, store: store).all
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let sites = try await store.all().filter { site in
            let id = SiteID(site.id)
            return id.tested == nil && (try? request.check(at: id)) != nil
        }
        return taggedByContent(
            ListAnswer.json(
                sites.map { site in
                    let id = SiteID(site.id)
                    let seen = self.sites.published(id, for: request.reader(at: id))
                    return ListedSite(
                        id: site.id, name: site.name,
                        names: seen?.index.document.names ?? Translations(),
                        version: site.version, publishedAt: site.publishedAt)
                }))
    }

    private func document(_ request: HTTPRequest) async throws -> HTTPResponse {
        let view = try await store.view(request, of: try sites.site(of: request))
        return tagged(view.document.json, view.tag, mark: view.mark)
    }

    /// Publishes the body as the site's next version. With If-Match this happens only if that
    /// version is the newest. The same document again changes nothing.
    ///
    /// With `?version=draft` the body becomes the draft, and nothing is published. With `measured`
    /// a grid of heights gave its rises, and none of its slopes counts as changed by hand. Without
    /// it the rises of changed ways are settled in both cases.
    private func replace(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        var document = try SiteDocument(json: request.body)
        let isMeasured = try request.flag("measured")
        switch try VersionChoice(request) {
        case .published: break
        case .draft:
            let document = document
            return try await store.edit(
                site, expectedRevision: try request.expectedRevision(),
                by: try await store.author(of: request, at: site), DraftNote(action: .replace),
                at: clock.now
            ) { former in
                try document.checkZones(after: former)
                guard isMeasured else { return .rewrite(document) }
                try document.checkFacts(after: former)
                return .replace(document)
            }.response
        case .test, .number:
            throw Problem(
                .versionMalformed, "Put a site as version=published or version=draft.")
        }
        let former = sites[whole: site]?.index.document
        try document.checkZones(after: former)
        // A new site may come from an older release, whose sites may have any facts.
        if let former, isMeasured {
            try document.checkFacts(after: former)
        } else if let former {
            document = try document.rewritten(after: former)
        }
        let outcome = try await store.replace(
            site, with: document, expectedVersion: try request.expectedVersion(),
            endsTest: true, by: request.principal?.id, at: clock.now)
        await publishing.done(outcome, of: site, by: request)
        return outcome.response(site)
    }

    /// Removes the site with its draft, its versions, its outages, its tokens, roles and devices.
    /// This can't be undone, so the request names the site twice. For a testers' site only the test
    /// ends.
    private func remove(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let remover = request.principal?.id ?? "unknown"
        // A site of such an id that is no test is removed like any other.
        if let tested = site.tested,
            try await store.endTest(of: tested, by: remover, at: clock.now)
        {
            publishing.security.note(.testEnded, by: request, ["site": site.text])
            return HTTPResponse(status: 204)
        }
        guard request.firstQuery("confirm") == site.text else {
            throw Problem(
                .confirmationMissing,
                "Removing a site can't be undone: send ?confirm= with its id.")
        }
        try await store.remove(site, by: remover, at: clock.now)
        publishing.security.note(.siteRemoved, by: request, ["site": site.text])
        return HTTPResponse(status: 204)
    }
}
