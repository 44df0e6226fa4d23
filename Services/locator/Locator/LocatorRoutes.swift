import Events
import HTTP
import JSON
import Positioning
import Postgres
import ServiceHost
import Wire

/// /v1/positions, /v1/positions/latest, /v1/positions/stream, /v1/positions/{id},
/// /v1/positions/{id}/explain, /v1/visits and /v1/locate.
struct LocatorRoutes: Sendable {
    let host: Host
    let locating: Locating
    let former: FormerMaps
    let stream: PositionStream
    let pool: PostgresPool

    var all: [Route] {
        [
            Route(
                .get, "/v1/positions",
                handler: .task { try await history($0) }),
            Route(
                .get, "/v1/positions/latest",
                handler: .task { try await latest($0) }),
            Route(
                .get, "/v1/positions/stream",
                handler: .task { try await follow($0) }),
            Route(
                .get, "/v1/positions/{id}",
                handler: .task { try await one($0) }),
            Route(
                .get, "/v1/positions/{id}/explain",
                handler: .task { try await explain($0) }),
            Route(
                .get, "/v1/visits",
                handler: .task { try await visits($0) }),
            Route(
                .post, "/v1/locate",
                handler: .task { try await locate($0) }),
        ]
    }

    private func history(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try host.site(of: request)
        var query = try PositionQuery(request, site: site.text)
        query.device = try deviceFilter(request, site)
        query.zone = try zoneFilter(request, site)
        let format = try request.accepted(PositionFormat.self, "Positions")
        let positions = try await query.run(pool)
        var headers = [(name: "content-type", value: format.contentType)]
        if positions.count == query.limit, let last = positions.last {
            let cursor = PageCursor(at: last.at, id: last.id).text
            headers.append(("whereabouts-next", cursor))
        }
        return HTTPResponse(headers: headers, body: .bytes(format.encode(positions)))
    }

    private func zoneFilter(
        _ request: HTTPRequest, _ site: SiteID
    ) throws(Problem) -> PositionZone? {
        guard let zone = request.firstQuery("zone") else { return nil }
        guard host.sites.isReady else { throw Problem.starting }
        guard let index = host.sites[site]?.index else { throw Problem.siteUnknown(site) }
        return try PositionZone(zone, site: index)
    }

    private func latest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try host.site(of: request)
        let device = try deviceFilter(request, site)
        let rows = try await pool.query(
            """
            SELECT event::text AS event FROM locator.latest_positions
            WHERE site = $1 AND ($2::text IS NULL OR device = $2) ORDER BY device LIMIT 10000
            """, [.text(site.text), .optional(device, PostgresValue.text)])
        var writer = JSONWriter(capacity: 64 + rows.count * 600)
        writer.beginObject()
        writer.name("positions")
        writer.beginArray()
        for row in rows {
            let event: String = try row["event"]
            Array(event.utf8).withUnsafeBytes { writer.raw($0) }
        }
        writer.endArray()
        writer.endObject()
        return .json(writer.finish())
    }

    private func one(_ request: HTTPRequest) async throws -> HTTPResponse {
        let position = try await explaining.position(try Self.positionID(request))
        try checkAllowed(position, request)
        return .json(position.json)
    }

    private func explain(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try await explaining.explain(try Self.positionID(request)) {
            position throws(Problem) in try checkAllowed(position, request)
        }
        return .json(body)
    }

    private var explaining: Explaining {
        Explaining(host: host, locating: locating, former: former, pool: pool)
    }

    private static func positionID(_ request: HTTPRequest) throws(Problem) -> EventID {
        guard let id = EventID(request.parameters["id"] ?? "") else {
            throw Problem(400, "id-malformed", "A position's id is a UUID.")
        }
        return id
    }

    /// - Throws: a `Problem` where the caller may not see the position.
    private func checkAllowed(
        _ position: PositionEstimated, _ request: HTTPRequest
    ) throws(Problem) {
        _ = try host.site(of: request, named: position.site)
        let device = try deviceFilter(request, position.site)
        guard device == nil || device == position.device.text else {
            throw Problem.deviceNotYours
        }
    }

    private func visits(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try host.site(of: request)
        let query = try VisitQuery(
            request, site: site.text, device: try deviceFilter(request, site))
        let format = try request.accepted(VisitFormat.self, "Visits")
        let (visits, next) = try await query.run(pool)
        var headers = [(name: "content-type", value: format.rawValue)]
        if let next { headers.append(("whereabouts-next", next)) }
        return HTTPResponse(headers: headers, body: .bytes(format.encode(visits)))
    }

    private func follow(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try host.site(of: request)
        return try await stream.response(
            site: site.text, device: try deviceFilter(request, site),
            since: try request.time("since"),
            lastEventID: request.header("last-event-id"))
    }

    /// A scan in, a position out; nothing is stored.
    private func locate(_ request: HTTPRequest) async throws -> HTTPResponse {
        let received = Timestamp(microseconds: request.receivedAtMicroseconds)
        let submission: ScanSubmission
        do throws(WireFault) {
            submission = try SubmissionDecoder(.scan).decodeOne(request.body, receivedAt: received)
        } catch {
            throw Problem(400, error.code.rawValue, error.detail)
        }
        let site = try host.site(of: request, named: submission.site)
        guard host.sites[site] != nil else {
            throw host.sites.isReady ? Problem.siteUnknown(site) : .starting
        }
        let scan = submission.recorded(
            id: host.newEventID(), site: site, device: submission.device ?? DeviceID("anonymous"))
        let isLate = Lateness.isLate(at: scan.correctedAt, arrivedAt: received, newest: nil)
        return .json(await locating.position(scan, isLate: isLate).json)
    }

    /// The device that is asked for; a device's token asks for its own only.
    private func deviceFilter(
        _ request: HTTPRequest, _ site: SiteID
    ) throws(Problem) -> String? {
        let asked = request.firstQuery("device")
        switch try request.reach(at: site) {
        case .everybody: return asked
        case .buildings: throw Problem.buildingNotYours
        case .device(let own):
            guard asked == nil || asked == own.text else { throw Problem.deviceNotYours }
            return own.text
        }
    }
}
