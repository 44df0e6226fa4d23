import Geometry
import HTTP
import Site
import Wire

/// The wishes in the address of a page.
struct PageWish: Sendable {
    let words: PageWords
    /// The language of names and directions: that of `?lang=`, also if pages have no words in it.
    let language: String
    let from: String
    let to: String
    /// The ids behind the names that the form showed.
    let fromID: String
    let toID: String
    /// Where the reader stands, from a QR code: `?at=`.
    let here: String
    let profile: PageProfile
    private let site: String
    private let lang: String

    init(_ request: HTTPRequest, words: PageWords) {
        self.words = words
        func value(_ name: String) -> String { request.firstQuery(name) ?? "" }
        let tag = value("lang")
        lang = LanguageTag.isOne(tag) ? tag : ""
        language = lang.isEmpty ? words.code : lang
        site = request.parameters["site"] ?? ""
        here = value("at")
        let isOnlyHere = value("from").trimmed.isEmpty && !value("to").trimmed.isEmpty
        from = isOnlyHere ? here : value("from")
        fromID = value("fromId")
        // The app's address names a room that is shown by `room`.
        to = value("to").isEmpty ? value("room") : value("to")
        toID = value("toId")
        profile = PageProfile(rawValue: value("profile")) ?? .walking
    }

    /// This page with another start, destination or language.
    func address(from: String? = nil, to: String? = nil, lang: String? = nil) -> String {
        PageLink.own(
            ["s", site],
            [
                ("from", from ?? self.from), ("to", to ?? self.to),
                ("profile", profile == .walking ? "" : profile.rawValue),
                ("lang", lang ?? self.lang), ("at", here),
                ("fromId", from == nil ? fromID : ""), ("toId", to == nil ? toID : ""),
            ])
    }

    /// The picture of a map with a way.
    ///
    /// - Parameter floor: nil for the outdoors.
    func map(floor: String?, _ points: [Point]) -> String {
        // Legs begin where the one before ended.
        let route = points.map { "\(tenths($0.x)),\(tenths($0.y))" }
            .reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        // Long ways are thinned out: an address has a limit.
        let step = route.count / HTTPRequest.mostRoutePoints + 1
        let thinned = route.indices.filter { $0 % step == 0 || $0 == route.count - 1 }
            .map { route[$0] }.suffix(HTTPRequest.mostRoutePoints)
        return PageLink.own(
            ["s", site, "map"],
            [
                ("floor", floor ?? ""), ("language", language),
                ("route", thinned.joined(separator: ";")), ("width", "800"),
            ])
    }

    private func tenths(_ metres: Double) -> String { String((metres * 10).rounded() / 10) }
}
