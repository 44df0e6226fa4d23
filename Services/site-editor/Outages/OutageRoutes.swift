import Events
import HTTP
import ServiceHost
import Site
import Wire

/// /v1/outages: reports outages, ends them and lists them.
struct OutageRoutes: Sendable {
    private static let pageMaximum = 1_000

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let store: OutageStore

    var all: [Route] {
        [
            Route(
                .post, "/v1/outages", maximumBodyBytes: 8_192,
                handler: .task { try await report($0) }),
            Route(
                .get, "/v1/outages",
                handler: .refusing { try await list($0) }),
            Route(
                .delete, "/v1/outages/{id}",
                handler: .task { try await end($0) }),
        ]
    }

    private func report(_ request: HTTPRequest) async throws -> HTTPResponse {
        let submission = try request.read(OutageSubmission.init(json:))
        let site = try sites.site(of: request, named: submission.site)
        _ = try sites.seen(site, by: request)
        // A way that is not for the caller is answered like one that the site lacks.
        guard sight(request, at: site).shows(submission.connection) else {
            throw NamedRecord.connection(submission.connection).problem
        }
        let now = clock.now
        let (row, isNew) = try await store.report(
            submission, site: site, id: submission.id ?? clock.newEventID(),
            by: request.caller?.id, at: now)
        if isNew { note(.outageReported, row.reported.id, by: request) }
        return .json(Self.listed(row, at: now).json, status: isNew ? 201 : 200)
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let now = clock.now
        let query = OutageStore.Query(
            site: try sites.site(of: request),
            connection: request.firstQuery("connection").map(ConnectionID.init),
            isActive: try Self.isActive(request), after: try Self.cursor(request),
            limit: try request.pageLimit(maximum: Self.pageMaximum), now: now)
        let sight = sight(request, at: query.site)
        // The number of rows would say that there is such a way.
        if let connection = query.connection, !sight.shows(connection) {
            throw NamedRecord.connection(connection).problem
        }
        let rows = try await store.rows(query)
        try await sites.checkIsKnown(query.site, hasRows: !rows.isEmpty || query.after != nil) {
            try await store.hasAny(of: query.site)
        }
        if let connection = query.connection {
            try await sites.checkHas(
                .connection(connection), at: query.site, for: request.reader(at: query.site),
                hasRows: !rows.isEmpty || query.after != nil
            ) { try await store.hasAny(of: query.site, on: connection) }
        }
        return taggedByContent(
            ListAnswer.page(
                rows.filter { sight.shows($0.reported.connection) }.map {
                    Self.listed($0, at: now)
                },
                next: rows.count == query.limit
                    ? rows.last.map { $0.reported.id.description } : nil),
            namesPeople: true)
    }

    /// The ways that may be named to the caller.
    private func sight(_ request: HTTPRequest, at site: SiteID) -> PlaceSight {
        PlaceSight(request.reader(at: site), at: sites[whole: site])
    }

    /// Ends an outage. `?endedBy=` names the person; otherwise it is the token's id.
    private func end(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id(of: "An outage")
        let name = request.firstQuery("endedBy") ?? request.caller?.id ?? "unknown"
        try await store.end(id, by: name, ender: request.caller?.id, at: clock.now) {
            (try? request.check(at: $0)) != nil
        }
        note(.outageEnded, id, by: request)
        return HTTPResponse(status: 204)
    }

    /// Notes the change in the security log. The caller chooses the names in an outage, so the
    /// caller's own id is noted here and in the event.
    private func note(_ event: SecurityEvent, _ outage: EventID, by request: HTTPRequest) {
        security.note(event, by: request, ["outage": outage.description])
    }

    private static func isActive(_ request: HTTPRequest) throws(Problem) -> Bool? {
        switch request.firstQuery("active") {
        case nil: nil
        case "true": true
        case "false": false
        default: throw Problem(.activeMalformed, "active is true or false.")
        }
    }

    private static func cursor(_ request: HTTPRequest) throws(Problem) -> EventID? {
        guard let text = request.firstQuery("after") else { return nil }
        guard let id = EventID(text) else {
            throw Problem.cursorMalformed
        }
        return id
    }

    private static func listed(_ row: OutageStore.Row, at moment: Timestamp) -> ListedOutage {
        ListedOutage(row.reported, ended: row.ended, at: moment)
    }
}
