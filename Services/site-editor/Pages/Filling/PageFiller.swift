import Directions
import Events
import Geometry
import HTTP
import Site
import Wire

/// Fills a page with what its address asks for.
struct PageFiller {
    let wish: PageWish
    let reader: PageReader
    let names: PageNames
    var view: PageView

    /// The kinds of which visitors look for the nearest one.
    static let nearestKinds = ["toilet", "lift", "entrance"]
    /// The kinds of which a word finds the nearest place in the app: those, and what the search
    /// knows no places of.
    static let soughtKinds =
        nearestKinds + [PlaceKind.stairs, PlaceKind.escalator, PlaceKind.ramp]
    /// The most maps of one way. A way over more floors shows the first ones.
    private static let mostMaps = 8
    /// A map outdoors with more connections takes megabytes.
    private static let mostConnections = 6_000

    var words: PageWords { wish.words }
    private var index: SiteIndex { names.index }

    mutating func fill() async {
        view.profile = wish.isByEar && wish.profile == .walking ? .byTouch : wish.profile
        if wish.isByEar, view.profile != .byTouch { view.hidden.append(("panel", "ear")) }
        await fillHere()
        let from = await reader.choice(
            wish.from, id: wish.fromID, isLink: wish.isFromHere, isStart: true, names)
        let to = await reader.choice(wish.to, id: wish.toID, isLink: wish.isToLink, names)
        let wish = wish
        view.from = field(from, wish.from) { wish.address(from: $0) }
        view.to = field(to, wish.to) { wish.address(to: $0) }
        fillNotices(from)
        switch (from, to) {
        case (.place(let from), .place(let to)): await show(from, to)
        case (.nothing, .place(let place)), (.place(let place), .nothing):
            await show(place, isStart: place.text == view.from.id)
        case (_, .place(let place)): await show(place, isStart: false)
        case (.several, _), (_, .several): break
        default:
            // A list that was asked for needs no map below it.
            if !wish.isList { await showFloor() }
        }
        await fillPanel()
        view.links += [floorLinks, moreLinks].flatMap(\.self)
    }

    // MARK: Where the reader is

    private mutating func fillHere() async {
        guard !wish.here.isEmpty else { return }
        guard let here = await reader.place(String(wish.here.prefix(200)), names) else {
            view.notices.append(words("page.lostHere"))
            return
        }
        view.here = here.name
        view.hereID = wish.here
    }

    private mutating func fillNotices(_ from: PageChoice) {
        if case .nothing = from, wish.isFromHere { view.notices.append(words("page.noHere")) }
        if !wish.floor.isEmpty, wish.floor != "outdoors", index.floor(FloorID(wish.floor)) == nil {
            view.notices.append(words("page.lostFloor"))
        }
        if let notice = wish.panel?.notice { view.notices.append(words(notice)) }
        guard let unknown = wish.unknownProfile else { return }
        func named(_ profile: PageProfile) -> String {
            "\(words(profile.key)) (\(profile.rawValue))"
        }
        view.notices.append(
            words(
                "profile.unknown",
                [
                    "profile": unknown, "shown": named(view.profile),
                    "profiles": PageProfile.allCases.map(named).joined(separator: "; "),
                ]))
    }

    // MARK: The form

    private mutating func field(
        _ choice: PageChoice, _ text: String, address: (String) -> String
    ) -> PageView.Field {
        var field = PageView.Field(text: text)
        switch choice {
        case .nothing: break
        case .unknown: field.isUnknown = true
        case .lost:
            field.text = ""
            // A place of the sign is named once, above.
            if !(wish.isFromHere && text == wish.here) {
                view.notices.append(words("page.lostPlace"))
            }
        case .place(let place): (field.text, field.id) = (place.name, place.text)
        case .several(let places, let isCut):
            field.isCut = isCut
            field.isGuess = !places.contains(where: \.isLike)
            field.choices = lines(places).map { place, line in
                let isRoom = place.kind == "room"
                return (
                    place.name, line, address(isRoom ? place.id : "\(place.kind):\(place.id)")
                )
            }
        }
        return field
    }

    /// Places with the lines that tell them apart: floor and building, else the kind. Twins on one
    /// floor say what is near.
    private func lines(_ found: [FoundPlace]) -> [(FoundPlace, String)] {
        let places = found.map { place in
            var named = place
            named.name = names.name(place)
            return named
        }
        let plain = places.map { place in
            let reference = names.reference(place)
            let floor = place.kind == "floor" ? nil : place.floors.first
            return names.floor(floor) ?? reference.flatMap(names.place)
                ?? words("page.kind.\(place.kind)")
        }
        var lines = plain
        let twins = places.enumerated().map { index, place in
            PageNames.Twin(
                name: place.name, line: plain[index], place: names.reference(place))
        }
        for (index, near) in names.near(amongTwins: twins).enumerated() {
            if let near { lines[index] += " · \(words("page.near", ["place": near]))" }
        }
        return Array(zip(places, lines))
    }

