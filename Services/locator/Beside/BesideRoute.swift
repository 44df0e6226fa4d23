import Events
import HTTP
import ServiceHost
import Site
import Wire

extension LocatorRoutes {
    /// GET /v1/positions-beside: the positions of one device by positioners beside the served one.
    var besides: Route {
        Route(.get, "/v1/positions-beside", handler: .task { try await beside($0) })
    }

    private static let pageMaximum = 10_000
    /// The time before `until` that is read without `from`.
    private static let usualMicroseconds: Int64 = 3_600_000_000

    private func beside(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.publishedSite(of: request)
        let (name, buildings) = try filter(request, site)
        guard let device = DeviceID(validating: name ?? "") else {
            throw Problem(.deviceMissing, "Name one device: `?device=`.")
        }
        let period = try request.period()
        let until = period.until ?? clock.now
        let from = period.from ?? until.advanced(byMicroseconds: -Self.usualMicroseconds)
        let positioner = try request.filled("positioner")
        let format = try request.accepted(PositionFormat.self, "Positions")
        let offset = try Self.offset(request)
        let page = try await BesidePositions(log: log, erased: locating.erased).page(
            of: DeviceKey(site, device), from: from, until: until,
            at: offset, limit: try request.pageLimit(maximum: Self.pageMaximum)
        ) { position in
            (positioner == nil || positioner == position.positioner)
                && buildings?.contains(position.building?.text ?? "") ?? true
        }
        // The last of several pages may well be empty.
        if let positioner, offset == nil, page.positions.isEmpty, page.next == nil {
            try checkIsBeside(positioner, at: site)
        }
        var headers = [(name: "content-type", value: format.contentType)]
        if let next = page.next { headers.append(("whereabouts-next", "\(next)")) }
        let sight = try sight(request, at: site)
        return HTTPResponse(
            headers: headers, body: .bytes(format.encode(page.positions.map(sight.position))))
    }

    /// A misspelt positioner has no positions; one that was beside until lately may still have
    /// some.
    private func checkIsBeside(_ positioner: String, at site: SiteID) throws(Problem) {
        guard let names = locating.sites.namesBeside(of: site) else { throw Problem.starting }
        guard !names.contains(positioner) else { return }
        let known = names.isEmpty ? "none is" : "\(names.joined(separator: ", ")) are"
        throw Problem(
            other: .positionerNotBeside,
            "\(positioner.prefix(64)) is not beside the positioner of \(site); \(known).")
    }

    private static func offset(_ request: HTTPRequest) throws(Problem) -> Int64? {
        guard let text = request.firstQuery("after") else { return nil }
        guard let offset = Int64(text), offset >= 0 else { throw Problem.cursorMalformed }
        return offset
    }
}
