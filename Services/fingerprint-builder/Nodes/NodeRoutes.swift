import Events
import HTTP
import ServiceHost
import Wire

/// Serves how the nodes of a site are calibrated, now and before.
struct NodeRoutes: Sendable {
    let sites: SiteDirectory
    let store: NodeStore

    private static let pageLimit = 100

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/node-calibrations",
                handler: .task { try await list($0) })
        ]
    }

    /// A page of calibrations, the newest first; `?after=` is the time of the last one of the page
    /// before.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: Self.pageLimit)
        let site = try sites.site(of: request)
        var before: Timestamp?
        if !page.after.isEmpty {
            guard let time = Timestamp(text: page.after) else { throw Problem.cursorMalformed }
            before = time
        }
        let found = try await store.calibrations(of: site, before: before, limit: page.limit)
        try await sites.checkIsKnown(site, hasRows: !found.isEmpty || !page.after.isEmpty)
        return page.response(found.map(ListedCalibration.init))
    }
}
