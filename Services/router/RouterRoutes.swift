import Events
import Geometry
import HTTP
import ServiceHost
import Site
import Wayfinding
import Wire

/// /v1/routes and /v1/guidance.
struct RouterRoutes: Sendable {
    private static let bodyLimit = 16_384

    let sites: SiteDirectory
    let networks: RouteNetworks
    let outages: Outages
    let places: PlaceFinder
    let clock: EventClock

    var all: [Route] {
        [
            Route(
                .post, "/v1/routes", maximumBodyBytes: Self.bodyLimit,
                handler: .task { try await route($0) }),
            Route(
                .post, "/v1/guidance", maximumBodyBytes: Self.bodyLimit,
                handler: .task { try await guide($0) }),
        ]
    }

    private func route(_ request: HTTPRequest) async throws -> HTTPResponse {
        let submission = try request.read(RouteSubmission.init(json:))
        let format = try request.accepted(RouteFormat.self, "Routes")
        let (site, outages) = try ready(request, submission.site)
        let from = try await places.find(
            submission.from.map { [$0] } ?? [], at: site, for: request)
        let question = try await question(submission, from: from, site: site, request)
        let answer = site.finder.answer(question.query, outages: outages)
        let document = try RouteDocument(question, at: site, answer: answer)
        switch format {
        case .json: return .json(document.json)
        case .geojson:
            return HTTPResponse(
                headers: [("content-type", format.rawValue)], body: .bytes(document.geojson))
        }
    }

    /// Answers with the next direction from the traveller's position, and with a new route when
    /// they have left theirs.
    private func guide(_ request: HTTPRequest) async throws -> HTTPResponse {
        let submission = try request.read(GuidanceSubmission.init(json:))
        let (site, outages) = try ready(request, submission.route.site)
        let here = try await places.find([submission.position], at: site, for: request)
        let from = try await places.find(
            [submission.route.from ?? submission.position], at: site, for: request)
        var question = try await question(submission.route, from: from, site: site, request)
        guard let place = here.places.first,
            let traveller = site.finder.traveller(
                at: place, headingDegrees: submission.headingDegrees,
                headingErrorDegrees: submission.headingErrorDegrees)
        else { throw Problem(.placeUnknown, "The site has no such floor.") }
        let follows = submission.route.from != nil
        let guided = site.finder.guide(
            traveller, at: place, along: question.query, follows: follows, now: clock.now,
            outages: outages, cardsWithinMetres: submission.cardsWithinMetres,
            mostCards: submission.mostCards)
        question.query = guided.query
        return .json(
            try GuidanceDocument(
                routes: RouteDocument(question, at: site, answer: guided.answer),
                guidance: guided.guidance, isNew: guided.isRerouted || !follows,
                isRerouted: guided.isRerouted
            ).json)
    }

    private func ready(
        _ request: HTTPRequest, _ named: SiteID?
    ) throws(Problem) -> (ReadySite, [WayOutage]) {
        let id = try sites.site(of: request, named: named)
        let site = try networks.ready(id)
        guard let outages = outages[id] else { throw .starting }
        return (site, outages)
    }

    private func question(
        _ submission: RouteSubmission, from: PlaceFinder.Found, site: ReadySite,
        _ request: HTTPRequest
    ) async throws -> RouteQuestion {
        guard from.places.count == 1, let start = from.places.first, start.isOnePlace else {
            throw Problem(
                .startAmbiguous, "from names one place: a room, a position or a point.")
        }
        let to = try await places.find(submission.to, at: site, for: request)
        return try RouteQuestion(
            submission, from: start, to: to, site: site, now: clock.now,
            acceptLanguage: request.header("accept-language"))
    }
}

/// The formats of a route, chosen by the request's Accept.
enum RouteFormat: String, CaseIterable {
    case json = "application/json"
    case geojson = "application/geo+json"
}
