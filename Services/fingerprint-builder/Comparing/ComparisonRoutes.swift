import Devices
import Events
import HTTP
import RadioMapCare
import ServiceHost
import Site
import Wire

/// GET /v1/sites/{site}/positioner/comparison: how well the selected positioners of a site did.
struct ComparisonRoutes: Sendable {
    let sites: SiteDirectory
    let selections: SelectionStore
    let store: ComparisonStore

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/positioner/comparison",
                handler: .task { try await show($0) })
        ]
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.publishedSite(of: request)
        // A testers' site is located as the site whose draft it is.
        let owner = sites[whole: site]?.lender ?? site
        let selected = try await selections.rows(of: owner).first?.event
        let known = try await store.known(owner)
        let standing = ComparisonStanding(
            hasBeside: selected?.selection.beside.isEmpty == false,
            present: known.radioMapVersion.map {
                ComparisonStanding.Basis(radioMapVersion: $0, revision: selected?.revision ?? 0)
            },
            choiceVersion: known.choiceVersion, kept: known.kept?.basis,
            hasFailed: known.hasFailed)
        var response = HTTPResponse.json(
            ComparisonAnswer.json(
                of: owner, standing, triedAt: known.triedAt, comparison: known.kept))
        response.headers.append(("cache-control", "no-store"))
        return response
    }
}
