import Events
import HTTP
import Magnetic
import Postgres
import ServiceHost
import Site
import Wire

/// /v1/magnetic-routes: surveyors record routes, validate and delete them.
struct MagneticRouteRoutes: Sendable {
    /// The most bytes of a walk: 6,000 samples with gravity are about 400 kB.
    private static let bodyLimit = 1_000_000

    let sites: SiteDirectory
    let clock: EventClock
    let store: MagneticRouteStore

    var all: [Route] {
        [
            Route(
                .post, "/v1/magnetic-routes",
                maximumBodyBytes: Self.bodyLimit, handler: .task { try await record($0) }),
            Route(
                .get, "/v1/magnetic-routes",
                handler: .task { try await list($0) }),
            Route(
                .get, "/v1/magnetic-routes/{id}",
                handler: .task { try await one($0) }),
            Route(
                .delete, "/v1/magnetic-routes/{id}",
                handler: .task { try await delete($0) }),
            Route(
                .post, "/v1/magnetic-routes/{id}/validations",
                maximumBodyBytes: Self.bodyLimit, handler: .task { try await validate($0) }),
        ]
    }

    private func record(_ request: HTTPRequest) async throws -> HTTPResponse {
        let submission = try request.read(MagneticRouteSubmission.init(json:))
        let site = try sites.site(of: request, named: submission.site)
        guard sites.isReady else { throw Problem.starting }
        guard let published = sites[whole: site] else { throw Problem.siteUnknown(site) }
        guard published.index.floor(submission.floor) != nil else {
            throw Problem(.floorUnknown, "The site has no floor \(submission.floor).")
        }
        try published.index.checkIsNear(submission.polyline)
        let state = try await store.state(site, submission.id)
        let event: MagneticRouteRecorded?
        do throws(MagneticRouteRefusal) {
            event = try state.record(
                floor: submission.floor, polyline: submission.polyline, walk: submission.walk,
                at: clock.now, latitude: published.index.document.originLatitude)
        } catch {
            throw error.problem
        }
        guard let event else { return try await answer(site, submission.id, status: 200) }
        guard try await store.put(event, source: MapBuilder.source) else { throw Self.changed }
        return try await answer(site, submission.id, status: 201)
    }

    private func validate(_ request: HTTPRequest) async throws -> HTTPResponse {
        let submission = try request.read(MagneticWalkSubmission.init(json:))
        let site = try sites.site(of: request, named: submission.site)
        let route = try Self.route(of: request)
        let state = try await store.state(site, route)
        let event: MagneticRouteValidated?
        do throws(MagneticRouteRefusal) {
            event = try state.validate(by: submission.walk, at: clock.now)
        } catch {
            throw error.problem
        }
        guard let event else { return try await answer(site, route, status: 200) }
        guard try await store.put(event, source: MapBuilder.source) else { throw Self.changed }
        return try await answer(site, route, status: 201)
    }

    private func delete(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let route = try Self.route(of: request)
        let event: MagneticRouteDeleted
        let state = try await store.state(site, route)
        do throws(MagneticRouteRefusal) {
            event = try state.delete(at: clock.now)
        } catch {
            throw error.problem
        }
        guard try await store.put(event, source: MapBuilder.source) else { throw Self.changed }
        return HTTPResponse(status: 204)
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let page = try Page(request, limit: 1_000)
        let site = try sites.site(of: request)
        let rows = try await store.rows(site, after: page.after, limit: page.limit)
        try await sites.checkIsKnown(site, hasRows: !rows.isEmpty || !page.after.isEmpty)
        return page.response(try rows.map(listed))
    }

    private func one(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        return try await answer(site, try Self.route(of: request), status: 200)
    }

    private func answer(
        _ site: SiteID, _ route: MagneticRouteID, status: Int
    ) async throws -> HTTPResponse {
        guard let row = try await store.row(site, route) else {
            throw MagneticRouteRefusal.unknown.problem
        }
        return .json(try listed(row).json, status: status)
    }

    private func listed(_ row: PostgresRow) throws -> ListedMagneticRoute {
        let stage: String = try row["state"]
        let validatedAt: Int64? = try row["validated_at"]
        let isValid = stage == MagneticRouteState.Stage.valid.rawValue
        let expiresAt = (isValid ? validatedAt : nil).map {
            MagneticRouteState.expiry(validatedAt: Timestamp(microseconds: $0))
        }
        return ListedMagneticRoute(
            id: try row["id"], version: try row["version"],
            state: expiresAt.map { $0 <= clock.now } ?? false ? "expired" : stage,
            floor: try row["floor"], polyline: try row["polyline"], samples: try row["samples"],
            recordedAt: Timestamp(microseconds: try row["recorded_at"]),
            validation: try row["validation"], expiresAt: expiresAt)
    }

    private static func route(of request: HTTPRequest) throws(Problem) -> MagneticRouteID {
        guard let route = MagneticRouteID(validating: request.parameters["id"] ?? "") else {
            throw MagneticRouteRefusal.unknown.problem
        }
        return route
    }

    private static let changed = Problem(
        .magneticRouteChanged, "Somebody else has changed the route: send it again.")
}

extension MagneticRouteRefusal {
    fileprivate var problem: Problem {
        switch self {
        case .unknown:
            Problem(
                .magneticRouteUnknown,
                "There is no such route; record it with POST /v1/magnetic-routes.")
        case .unusable(let fault):
            Problem(.magneticWalkUnusable, "\(fault).")
        }
    }
}
