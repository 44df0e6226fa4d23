import Events
import Geometry
import Wire

/// The parts of a visitor's page, as texts and links. It makes HTML from them, and asks nobody.
struct PageView: Sendable {
    /// One map, with the address of its picture.
    struct Map: Sendable {
        var title: String
        var address: String
    }

    /// The facts about a place, such as its floor and its opening hours.
    struct Card: Sendable {
        var name: String
        var facts: [(name: String, value: String)] = []
        var website: String?
        var telephone: String?
    }

    /// The way, or what there is in its place.
    enum Way: Sendable {
        case nothing
        case route(ShownRoute, from: String, to: String, clock: String)
        case none(reasons: [String])
        case routerIsAway
    }

    /// A field of the form, and its results to choose from.
    struct Field: Sendable {
        var text = ""
        var id = ""
        var choices: [(name: String, floor: String, address: String)] = []
        var isUnknown = false
    }

    let words: PageWords
    let site: String
    let siteName: String
    var from = Field()
    var to = Field()
    var here: String?
    var hereID = ""
    var profile = PageProfile.walking
    var way = Way.nothing
    var card: Card?
    var maps: [Map] = []
    /// The addresses of this page in the other languages.
    var languages: [(code: String, name: String, address: String)] = []

    var title: String {
        switch way {
        case .route(_, let from, let to, _):
            words("page.directions", ["from": from, "to": to]) + " · " + siteName
        default: words("page.title", ["site": siteName])
        }
    }

    var body: [HTML] {
        [.element("h1", [:], .text(siteName))] + hereParts + [form]
            + choices(from, "page.chooseFrom")
            + choices(to, "page.chooseTo") + wayParts + cardParts + mapParts + [languageLinks]
    }

    private var hereParts: [HTML] {
        guard let here else { return [] }
        return [
            .element(
                "p", ["class": "here"], .text(words("page.youAreHere", ["place": here])))
        ]
    }

    // MARK: The form

    private var form: HTML {
        let attributes: HTML.Attributes = [
            ("action", PageLink.own(["s", site])), ("method", "get"), ("class", "question"),
        ]
        let hidden = [
            ("lang", words.code), ("at", hereID), ("fromId", from.id), ("toId", to.id),
        ].filter { !$0.1.isEmpty }.map { name, value in
            HTML.element("input", ["type": "hidden", "name": name, "value": value])
        }
        let profile = HTML.element("label", [:], .text(words("page.profile")), profiles)
        let button = HTML.element("button", ["type": "submit"], .text(words("page.show")))
        let fields = [
            input("from", words("page.from"), from), input("to", words("page.to"), to), profile,
        ]
        let lines = (fields + [button]).map { HTML.element("div", [:], $0) }
        return .element("form", attributes, lines + hidden)
    }

    private func input(_ name: String, _ label: String, _ field: Field) -> HTML {
        .element(
            "label", [:], .text(label),
            .element(
                "input",
                [
                    "type": "text", "name": name, "value": field.text, "maxlength": "200",
                    "placeholder": words("page.placeHint"), "autocomplete": "off",
                ]))
    }

    private var profiles: HTML {
        .element(
            "select", [("name", "profile")],
            PageProfile.allCases.map { profile in
                let chosen: HTML.Attributes = profile == self.profile ? [("selected", "")] : []
                return .element(
                    "option", [("value", profile.rawValue)] + chosen,
                    [.text(words("page.profile.\(profile.rawValue)"))])
            })
    }

    private func choices(_ field: Field, _ question: String) -> [HTML] {
        if field.isUnknown {
            return [
                .element(
                    "p", ["class": "fault", "role": "alert"],
                    .text(words("page.nothing", ["text": field.text])))
            ]
        }
        guard !field.choices.isEmpty else { return [] }
        let items = field.choices.map { choice in
            HTML.element(
                "li", [:], .element("a", ["href": choice.address], .text(choice.name)),
                .text(choice.floor.isEmpty ? "" : " · \(choice.floor)"))
        }
        return [
            .element("h2", [:], .text(words(question, ["text": field.text]))),
            .element("ul", [("class", "choices")], items),
        ]
    }

    // MARK: The way

    private var wayParts: [HTML] {
        switch way {
        case .nothing: []
        case .routerIsAway:
            [.element("p", ["class": "fault", "role": "alert"], .text(words("page.routerAway")))]
        case .none(let reasons):
            [
                .element("h2", ["id": "directions"], .text(words("page.noRoute"))),
                .element(
                    "ul", [("class", "reasons")],
                    reasons.map { .element("li", [:], .text($0)) }),
            ]
        case .route(let route, let from, let to, let clock):
            [
                .element(
                    "h2", ["id": "directions"],
                    .text(words("page.directions", ["from": from, "to": to]))),
                .element(
                    "p", ["class": "summary"],
                    .text(
                        words(
                            "page.summary",
                            [
                                "metres": String(Int(route.metres.rounded())),
                                "minutes": String(max(1, Int((route.seconds / 60).rounded()))),
                                "time": clock,
                            ]))),
                .element(
                    "ol", [("class", "steps")],
                    route.steps.map { .element("li", [:], .text($0)) }),
            ]
        }
    }

    // MARK: The place and the maps

    private var cardParts: [HTML] {
        guard let card else { return [] }
        var facts = card.facts.flatMap { fact in
            [
                HTML.element("dt", [:], .text(fact.name)),
                HTML.element("dd", [:], .text(fact.value)),
            ]
        }
        if let telephone = card.telephone {
            facts += [
                .element("dt", [:], .text(words("page.telephone"))),
                .element("dd", [:], .text(telephone)),
            ]
        }
        if let website = card.website, let address = PageLink.foreign(website) {
            let link: HTML = .element(
                "a", ["href": address, "rel": "noopener noreferrer"], .text(website))
            facts += [
                .element("dt", [:], .text(words("page.website"))), .element("dd", [:], link),
            ]
        }
        return [
            .element(
                "section", ["class": "card"], .element("h2", [:], .text(card.name)),
                .element("dl", [], facts))
        ]
    }

    private var mapParts: [HTML] {
        maps.map { map in
            .element(
                "figure", [:],
                // With JavaScript the app draws the map, and must not wait for this one.
                .element(
                    "noscript", [:],
                    .element("img", ["src": map.address, "alt": map.title, "width": "800"])),
                .element("figcaption", [:], .text(map.title)))
        }
    }

    private var languageLinks: HTML {
        let links = languages.map { language -> HTML in
            language.code == words.code
                ? .element("li", ["aria-current": "true"], .text(language.name))
                : .element(
                    "li", [:],
                    .element(
                        "a",
                        [
                            "href": language.address, "hreflang": language.code,
                            "lang": language.code,
                        ], .text(language.name)))
        }
        return .element(
            "nav", ["class": "languages", "aria-label": words("page.language")],
            .element("ul", [], links))
    }
}

/// The travellers that the form offers, by the router's names.
enum PageProfile: String, Hashable, Sendable, CaseIterable {
    case walking
    case stepFreePreferred = "step-free-preferred"
    case stepFreeStrict = "step-free-strict"
    case wheelchair
}
