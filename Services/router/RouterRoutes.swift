import Events
import Geometry
import HTTP
import ServiceHost
import Site
import Wayfinding
import Wire

/// /v1/routes, /v1/travel-times, /v1/guidance and the networks to take along.
struct RouterRoutes: Sendable {
    private static let bodyLimit = 16_384
    /// 1,000 ids of 64 characters, and the rest of a request.
    private static let roomsLimit = 98_304

    let sites: SiteDirectory
    let networks: RouteNetworks
    let outages: Outages
    let places: PlaceFinder
    let clock: EventClock
    private let handed = HandedNetworks()

    init(
        sites: SiteDirectory, networks: RouteNetworks, outages: Outages, places: PlaceFinder,
        clock: EventClock
    ) {
        self.sites = sites
        self.networks = networks
        self.outages = outages
        self.places = places
        self.clock = clock
    }

    var all: [Route] {
        [
            Route(
                .post, "/v1/routes", maximumBodyBytes: Self.bodyLimit,
                handler: .task { try await route($0) }),
            Route(
                .post, "/v1/travel-times", maximumBodyBytes: Self.roomsLimit,
                handler: .task { try await times($0) }),
            Route(
                .post, "/v1/guidance", maximumBodyBytes: Self.bodyLimit,
                handler: .task { try await guide($0) }),
            Route(
                .get, "/v1/sites/{site}/network", handler: .task { try await network($0) }),
        ]
    }

    private func route(_ request: HTTPRequest) async throws -> HTTPResponse {
        let submission = try request.read(RouteSubmission.init(json:))
        let format = try request.accepted(RouteFormat.self, "Routes")
        let (site, outages) = try ready(request, submission.site)
        let from = try await places.find(
            submission.from.map { [$0] } ?? [], at: site, for: request)
        let question = try await question(
            submission, from: from, site: site, request, isFromAny: true)
        let answer = site.finder.answer(question.query, outages: outages)
        let document = try RouteDocument(question, at: site, answer: answer)
        switch format {
        case .json: return .json(document.json)
        case .geojson:
            return HTTPResponse(
                headers: [("content-type", format.rawValue)], body: .bytes(document.geojson))
        }
    }

    /// Answers with the time and length of the way to each of many rooms.
    private func times(_ request: HTTPRequest) async throws -> HTTPResponse {
        let submission = try request.read(TravelTimesSubmission.init(json:))
        let (site, outages) = try ready(request, submission.route.site)
        let from = try await places.find(
            submission.route.from.map { [$0] } ?? [], at: site, for: request)
        let question = try await question(submission.route, from: from, site: site, request)
        let query = TravelTimesQuery(
            from: question.query.from, to: submission.rooms, profile: question.query.profile,
            departAt: question.query.departAt, utcOffsetSeconds: question.query.utcOffsetSeconds)
        guard let times = site.finder.travelTimes(query, outages: outages) else {
            throw Problem(.routeMalformed, "That speed or pace is not possible.")
        }
        return .json(
            TravelTimesDocument(
                at: site.id, version: site.version, query: query, language: question.language,
                times: times
            ).json)
    }

    /// Answers with the network as the caller may see it, for searches without a connection.
    private func network(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try sites.site(of: request)
        let site = try networks.ready(id, for: request.reader(at: id))
        let building = request.firstQuery("building").map { BuildingID($0) }
        if let building, site.index.building(building) == nil {
            throw Problem(.buildingUnknown, "The site has no building \(building).")
        }
        // Networks of other buildings have the same tag, and other addresses.
        let tag = "\"\(site.version)-network-\(NetworkDocument.form)\(site.mark)\""
        let headers = [
            ("etag", tag), ("cache-control", "private, no-cache"),
            ("vary", "authorization, cookie"), ("content-type", "application/json"),
        ]
        if request.knows(tag) {
            return HTTPResponse(status: 304, headers: Array(headers.prefix(3)))
        }
        return HTTPResponse(
            headers: headers, body: .bytes(try await handed.file(of: site, building: building)))
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
        guard !question.query.to.isEmpty else {
            return .json(try cards(around: traveller, submission, question, at: site).json)
        }
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

    /// The rooms around, for a traveller without a destination.
    private func cards(
        around traveller: TravellerPosition, _ submission: GuidanceSubmission,
        _ question: RouteQuestion, at site: ReadySite
    ) throws(Problem) -> GuidanceDocument {
        GuidanceDocument(
            routes: try RouteDocument(question, at: site, answer: .found([])),
            guidance: site.finder.guidance(
                for: traveller, on: nil, cardsWithinMetres: submission.cardsWithinMetres,
                mostCards: submission.mostCards),
            isNew: false, isRerouted: false, hasDestination: false)
    }

    private func ready(
        _ request: HTTPRequest, _ named: SiteID?
    ) throws(Problem) -> (ReadySite, [WayOutage]) {
        let id = try sites.site(of: request, named: named)
        let site = try networks.ready(id, for: request.reader(at: id))
        guard let outages = outages[id] else { throw .starting }
        return (site, outages)
    }

    /// - Parameter isFromAny: whether the start may stand for several places. The way then begins
    ///   at the one from which it is shortest.
    private func question(
        _ submission: RouteSubmission, from: PlaceFinder.Found, site: ReadySite,
        _ request: HTTPRequest, isFromAny: Bool = false
    ) async throws -> RouteQuestion {
        guard from.places.count == 1, let start = from.places.first,
            isFromAny || start.isOnePlace
        else {
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
