import HTTP
import ServiceHost
import Site
import Wire

import struct Foundation.TimeZone

/// Lists findings in a site that people should check before they rely on it.
struct ReviewRoutes: Sendable {
    let sites: SiteDirectory
    let store: SiteStore
    let surveyed: SurveyedPlacesView

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
        let review = SiteReview(
            document, surveyed: document.locations(surveyedAt: places),
            isTimeZone: { TimeZone(identifier: $0) != nil })
        return taggedByContent(review.json(version: view.version))
    }
}
