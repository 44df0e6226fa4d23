import Events
import HTTP
import ServiceHost
import Site
import Wire

/// The reader of a page, and what the API answers them.
///
/// A page is made from answers of the API to its reader, so it shows nothing that the API hides.
/// Answers of this service are asked for in memory, those of others over HTTP.
struct PageReader: Sendable {
    /// Header fields with the reader's token or session.
    let credentials: [(name: String, value: String)]
    let site: SiteID
    let words: PageWords
    let services: PageServices
    private let request: HTTPRequest

    /// - Throws: a `Problem` while no session can be begun.
    init(_ request: HTTPRequest, site: SiteID, services: PageServices) throws {
        self.site = site
        self.services = services
        self.request = request
        words = PageWords.words(for: request)
        if request.caller != nil {
            credentials = TokenDirectory.credentials(ofQuestionFor: request)
        } else {
            // A reader without a session gets one for this request alone: no cookie is needed.
            let session = try services.beginSession()
            credentials = [
                ("cookie", "\(TokenDirectory.sessionCookie)=\(session.text)"),
                ("x-change-token", session.changeToken),
            ]
        }
    }

    var now: Timestamp { services.clock.now }

    /// When the reader's session ends; nil for readers without one.
    var sessionEnds: Timestamp? { request.caller?.expiresAt }

    /// An answer about rooms and their times, from timetable-fetcher; nil where it has none.
    func times(_ path: String, _ query: [(name: String, value: String)]) async -> [UInt8]? {
        let parts = ["v1", "sites", site.text] + path.split(separator: "/").map(String.init)
        return await services.timetables(PageLink.own(parts, query), credentials)
    }

    /// The site as the reader may see it; nil if there is none.
    var index: SiteIndex? {
        services.sites.published(site, for: request.reader(at: site))?.index
    }

    /// This service's answer, as to a GET.
    func get(
        _ path: String, _ query: [(name: String, value: String)] = [],
        headers: [String: String] = [:]
    ) async -> HTTPResponse {
        let own = Dictionary(
            credentials.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return await services.own.handle(
            HTTPRequest(
                method: .get, path: path, query: query,
                headers: own.merging(headers) { first, _ in first }
            ).inTheName(of: request))
    }

    /// The body of an answer with status 200; nil for others.
    func body(
        _ path: String, _ query: [(name: String, value: String)] = []
    ) async -> [UInt8]? {
        let answer = await get(path, query)
        guard answer.status == 200, case .bytes(let bytes) = answer.body else { return nil }
        return bytes
    }

    /// A record of the site; nil where there is none that the reader may see.
    func record(_ kind: String, _ id: String) async -> ShownRecord? {
        await body("/v1/sites/\(site)/\(kind)/\(id)").flatMap { try? ShownRecord(json: $0) }
    }

    /// The best route, or the reasons why there is none; nil where the router does not answer.
    func route(_ from: PagePlace, _ to: PagePlace, _ wish: PageWish) async -> ShownRoute.Answer? {
        let question = RouteQuestionBody(
            site: site.text, from: from.question, to: to.question, profile: wish.routerProfile,
            language: wish.language, isSpoken: wish.isByEar)
        guard let answer = try? await services.askRouter(question.json, credentials) else {
            return nil
        }
        if answer.status == 200 { return try? ShownRoute.answer(json: answer.body) }
        guard answer.status < 500, answer.status != 429 else { return nil }
        let reason = AnsweredProblem(json: answer.body).detail
        return .noRoute(reasons: [reason].compactMap(\.self))
    }
}

/// The parts of the installation that pages need. Tests put functions in their place.
struct PageServices: Sendable {
    typealias Fields = [(name: String, value: String)]

    /// This service's own routes.
    let own: RequestHandler
    let sites: SiteDirectory
    let clock: EventClock
    /// Begins a session of a stranger.
    let beginSession: @Sendable () throws -> (text: String, changeToken: String)
    /// The router's answer to `POST /v1/routes`.
    let askRouter: @Sendable (_ body: [UInt8], Fields) async throws -> (status: Int, body: [UInt8])
    /// The answer of timetable-fetcher to a GET with status 200; nil for others.
    let timetables: @Sendable (_ path: String, Fields) async -> [UInt8]?
}
