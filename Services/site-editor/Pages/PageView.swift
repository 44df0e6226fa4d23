import Events
import Geometry
import Wire

/// The parts of a visitor's page, as texts and links. It makes HTML from them, and asks nobody.
struct PageView: Sendable {
    /// One map, with the address of its picture.
    struct Map: Sendable {
        var title: String
        var address: String
        /// Whether the picture is so large that it comes only when it is asked for.
        var isLarge = false
    }

    /// A heading with a list below it, such as the rooms of a floor.
    struct Section: Sendable {
        struct Item: Sendable {
            var name: String
            /// Nil for a name without a page.
            var address: String?
            var line = ""
            var isCurrent = false
        }

        var title: String
        /// 2, or 3 below a heading of 2.
        var level = 2
        var note: String?
        var items: [Item] = []
        /// A class of the style sheet.
        var style = ""
        /// A link below the list.
        var more: Item?
    }

    /// The facts about a place, such as its floor and its opening hours.
    struct Card: Sendable {
        var name: String
        var links: [Section.Item] = []
        var facts: [(name: String, value: String)] = []
        var website: String?
        var telephone: String?
    }

    /// The way, or what there is in its place.
    enum Way: Sendable {
        case nothing
        case route(ShownRoute, heading: String, clock: String, notes: [String])
        /// The reader is at the place already.
        case there(ShownRoute, name: String)
        case none(reasons: [String])
        case routerIsAway
    }

    /// A field of the form, and its results to choose from.
    struct Field: Sendable {
        var text = ""
        var id = ""
        var choices: [(name: String, line: String, address: String)] = []
        /// Whether there are more places of that name than `choices`.
        var isCut = false
        var isUnknown = false
        /// Whether the choices are only called something similar.
        var isGuess = false
    }

    let words: PageWords
    let site: String
    let siteName: String
    /// The page of the site without a question.
    let home: String
    var from = Field()
    var to = Field()
    /// The parts of the link that are not on the map, and what the reader can do.
    var notices: [String] = []
    var here: String?
    var hereID = ""
    var profile = PageProfile.walking
    /// Members that the form sends along.
    var hidden: [(name: String, value: String)] = []
    var way = Way.nothing
    var card: Card?
    /// The parts before the maps: lists that were asked for, timetables.
    var sections: [Section] = []
    var maps: [Map] = []
    /// The parts after the maps: the rooms of the floor, other floors, and other pages.
    var links: [Section] = []
    /// The addresses of this page in the other languages.
    var languages: [(code: String, name: String, address: String)] = []

    var title: String {
        switch way {
        case .route(_, let heading, _, _), .there(_, let heading): heading + " · " + siteName
        default: words("page.title", ["site": siteName])
        }
    }

    var body: [HTML] {
        [heading] + noticeParts + hereParts + [form]
            + choices(from, "page.chooseFrom") + choices(to, "page.chooseTo")
            + wayParts + cardParts + sections.flatMap(parts) + mapParts
            + links.flatMap(parts) + [words.languageLinks(languages, showsOwn: true)]
    }

    private var heading: HTML {
        .element(
            "h1", [:],
            .element("a", ["href": home], .text(siteName)))
    }

    private var noticeParts: [HTML] {
        notices.map { .element("p", ["class": "fault", "role": "alert"], .text($0)) }
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
        let members = [
            ("lang", words.code), ("at", hereID), ("fromId", from.id), ("toId", to.id),
        ]
        let hidden = (members + self.hidden).filter { !$0.1.isEmpty }.map { name, value in
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
                    [.text(words(profile.key))])
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
        let question = field.isGuess ? "page.meant" : question
        let items = field.choices.map { choice in
            HTML.element(
                "li", [:], .element("a", ["href": choice.address], .text(choice.name)),
                .text(choice.line.isEmpty ? "" : " · \(choice.line)"))
        }
        let more: [HTML] =
            field.isCut ? [.element("p", [:], .text(words("page.moreNames")))] : []
        return [
            .element(
                "h2", ["role": "alert"], .text(words(question, ["text": field.text]))),
            .element("ul", [("class", "choices")], items),
        ] + more
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
        case .there(let route, let name):
            wayHead(name, words("route.there"), notes: [route.shutEnd].compactMap(\.self))
        case .route(let route, let heading, let clock, let notes):
            wayHead(
                heading,
                words(
                    "page.summary",
                    [
                        "distance": words.distance(route.metres),
                        "duration": words.duration(route.seconds), "time": clock,
                    ]), notes: [route.shutEnd].compactMap(\.self) + notes)
                + [
                    .element(
                        "ol", [("class", "steps")],
                        route.steps.map { .element("li", [:], .text($0)) })
                ]
        }
    }

    private func wayHead(_ heading: String, _ summary: String, notes: [String]) -> [HTML] {
        [
            .element("h2", ["id": "directions"], .text(heading)),
            .element("p", ["class": "summary"], .text(summary)),
        ] + notes.map { .element("p", [:], .text($0)) }
    }
}

/// The travellers that the form offers, by the router's names.
enum PageProfile: String, Hashable, Sendable, CaseIterable {
    case walking
    case stepFreePreferred = "step-free-preferred"
    case stepFreeStrict = "step-free-strict"
    case wheelchair
    case byTouch = "by-touch"

    /// The key of its name, which is the app's where the app offers it.
    var key: String {
        self == .byTouch ? "page.profile.by-touch" : "profile.\(rawValue)"
    }
}
