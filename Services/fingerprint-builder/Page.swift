import HTTP
import ServiceHost
import Wire

/// Paging by the last row's own id: `?after=...&limit=...`.
struct Page {
    var after: String
    var limit: Int

    init(_ request: HTTPRequest, limit maximum: Int) throws(Problem) {
        after = request.firstQuery("after") ?? ""
        limit = try request.pageLimit(maximum: maximum)
    }

    func response(_ rows: [some Listed]) -> HTTPResponse {
        .json(ListAnswer.page(rows, limit: limit))
    }
}
