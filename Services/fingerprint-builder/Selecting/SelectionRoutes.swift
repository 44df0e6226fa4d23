import Devices
import Events
public import HTTP
public import Positioning
public import ServiceHost
import Site
import Wire

/// /v1/sites/{site}/positioner: shows which positioners a site has, and changes them.
struct SelectionRoutes: Sendable {
    private static let bodyBytes = 8_192
    /// A selection may come as an answer, which has a history of a hundred selections.
    private static let answerBytes = 131_072

    let sites: SiteDirectory
    let clock: EventClock
    let security: SecurityLog
    let allowed: AllowedPositioners
    let store: SelectionStore

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/positioner",
                handler: .task { try await show($0) }),
            Route(
                .put, "/v1/sites/{site}/positioner", maximumBodyBytes: Self.answerBytes,
                handler: .task { try await put($0) }),
            Route(
                .post, "/v1/sites/{site}/positioner/promote", maximumBodyBytes: Self.bodyBytes,
                handler: .task { try await promote($0) }),
            Route(
                .post, "/v1/sites/{site}/positioner/back", maximumBodyBytes: Self.bodyBytes,
                handler: .task { try await goBack($0) }),
        ]
    }

    private func show(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        // A testers' site is located as the site whose draft it is.
        let owner = sites[whole: site]?.lender ?? site
        let rows = try await store.rows(of: owner)
        try await sites.checkIsKnown(owner, hasRows: !rows.isEmpty)
        return answer(owner, rows)
    }

    private func put(_ request: HTTPRequest) async throws -> HTTPResponse {
        let selection = try request.read(SelectionSubmission.init(json:)).selection
        return try await change(request) { [allowed] _ in
            try allowed.check(selection)
            return selection
        }
    }

    /// Serves a positioner from beside, and puts the one served so far in its place.
    private func promote(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = try request.read(PromotionSubmission.init(json:)).positioner
        return try await change(request) { [allowed] known in
            try allowed.promoting(name, in: known.first?.selection ?? PositionerSelection())
        }
    }

    /// Makes a former selection the present one.
    private func goBack(_ request: HTTPRequest) async throws -> HTTPResponse {
        // Without a body it is the selection before, as with an empty object.
        let revision =
            request.body.isEmpty ? nil : try request.read(ReturnSubmission.init(json:)).revision
        return try await change(request, isReturn: true) { [allowed] known in
            try allowed.former(revision, of: known)
        }
    }

    private func change(
        _ request: HTTPRequest, isReturn: Bool = false,
        _ change: @escaping @Sendable ([PositionerSelected]) throws -> PositionerSelection
    ) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard sites.isReady else { throw Problem.starting }
        guard let published = sites[whole: site] else { throw Problem.siteUnknown(site) }
        guard published.lender == nil else {
            throw Problem(
                .testersSite, "Select the positioners of the site whose draft testers see.")
        }
        let moment = clock.now
        let (rows, isNew) = try await store.select(
            at: site, by: request.caller?.id, at: moment
        ) { [allowed] known in
            let selection = try change(known)
            if selection != known.first?.selection ?? PositionerSelection() {
                try allowed.checkPace(
                    to: selection, of: known, isReturn: isReturn, at: moment)
            }
            return selection
        }
        if isNew, let newest = rows.first?.event {
            security.note(
                .positionerSelected, by: request,
                ["site": site.text, "revision": "\(newest.revision)"])
        }
        return answer(site, rows)
    }

    private func answer(_ site: SiteID, _ rows: [SelectionStore.Row]) -> HTTPResponse {
        let selection = allowed.allowed(rows.first?.event.selection ?? PositionerSelection())
        let document = SitePositioners(
            site: site, served: allowed.served(by: selection), beside: selection.beside,
            standard: allowed.standard, allowed: allowed.names,
            history: rows.map { SitePositioners.Selected($0.event, by: $0.by) })
        var response = HTTPResponse.json(document.json)
        response.headers.append(("cache-control", "no-store"))
        return response
    }
}

extension SelectionRefusal: ClientRefusal {
    public var problem: Problem {
        switch self {
        case .notAllowed(let name, let allowed):
            Problem(
                .positionerNotAllowed,
                "\(name.prefix(64)) is none of those that the operator allows: "
                    + "\(allowed.joined(separator: ", ")).")
        case .namedTwice(let name):
            Problem(.positionersUnusable, "\(name.prefix(64)) is named twice.")
        case .tooManyBeside:
            Problem(
                .positionersUnusable,
                "At most \(PositionerSelection.mostBeside) positioners are beside the served one.")
        case .notBeside(let name):
            Problem(
                .positionerNotBeside, "\(name.prefix(64)) is not beside the served positioner.")
        case .noFormer(let revision):
            Problem(
                .selectionUnknown,
                revision.map { "The history has no selection \($0)." }
                    ?? "The site has had no other selection.")
        case .tooMany(let count, let seconds):
            Problem(
                .tooManySelections,
                "The site's positioners were changed \(count) times within an hour. The default "
                    + "is always permitted: PUT {}.",
                retryAfterSeconds: seconds)
        }
    }
}
