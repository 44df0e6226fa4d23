import Access
import Barriers
import Events
import HTTP
import ServiceHost
import Site
import Wire

/// /v1/sites/{site}/barriers: anybody reports a barrier, and a second person or the staff confirms
/// it. Anybody may say that one that waits is gone, the first reporter, too.
struct BarrierRoutes: Sendable {
    /// Those who may report outages, with a grant for all buildings.
    private static let staff = RoleSet(.surveyor, .administratorOfSite, .administrator)

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let store: BarrierStore
    let quotas = BarrierQuotas()

    var all: [Route] {
        [
            Route(
                .post, "/v1/sites/{site}/barriers", maximumBodyBytes: 1_024,
                handler: .task { try await report($0) }),
            Route(
                .get, "/v1/sites/{site}/barriers",
                handler: .refusing { try await list($0) }),
            Route(
                .post, "/v1/sites/{site}/barriers/{id}/confirm", maximumBodyBytes: 1_024,
                handler: .task { try await confirm($0) }),
            Route(
                .post, "/v1/sites/{site}/barriers/{id}/deny", maximumBodyBytes: 1_024,
                handler: .task { try await deny($0) }),
            Route(
                .delete, "/v1/sites/{site}/barriers/{id}",
                handler: .task { try await dismiss($0) }),
        ]
    }

    private func report(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let seen = try sites.seen(site, by: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let submission = try request.read(BarrierSubmission.init(json:))
        let now = clock.now
        try quotas.spend(.report, caller, request.senderText, at: now)
        // A way that is not for the caller is answered like one that the site lacks.
        let connections = try BarrierGround(seen.index)
            .connections(at: submission.place, submission.kind)
        let order = BarrierStore.Order(
            connections: connections, kind: submission.kind, caller: caller.id,
            address: request.senderText, isByStaff: caller.has(Self.staff, inAllOf: site))
        let outcome = try await store.report(
            order, at: site, id: clock.newEventID(), moment: now)
        guard let (barrier, isNew) = outcome else {
            throw Problem(
                .tooManyOutages,
                "So many barriers from your address wait that no more may be reported.")
        }
        if isNew, barrier.state == .confirmed { note(.outageReported, barrier.id, by: request) }
        return .json(listed(barrier, for: caller).json, status: isNew ? 201 : 200)
    }

    /// The staff sees all; others those that wait, on ways that are for them. They close nothing,
    /// and ask who comes by.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let seen = try sites.seen(site, by: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let isStaff = caller.has(Self.staff, inAllOf: site)
        let shown = Set(seen.index.document.connections.map(\.id))
        let barriers = try await store.list(of: site, at: clock.now).filter {
            shown.contains($0.connection) && (isStaff || $0.state == .waiting)
        }
        return taggedByContent(
            ListAnswer.json(barriers.map { listed($0, for: caller) }), namesPeople: true)
    }

    private func confirm(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id, caller) = try decided(request)
        let barrier = try await store.confirm(
            id, at: site, by: caller.id, newID: clock.newEventID(), moment: clock.now)
        note(.outageReported, barrier.id, by: request)
        return .json(listed(barrier, for: caller).json, status: 200)
    }

    /// Somebody who comes by finds no barrier. It costs the caller as much as a report, and their
    /// address much more.
    private func deny(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id, caller) = try decided(request)
        let seen = try sites.seen(site, by: request)
        let now = clock.now
        try quotas.spend(.deny, caller, request.senderText, at: now)
        let shown = Set(seen.index.document.connections.map(\.id))
        let isStaff = caller.has(Self.staff, inAllOf: site)
        let left = try await store.deny(id, at: site, moment: now) {
            shown.contains($0.connection) && (isStaff || $0.state != .dismissed)
        }
        guard let left else { return HTTPResponse(status: 204) }
        return .json(listed(left, for: caller).json, status: 200)
    }

    private func dismiss(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, id, caller) = try decided(request)
        let hasEnded = try await store.dismiss(id, at: site, by: caller.id, moment: clock.now)
        if hasEnded { note(.outageEnded, id, by: request) }
        return HTTPResponse(status: 204)
    }

    private func decided(
        _ request: HTTPRequest
    ) throws(Problem) -> (site: SiteID, id: EventID, caller: Caller) {
        let site = try sites.site(of: request)
        _ = try sites.seen(site, by: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        let id = try request.id(of: "A barrier")
        return (site, id, caller)
    }

    private func listed(_ barrier: ReportedBarrier, for caller: Caller) -> ListedBarrier {
        ListedBarrier(barrier, isOwn: BarrierStore.isOwn(barrier, caller.id))
    }

    private func note(_ event: SecurityEvent, _ outage: EventID, by request: HTTPRequest) {
        security.note(event, by: request, ["outage": outage.description])
    }
}
