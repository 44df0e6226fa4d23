import Events
import HTTP
import ServiceHost
import Site
import Wire

/// Lists, reads, compares and restores a site's versions.
struct VersionRoutes: Sendable {
    private static let pageMaximum = 1_000

    let sites: SiteDirectory
    let clock: EventClock
    let publishing: Publishing
    let store: SiteStore

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/versions",
                handler: .refusing { try await list($0) }),
            Route(
                .get, "/v1/sites/{site}/versions/{version}",
                handler: .refusing { try await read($0) }),
            Route(
                .get, "/v1/sites/{site}/versions/{version}/compare/{other}",
                handler: .refusing { try await compare($0) }),
            Route(
                .post, "/v1/sites/{site}/versions/{version}/restore",
                handler: .refusing { try await restore($0) }),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let limit = try request.pageLimit(maximum: Self.pageMaximum)
        var below: Int?
        if let text = request.firstQuery("after") {
            guard let version = Int(text), version > 0 else {
                throw Problem.cursorMalformed
            }
            below = version
        }
        let versions = try await store.versions(of: site, below: below, limit: limit)
        if versions.isEmpty, below == nil { throw Problem.siteUnknown(site) }
        let rows = versions.map {
            ListedVersion(
                version: $0.version, publishedAt: $0.publishedAt, publishedBy: $0.publishedBy)
        }
        return taggedByContent(ListAnswer.page(rows, limit: limit))
    }

    private func read(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let view = try await store.view(
            .number(try number(request)), of: site, for: request)
        return tagged(view.document.json, view.tag, mark: view.mark)
    }

    /// Compares two versions; either may be `draft`, `test` or `published`.
    private func compare(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let before = try await view("version", request, site)
        let after = try await view("other", request, site)
        return taggedByContent(SiteComparison(from: before.document, to: after.document).json)
    }

    private func view(
        _ parameter: String, _ request: HTTPRequest, _ site: SiteID
    ) async throws -> SiteView {
        let choice: VersionChoice
        switch request.parameters[parameter] {
        case "draft": choice = .draft
        case "test": choice = .test
        case "published": choice = .published
        default: choice = .number(try number(request, parameter))
        }
        return try await store.view(choice, of: site, for: request)
    }

    /// Publishes the document of an old version as the next version. Who sees the site stays as it
    /// is now.
    private func restore(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let number = try number(request)
        guard request.header("if-match") != nil else {
            throw Problem(
                .ifMatchMissing, "Send If-Match with the ETag of the published site.")
        }
        let expected = try request.expectedVersion()
        guard let old = try await store.version(number, of: site) else {
            throw Problem.versionUnknown(number)
        }
        let outcome = try await store.replace(
            site, with: old.document, expectedVersion: expected, keepsAudience: true,
            by: request.principal?.id, at: clock.now)
        await publishing.done(outcome, of: site, by: request)
        return outcome.response(site)
    }

    private func number(
        _ request: HTTPRequest, _ parameter: String = "version"
    ) throws(Problem) -> Int {
        guard let number = request.parameters[parameter].flatMap({ Int($0) }), number > 0 else {
            throw Problem(.versionMalformed, "Send a version as a number from 1.")
        }
        return number
    }
}

extension HTTPRequest {
    /// The published version in If-Match; nil without the header and for `*`.
    func expectedVersion() throws(Problem) -> Int? {
        switch try expectedTag() {
        case nil: nil
        case .version(let version): version
        case .draft, .test:
            throw Problem(
                .versionMovedOn,
                "This ETag is not of a published version: read the site and send that one.")
        }
    }
}

extension SiteStore.Outcome {
    func response(_ site: SiteID) -> HTTPResponse {
        let isFirst = isChanged && version == 1
        return tagged(
            PublicationAnswer.json(of: site, version: version, isChanged: isChanged),
            .version(version), status: isFirst ? 201 : 200)
    }
}
