import Directions
import Events
import Foundation
import Geometry
import HTTP
import ServiceHost
import Site
import Wire

/// `/` and `/s/{site}`: the pages of visitors, complete without JavaScript. Where JavaScript runs,
/// the app takes their place.
struct VisitorRoutes: Sendable {
    let services: PageServices
    let frame: PageFrame

    /// The most maps of one way. A way over more floors shows the first ones.
    private static let mostMaps = 8

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
                    .text(site.name ?? site.id)))
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
        if let secret = request.firstQuery("shared"), !secret.isEmpty {
            return await sharedPage(secret, request, reader, siteName: shown.name ?? site.text)
        }
        let wish = PageWish(request, words: words)
        var view = PageView(words: words, site: site.text, siteName: shown.name ?? site.text)
        await fill(&view, wish, reader)
        view.languages = PageWords.all.map { language in
            (language.code, language("page.ownName"), wish.address(lang: language.code))
        }
        return frame.answer(
            words, title: view.title, site: site.text,
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

    private func fill(_ view: inout PageView, _ wish: PageWish, _ reader: PageReader) async {
        let language = wish.language
        view.profile = wish.profile
        if let here = await reader.place(wish.here, language) {
            view.here = here.name
            view.hereID = here.id
        }
        let from = await reader.choice(wish.from, id: wish.fromID, language: language)
        let to = await reader.choice(wish.to, id: wish.toID, language: language)
        view.from = await field(from, wish.from, reader) { wish.address(from: $0) }
        view.to = await field(to, wish.to, reader) { wish.address(to: $0) }
        switch (from, to) {
        case (.place(let from), .place(let to)):
            await show(from, to, in: &view, wish, reader)
        case (.nothing, .place(let place)), (.place(let place), .nothing):
            await show(place, in: &view, wish, reader)
        default:
            if let here = await reader.place(view.hereID, language) {
                view.maps = await maps(of: here, wish, reader)
            } else if let floor = openingFloor(reader.index),
                let place = await reader.place(floor.text, kind: "floor", language)
            {
                view.maps = await maps(of: place, wish, reader)
            }
        }
    }

    private func field(
        _ choice: PageChoice, _ text: String, _ reader: PageReader,
        address: (String) -> String
    ) async -> PageView.Field {
        var field = PageView.Field(text: text)
        switch choice {
        case .nothing: break
        case .unknown: field.isUnknown = true
        case .place(let place): (field.text, field.id) = (place.name, place.id)
        case .several(let places):
            for place in places {
                let floor = place.kind == "floor" ? nil : place.floors.first
                field.choices.append(
                    (
                        place.name,
                        await level(floor, reader) ?? reader.words("page.kind.\(place.kind)"),
                        address(place.id)
                    ))
            }
        }
        return field
    }

    private func show(
        _ from: PagePlace, _ to: PagePlace, in view: inout PageView, _ wish: PageWish,
        _ reader: PageReader
    ) async {
        let answer = await reader.route(
            from, to, profile: wish.profile.rawValue, language: wish.language)
        switch answer {
        case nil:
            view.way = .routerIsAway
            view.maps = await maps(of: to, wish, reader)
        case .noRoute(let reasons):
            view.way = .none(reasons: reasons)
            view.maps = await maps(of: to, wish, reader)
        case .route(let route):
            let clock = await clock(route.arriveAt, reader)
            view.way = .route(route, from: from.name, to: to.name, clock: clock)
            for line in route.lines.filter({ $0.points.count > 1 }).prefix(Self.mostMaps) {
                let title = await level(line.floor, reader) ?? wish.words("page.outdoors")
                view.maps.append(
                    PageView.Map(
                        title: wish.words("page.mapWithRoute", ["floor": title]),
                        address: wish.map(floor: line.floor, line.points)))
            }
        }
    }

    /// One place alone: what is known of it, and its map.
    private func show(
        _ place: PagePlace, in view: inout PageView, _ wish: PageWish, _ reader: PageReader
    ) async {
        let words = wish.words
        var card = PageView.Card(name: place.name)
        if place.kind != "floor", let level = await level(place.floor, reader) {
            card.facts.append((words("page.floor"), level))
        }
        if let hours = place.record.openingHours {
            let spoken = DirectionLanguages.openingHours(hours, in: [wish.language])
            card.facts.append((words("page.hours"), spoken))
        }
        if place.kind == "room",
            let computers = await services.computers(
                reader.site, place.id, wish.language, reader.credentials)
        {
            card.facts.append((words("page.computers"), computers))
        }
        card.telephone = place.record.telephone
        card.website = place.record.website
        view.card = card
        view.maps = await maps(of: place, wish, reader)
    }

    /// The floor that the page opens on: one with rooms, at the entrance if there is one.
    private func openingFloor(_ index: SiteIndex?) -> FloorID? {
        guard let document = index?.document else { return nil }
        let rooms = document.rooms.reduce(into: [:]) { $0[$1.floor, default: 0] += 1 }
        return document.floors.filter { rooms[$0.id] != nil }.max { one, other in
            let (first, second) = (rooms[one.id] ?? 0, rooms[other.id] ?? 0)
            return (one.ordinal == 0 ? 1 : 0, first) < (other.ordinal == 0 ? 1 : 0, second)
        }?.id
    }

    private func maps(
        of place: PagePlace, _ wish: PageWish, _ reader: PageReader
    ) async -> [PageView.Map] {
        guard let floor = place.floor, let level = await level(floor, reader) else { return [] }
        return [
            PageView.Map(
                title: wish.words("page.mapOf", ["floor": level]),
                address: wish.map(floor: floor, place.point.map { [$0] } ?? []))
        ]
    }

    /// A floor as its sign reads, with its building where the site has several.
    func level(_ floor: String?, _ reader: PageReader) async -> String? {
        guard let floor, let record = await reader.record("floors", floor) else { return nil }
        let words = reader.words
        let sign = record.level ?? record.shownName(in: words.code)
        // A level that is a word, such as "Ground", needs no word before it.
        let level =
            record.names[words.code]
            ?? (sign.count <= 3 ? words("page.level", ["level": sign]) : sign)
        guard let index = reader.index, index.document.buildings.count > 1,
            let id = record.building, let building = await reader.record("buildings", id)
        else { return level }
        return "\(building.shownName(in: words.code)), \(level)"
    }

    /// The time as the site's clocks show it.
    private func clock(_ time: Timestamp, _ reader: PageReader) async -> String {
        let zone = reader.index?.document.buildings.first?.timeZone
        let offset =
            zone.flatMap(TimeZone.init(identifier:))?.secondsFromGMT(
                for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)) ?? 0
        let minute = (time.milliseconds / 60_000 + Int64(offset) / 60) % 1_440
        let (hours, minutes) = (minute / 60, minute % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    // MARK: The maps of pages

    /// The map of a floor, or of the outdoors, as the page's pictures ask for it: also without a
    /// cookie.
    private func map(_ request: HTTPRequest) async throws -> HTTPResponse {
        let name = request.parameters["site"] ?? ""
        guard let site = SiteID(validating: name) else { throw Problem.siteUnknown(SiteID(name)) }
        let reader = try PageReader(request, site: site, services: services)
        var query: [(name: String, value: String)] = []
        for name in ["language", "route", "width"] {
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