    // MARK: The way

    private mutating func show(_ from: PagePlace, _ to: PagePlace) async {
        switch await reader.route(from, to, wish) {
        case nil:
            view.way = .routerIsAway
            view.maps = maps(of: to)
        case .noRoute(let reasons):
            view.way = .none(reasons: reasons)
            view.maps = maps(of: to)
        case .route(let route) where route.isThere:
            view.way = .there(route, name: name(of: to, room: route.endRoom))
            view.maps = maps(of: to)
        case .route(let route):
            let clock = PageClock(zone: zone(of: nil), language: wish.language)
            view.way = .route(
                route, heading: heading(from, to, route), clock: clock.time(route.arriveAt),
                notes: notes(on: route))
            for line in route.lines.filter({ $0.points.count > 1 }).prefix(Self.mostMaps) {
                view.maps.append(map(of: line))
            }
        }
    }

    /// The facts that those on wheels or without steps have to know of a way, as in the app.
    private func notes(on route: ShownRoute) -> [String] {
        var notes: [String] = []
        let profile = wish.routerProfile
        if let metres = route.narrowestMetres, profile == PageProfile.wheelchair.rawValue {
            let centimetres = Int((min(metres, 1_000) * 100).rounded())
            notes.append(words("route.narrowest", ["width": String(centimetres)]))
        }
        let isOnFoot = [PageProfile.walking, .byTouch].map(\.rawValue).contains(profile)
        if route.hasUnknownFacts, !isOnFoot { notes.append(words("route.unchecked")) }
        return notes
    }

    /// The heading of a way. "Nearest lift" fits into no sentence of all languages, so it stands
    /// alone where no room was chosen.
    private func heading(_ from: PagePlace, _ to: PagePlace, _ route: ShownRoute) -> String {
        let start = name(of: from, room: route.startRoom)
        let end = name(of: to, room: route.endRoom)
        let isNearest =
            from.kind == "kind" && start == from.name || to.kind == "kind" && end == to.name
        return isNearest
            ? "\(end) · \(words("page.from")): \(start)"
            : words("page.directions", ["from": start, "to": end])
    }

    /// The name of a way's end. Where several places were asked for, such as all toilets, it is
    /// that of the chosen one.
    private func name(of place: PagePlace, room: String?) -> String {
        guard place.kind != "room", place.kind != "point", place.kind != "location",
            let id = room, let room = index.room(RoomID(id))
        else { return place.name }
        let name = names.room(room)
        let floor = names.floor(room.floor.text)
        let asked = place.kind == "kind" || name == place.name ? nil : place.name
        return [asked, name, floor].compactMap(\.self).joined(separator: ", ")
    }

    private func map(of line: ShownRoute.Line) -> PageView.Map {
        let floor = names.floor(line.floor)
        let title = words(
            "page.mapWithRoute", ["floor": floor ?? words("page.outdoors")])
        guard line.floor == nil, let box = BoundingBox(line.points) else {
            return PageView.Map(title: title, address: wish.map(floor: line.floor, line.points))
        }
        let (low, high) = (box.minimum, box.maximum)
        let middle = Point(x: (low.x + high.x) / 2, y: (low.y + high.y) / 2)
        let half = max(high.x - low.x, high.y - low.y) / 2
        return PageView.Map(
            title: title,
            address: wish.map(
                floor: nil, line.points, around: (middle, min(10_000, max(60, half + 30)))),
            isLarge: isLargeOutdoors)
    }

    private var isLargeOutdoors: Bool {
        index.document.connections.count > Self.mostConnections
    }

    // MARK: Maps and times

    func maps(of place: PagePlace) -> [PageView.Map] {
        let points = place.point.map { [$0] } ?? []
        if let floor = place.floor, let title = names.floor(floor) {
            return [
                PageView.Map(
                    title: words("page.mapOf", ["floor": title]),
                    address: wish.map(floor: floor, points))
            ]
        }
        guard let point = place.point else { return [] }
        return [
            PageView.Map(
                title: words("page.mapOf", ["floor": words("page.outdoors")]),
                address: wish.map(floor: nil, points, around: (point, 150)),
                isLarge: isLargeOutdoors)
        ]
    }

    /// The map outdoors as a whole.
    var mapOutdoors: PageView.Map {
        PageView.Map(
            title: words("page.mapOf", ["floor": words("page.outdoors")]),
            address: wish.map(floor: nil, []), isLarge: isLargeOutdoors)
    }

    /// The time zone of a floor's building, else of any building.
    func zone(of floor: String?) -> String? {
        let own = floor.flatMap { index.floor(FloorID($0)) }.flatMap {
            index.building($0.building)
        }
        return (own ?? index.document.buildings.first)?.timeZone
    }
}
