import HTTP
import ServiceHost
import Site
import Threads
import Wire

import struct Foundation.TimeZone

/// Lists findings in a site that people should check before they rely on it.
struct ReviewRoutes: Sendable {
    let sites: SiteDirectory
    let store: SiteStore
    let surveyed: SurveyedPlacesView
    /// A review of a campus takes a second or more, which would hold up the pool that answers
    /// requests.
    private let work = LongWork("site-reviews")

    init(sites: SiteDirectory, store: SiteStore, surveyed: SurveyedPlacesView) {
        (self.sites, self.store, self.surveyed) = (sites, store, surveyed)
    }

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/review",
                handler: .refusing { try await review($0) })
        ]
    }

    private func review(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let view = try await store.view(request, of: site)
        let places = try await surveyed.places(of: site, pool: store.pool)
        let document = view.document
        let answer = await work.run {
            let review = SiteReview(
                document, surveyed: document.locations(surveyedAt: places),
                isTimeZone: { TimeZone(identifier: $0) != nil })
            return review.json(version: view.version, revision: view.revision, of: document)
        }
        guard let answer else { throw Problem.starting }
        return taggedByContent(answer)
    }
}
