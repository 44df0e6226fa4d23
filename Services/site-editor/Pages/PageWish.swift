import Geometry
import HTTP
import Site
import Wire

/// The wishes in the address of a page. They are those of the app's address, so that each of its
/// links opens to an equal page.
struct PageWish: Sendable {
    /// The panels of the app's address, and the list of floors.
    enum Panel: String, Sendable, CaseIterable {
        case directory, free, mine, floors, ear, camera, settings, live, pair, barriers

        /// The key of the sentence that says what of the panel needs JavaScript, and what can be
        /// done without. Nil for a panel that this page has itself.
        var notice: String? {
            switch self {
            case .directory, .free, .mine, .floors, .ear: nil
            case .camera: "page.noCamera"
            case .settings: "page.noSettings"
            case .live: "page.noLive"
            case .pair: "page.noPair"
            case .barriers: "page.noBarriers"
            }
        }
    }

    let words: PageWords
    /// The language of names and directions: that of `?lang=`, also if pages have no words in it.
    let language: String
    let from: String
    let to: String
    /// The ids behind the names that the form showed.
    let fromID: String
    let toID: String
    /// Where the reader stands, from a QR code: `?at=`, or a kiosk's `?kiosk=`.
    let here: String
    let floor: String
    let panel: Panel?
    let profile: PageProfile
    /// The word for a profile that there is not, such as a mistyped one.
    let unknownProfile: String?
    /// Whether the way begins where the reader is, which this page knows only from a code.
    let isFromHere: Bool
    /// Whether a link named the place that is shown by its id, so that nobody typed it.
    let isToLink: Bool
    /// Whether the file of "my data" is asked for.
    let isFile: Bool
    /// The member that names the place which is shown: `room`, `entry`, `building` or `point`.
    private let shown: (name: String, value: String)?
    private let site: String
    private let lang: String

    /// The kinds of place that members of the app's address name.
    private static let shownKinds = [
        ("room", ""), ("entry", "directory:"), ("building", "building:"), ("point", ""),
    ]

    init(_ request: HTTPRequest, words: PageWords) {
        self.words = words
        func value(_ name: String) -> String { request.firstQuery(name) ?? "" }
        let tag = value("lang")
        lang = LanguageTag.isOne(tag) ? tag : ""
        language = lang.isEmpty ? words.code : lang
        site = request.parameters["site"] ?? ""
        here = value("at").isEmpty ? value("kiosk") : value("at")
        floor = value("floor")
        panel = Panel(rawValue: value("panel"))
        isFile = value("as") == "json"
        shown = Self.shownKinds.first { !value($0.0).isEmpty }.map { ($0.0, value($0.0)) }
        let wanted = value("from").trimmed
        isFromHere =
            wanted == "here"
            || wanted.isEmpty && !value("to").trimmed.isEmpty && !here.isEmpty
        from = isFromHere ? here : value("from")
        fromID = value("fromId")
        let place = shown.map { shown in
            (Self.shownKinds.first { $0.0 == shown.name }?.1 ?? "") + shown.value
        }
        isToLink = value("to").isEmpty && place != nil
        to = value("to").isEmpty ? place ?? "" : value("to")
        toID = value("toId")
        let asked = value("profile").trimmed
        let known = PageProfile(rawValue: asked)
        profile = known ?? .walking
        unknownProfile = known == nil && !asked.isEmpty ? String(asked.prefix(64)) : nil
    }

    /// Whether a list is asked for, and neither a floor nor a place.
    var isList: Bool {
        switch panel {
        case .directory, .free, .mine, .floors: floor.isEmpty
        case .ear, .camera, .settings, .live, .pair, .barriers, nil: false
        }
    }

    /// Whether the steps for those who can't see are wanted.
    var isByEar: Bool { panel == .ear || profile == .byTouch }
    /// The router's name of the profile. Who goes by ear and has no other needs goes by touch.
    var routerProfile: String {
        isByEar && profile == .walking ? PageProfile.byTouch.rawValue : profile.rawValue
    }

    private var lasting: [(name: String, value: String)] {
        [("profile", profile == .walking ? "" : profile.rawValue), ("lang", lang), ("at", here)]
    }

    /// This page with another start, destination or language.
    func address(from: String? = nil, to: String? = nil, lang: String? = nil) -> String {
        let isFromThere = from == nil && !isFromHere
        var members: [(name: String, value: String)] = [
            ("from", from ?? (isFromHere ? "here" : self.from))
        ]
        if let shown, to == nil {
            members.append((shown.name, shown.value))
        } else {
            members.append(("to", to ?? self.to))
        }
        members += lasting.map { $0.name == "lang" ? ("lang", lang ?? $0.value) : $0 }
        members += [("floor", floor), ("panel", panel?.rawValue ?? "")]
        members += [("fromId", isFromThere ? fromID : ""), ("toId", to == nil ? toID : "")]
        return PageLink.own(["s", site], members)
    }

    /// Another page of the site. The language, the profile and where the reader is stay.
    func link(_ members: [(name: String, value: String)]) -> String {
        PageLink.own(["s", site], members + lasting)
    }

    /// The picture of a map with a way.
    ///
    /// - Parameters:
    ///   - floor: nil for the outdoors.
    ///   - around: the middle of the part that is drawn, and half its width in metres.
    func map(
        floor: String?, _ points: [Point], around: (middle: Point, metres: Double)? = nil
    ) -> String {
        // Legs begin where the one before ended.
        let route = points.map { "\(tenths($0.x)),\(tenths($0.y))" }
            .reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        // Long ways are thinned out: an address has a limit.
        let step = route.count / HTTPRequest.mostRoutePoints + 1
        let thinned = route.indices.filter { $0 % step == 0 || $0 == route.count - 1 }
            .map { route[$0] }.suffix(HTTPRequest.mostRoutePoints)
        let part = around.map {
            "\(tenths($0.middle.x)),\(tenths($0.middle.y)),\(tenths($0.metres))"
        }
        return PageLink.own(
            ["s", site, "map"],
            [
                ("floor", floor ?? ""), ("language", language),
                ("route", thinned.joined(separator: ";")), ("around", part ?? ""),
                ("width", "800"),
            ])
    }

    private func tenths(_ metres: Double) -> String { String((metres * 10).rounded() / 10) }
}
