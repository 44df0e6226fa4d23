import Events
import HTTP
import ServiceHost
import Site
import Wire

/// Tells scanners what their site asks of them, and administrators how they do.
struct ScannerRoutes: Sendable {
    private static let bodyLimit = 65_536
    private static let pageMaximum = 1_000

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let store: ScannerStore

    var all: [Route] {
        [
            Route(
                .put, "/v1/scanners/{scanner}/health", maximumBodyBytes: Self.bodyLimit,
                handler: .refusing { try await note($0) }),
            Route(
                .get, "/v1/scanners/{scanner}/settings",
                handler: .refusing { try await settings($0) }),
            Route(
                .get, "/v1/sites/{site}/enrolled-scanners",
                handler: .refusing { try await list($0) }),
            Route(
                .patch, "/v1/sites/{site}/enrolled-scanners/{scanner}", maximumBodyBytes: 1_024,
                handler: .refusing { try await change($0) }),
        ]
    }

    private func note(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, scanner) = try PairingRoutes.own(request)
        let version = try published(site).version
        let now = clock.now
        let health = try request.read { (body) throws(WireFault) in
            try ScannerHealth(json: body, of: scanner, at: now)
        }
        let isNode = try await store.note(health, at: site, moment: now)
        return .json(
            ScannerHealthAnswer.json(
                settings: ScannerSettings.tag(version: version, isNode: isNode)))
    }

    private func settings(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, scanner) = try PairingRoutes.own(request)
        let published = try published(site)
        let isNode = try await store.isNode(scanner, at: site)
        return .json(
            ScannerSettings(
                published.index.document, version: published.version, isNode: isNode
            ).json)
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        var after: ScannerID?
        if let text = request.firstQuery("after") {
            guard let id = ScannerID(validating: text) else { throw Problem.cursorMalformed }
            after = id
        }
        let limit = try request.pageLimit(maximum: Self.pageMaximum)
        let found = try await store.list(at: site, after: after, limit: limit)
        try await sites.checkIsKnown(site, hasRows: !found.isEmpty || after != nil)
        return .json(ListAnswer.page(found, limit: limit))
    }

    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let scanner = ScannerID(validating: request.parameters["scanner"] ?? "") else {
            throw Problem(.scannerMalformed, "A scanner's id has 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        let change = try request.read(ScannerChange.init(json:))
        let scanned = try await store.set(
            isNode: change.isNode, scanner, at: site, moment: clock.now)
        security.note(
            .scannerChanged, by: request,
            ["site": site.text, "scanner": scanner.text, "node": "\(change.isNode)"])
        return .json(scanned.json)
    }

    private func published(_ site: SiteID) throws(Problem) -> PublishedSite {
        guard let published = sites[whole: site] else {
            throw sites.isReady ? Problem.siteUnknown(site) : .starting
        }
        return published
    }
}

extension ScannerStore.Refusal: ClientRefusal {
    var problem: Problem {
        switch self {
        case .unknown(let scanner):
            Problem(.scannerUnknown, "No token was issued for the scanner \(scanner).")
        }
    }
}
