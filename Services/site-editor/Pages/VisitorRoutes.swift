import Events
import HTTP
import ServiceHost
import Site
import Wire

/// `/` and `/s/{site}`: the pages of visitors, complete without JavaScript. Where JavaScript runs,
/// the app takes their place.
struct VisitorRoutes: Sendable {
    let services: PageServices
    let frame: PageFrame

    var all: [Route] {
        [
            Route(.get, "/", handler: .task { try await list($0) }),
            Route(.get, "/s/{site}", handler: .task { try await page($0) }),
            Route(.get, "/s/{site}/map", handler: .task { try await map($0) }),
        ]
    }

    // MARK: The sites

    /// The sites that the reader may see. If there is only one, it is shown at once.
    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let reader = try PageReader(request, site: SiteID(""), services: services)
        let words = PageWords.words(for: request)
        let answer = await reader.body("/v1/sites")
        let sites = answer.flatMap { try? ShownRecord.list("sites", json: $0) } ?? []
        let lang = request.firstQuery("lang") ?? ""
        if sites.count == 1 {
            return HTTPResponse(
                status: 302,
                headers: [
                    ("location", PageLink.own(["s", sites[0].id], [("lang", lang)])),
                    ("cache-control", "private, no-cache"), ("vary", "accept-language, cookie"),
                ])
        }
        let items = sites.map { site in
            HTML.element(
                "li", [:],
                .element(
                    "a", ["href": PageLink.own(["s", site.id], [("lang", lang)])],
                    .text(site.shownName(in: lang.isEmpty ? words.code : lang))))
        }
        let none: [HTML] = [
            .element("p", [:], .text(words("page.noSites"))), signIn(words, back: "/"),
        ]
        return frame.answer(
            words, title: words("page.sites"), site: nil,
            body: [.element("h1", [:], .text(words("page.sites")))]
                + (sites.isEmpty ? none : [.element("ul", [("class", "choices")], items)]))
    }

    private func signIn(_ words: PageWords, back: String) -> HTML {
        .element(
            "p", [:],
            .element(
                "a", ["href": PageLink.own(["sign-in"], [("return", back)])],
                .text(words("page.signIn"))))
    }

    // MARK: One site

    private func page(_ request: HTTPRequest) async throws -> HTTPResponse {
        let words = PageWords.words(for: request)
        let name = request.parameters["site"] ?? ""
        guard let site = SiteID(validating: name) else { return unknown(name, words) }
        let reader = try PageReader(request, site: site, services: services)
        let answer = await reader.body("/v1/sites")
        let sites = answer.flatMap { try? ShownRecord.list("sites", json: $0) } ?? []
        guard let shown = sites.first(where: { $0.id == site.text }) else {
            return unknown(name, words)
        }
        let wish = PageWish(request, words: words)
        if let secret = request.firstQuery("shared"), !secret.isEmpty {
            return await sharedPage(
                secret, request, reader, siteName: shown.shownName(in: wish.language))
        }
        var view = PageView(
            words: words, site: site.text, siteName: shown.shownName(in: wish.language),
            home: wish.link([]))
        var kinds: [String] = []
        if let index = reader.index {
            let names = PageNames(index: index, words: words, language: wish.language)
            if wish.isFile, wish.panel == .mine { return PageFiller.keptData(reader) }
            var filler = PageFiller(wish: wish, reader: reader, names: names, view: view)
            await filler.fill()
            view = filler.view
            kinds = PageFiller.soughtKinds.filter(names.has(kind:))
        }
        view.languages = PageWords.all.map { language in
            (language.code, language("page.ownName"), wish.address(lang: language.code))
        }
        return frame.answer(
            words, title: view.title, site: site.text, kinds: kinds,
            languages: view.languages.map { ($0.code, $0.address) }, body: view.body)
    }

    private func unknown(_ site: String, _ words: PageWords) -> HTTPResponse {
        let text = words("page.unknownSite", ["site": String(site.prefix(64))])
        return frame.answer(
            // The app may have a link to the site, whose secret a browser does not send here.
            words, title: text, site: SiteID(validating: site)?.text, status: 404,
            body: [
                .element("h1", [:], .text(text)),
                signIn(words, back: PageLink.own(["s", site])),
            ])
    }

    // MARK: The maps of pages

    /// The map of a floor, or of the outdoors, as the page's pictures ask for it: also without a
    /// cookie.
    private func map(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.parameters["site"] ?? ""
        guard let site = SiteID(validating: name) else { throw Problem.siteUnknown(SiteID(name)) }
        let reader = try PageReader(request, site: site, services: services)
        var query: [(name: String, value: String)] = []
        for name in ["language", "route", "around", "width"] {
            if let value = request.firstQuery(name) { query.append((name, value)) }
        }
        var headers = ["accept": "image/svg+xml"]
        headers["if-none-match"] = request.header("if-none-match")
        let path: String
        if let floor = request.firstQuery("floor") {
            guard SiteID(validating: floor) != nil else {
                throw Problem(other: .floorUnknown, "A floor's id has 1 to 64 of A-Z a-z 0-9 . _ -")
            }
            path = "/v1/sites/\(site)/floors/\(floor)/map"
        } else {
            path = "/v1/sites/\(site)/map"
        }
        let answer = await reader.get(path, query, headers: headers)
        // As on the page: who may not see the site does not learn that there is one.
        guard answer.status != 401, answer.status != 403 else { throw Problem.siteUnknown(site) }
        return answer
    }
}
