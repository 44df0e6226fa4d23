import Events
import HTTP
import ServiceHost
import Site
import SiteSearch
import Wire

/// /v1/sites/{site}/search: finds rooms, departments and other records by any of their names.
struct SearchRoutes: Sendable {
    let sites: SiteDirectory
    let indexes = SearchIndexes()

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/search",
                handler: .task { try await search($0) })
        ]
    }

    private func search(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let query = try query(of: request)
        let seen = try sites.seen(site, by: request)
        try query.floor.map { NamedRecord.floor($0) }?.check(in: seen.index.document)
        let page = try await indexes.index(of: site, seen).find(query)
        return .json(page.json(version: seen.version, language: query.language))
    }

    private func query(of request: HTTPRequest) throws(Problem) -> SearchQuery {
        guard let text = request.firstQuery("q") else {
            throw Problem(.queryMissing, "Send the search text: ?q=...")
        }
        let language = try request.language()
        let kinds = request.firstQuery("kind")?.split(separator: ",").map(String.init) ?? []
        let limit = try limit(of: request)
        let after = try cursor(of: request)
        do throws(SearchFault) {
            return try SearchQuery(
                text, language: language, kinds: Set(kinds),
                floor: request.firstQuery("floor").map(FloorID.init), limit: limit, after: after)
        } catch {
            throw error.problem
        }
    }

    private func limit(of request: HTTPRequest) throws(Problem) -> Int {
        guard let text = request.firstQuery("limit") else { return SearchLimits.ordinaryResults }
        guard let limit = Int(text) else { throw SearchFault.limitOutOfRange.problem }
        return limit
    }

    private func cursor(of request: HTTPRequest) throws(Problem) -> SearchCursor? {
        guard let text = request.firstQuery("after") else { return nil }
        guard let cursor = SearchCursor(text) else {
            throw Problem.cursorMalformed
        }
        return cursor
    }
}

extension SearchFault {
    fileprivate var problem: Problem {
        switch self {
        case .queryTooLong:
            Problem(
                .queryTooLong, "q has at most \(SearchLimits.queryScalars) characters.")
        case .limitOutOfRange:
            Problem(.limitOutOfRange, "limit is between 1 and \(SearchLimits.results).")
        }
    }
}
