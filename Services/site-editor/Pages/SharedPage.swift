import Events
import Geometry
import HTTP
import Site
import Wire

/// `/s/{site}?shared=SECRET`: where somebody is who shares it, as text and on a drawn map. Where
/// JavaScript runs, the app shows the dot.
struct SharedPage: Sendable {
    let words: PageWords
    let site: String
    let siteName: String
    /// Nil where nothing is shared by the link any more.
    let share: ShownShare?
    /// Whether the service asks to wait.
    var isBusy = false
    var floor: String?
    var room: String?
    /// The address of the map's picture.
    var map: String?
    /// The addresses of this page, in this and the other languages.
    var again: String
    var languages: [(code: String, name: String, address: String)] = []

    var title: String { words("page.shared") + " · " + siteName }

    var body: [HTML] {
        var parts: [HTML] = [
            .element("h1", [:], .text(siteName)),
            .element("h2", [:], .text(words("page.shared"))),
        ]
        parts += sentences.map { .element("p", ["class": "summary"], .text($0)) }
        if let map {
            let alternative = words("page.mapOf", ["floor": floor ?? words("page.outdoors")])
            parts.append(
                .element(
                    "figure", [:],
                    .element(
                        "noscript", [:],
                        .element("img", ["src": map, "alt": alternative, "width": "800"])),
                    .element("figcaption", [:], .text(alternative))))
        }
        if share != nil || isBusy {
            parts.append(link(again, words("page.shared.again")))
        }
        return parts + [
            link(PageLink.own(["s", site], [("lang", words.code)]), words("page.shared.map")),
            words.languageLinks(languages, showsOwn: false),
        ]
    }

    private func link(_ address: String, _ text: String) -> HTML {
        .element("p", [:], .element("a", ["href": address], .text(text)))
    }

    // MARK: Sentences

    private var sentences: [String] {
        if isBusy { return [words("page.shared.busy")] }
        guard let share else { return [words("page.shared.over")] }
        let left = words("page.shared.left", ["minutes": minutes(max(60, share.secondsLeft))])
        guard let age = share.ageSeconds else { return [words("page.shared.none"), left] }
        let seen =
            age < 60
            ? words("page.shared.now") : words("page.shared.ago", ["minutes": minutes(age)])
        return [place(share), seen, left]
    }

    private func minutes(_ seconds: Int) -> String { String(seconds / 60) }

    private func place(_ share: ShownShare) -> String {
        if share.isInStaffArea {
            return floor.map { words("page.shared.staffOn", ["floor": $0]) }
                ?? words("page.shared.staff")
        }
        guard let state = share.state, state != "lost", let place = share.place else {
            return words("page.shared.unknown")
        }
        let metres = String(max(1, Int((share.radiusMetres ?? 5).rounded())))
        guard let floor else {
            return words(
                "page.shared.point",
                [
                    "latitude": degrees(place.latitude), "longitude": degrees(place.longitude),
                    "metres": metres,
                ])
        }
        guard state == "located" else { return words("page.shared.probably", ["floor": floor]) }
        guard let room else {
            return words("page.shared.floor", ["floor": floor, "metres": metres])
        }
        return words("page.shared.room", ["room": room, "floor": floor, "metres": metres])
    }

    /// Degrees to a metre, about.
    private func degrees(_ value: Double) -> String {
        String((value * 100_000).rounded() / 100_000)
    }
}

extension VisitorRoutes {
    /// The page of a link to a shared position.
    func sharedPage(
        _ secret: String, _ request: HTTPRequest, _ reader: PageReader, siteName: String
    ) async -> HTTPResponse {
        let (site, words) = (reader.site.text, reader.words)
        func address(_ lang: String) -> String {
            PageLink.own(["s", site], [("shared", secret), ("lang", lang)])
        }
        let answer = await reader.get(
            "/v1/sites/\(site)/shared-positions/\(PageLink.encoded(secret))")
        var share: ShownShare?
        if answer.status == 200, case .bytes(let bytes) = answer.body {
            share = ShownShare(json: bytes)
        }
        var page = SharedPage(
            words: words, site: site, siteName: siteName, share: share,
            isBusy: answer.status == 429 || answer.status >= 500,
            again: address(request.firstQuery("lang") ?? ""))
        let wish = PageWish(request, words: words)
        if let index = reader.index {
            let names = PageNames(index: index, words: words, language: wish.language)
            page.floor = names.floor(share?.floor)
            page.room = (share?.room).flatMap { index.room(RoomID($0)) }.map(names.room)
            page.map = share?.place.map { wish.map(floor: share?.floor, [index.frame.point($0)]) }
        }
        page.languages = PageWords.all.map { ($0.code, $0("page.ownName"), address($0.code)) }
        var response = frame.answer(
            words, title: page.title, site: site, status: answer.status == 404 ? 404 : 200,
            body: page.body)
        response.headers.removeAll { $0.name == "cache-control" }
        response.headers.append(("cache-control", "no-store"))
        return response
    }
}
