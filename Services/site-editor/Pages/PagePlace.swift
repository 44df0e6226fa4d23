import Events
import Geometry
import HTTP
import ServiceHost
import Site
import Wire

/// A place of a site, as a page names it.
struct PagePlace: Hashable, Sendable {
    /// As the router calls it: `room`, `location`, `directory`, `building`, `zone`, `floor`, or
    /// `kind` for the nearest place of a kind. `point` is a point of the map.
    var kind: String
    var id: String
    var name: String
    var floor: String?
    /// Nil for places without a point of their own.
    var point: Point?
    var question: RouteQuestionBody.Place
    /// Nil for points and kinds.
    var record: ShownRecord?

    init(_ kind: String, _ record: ShownRecord, name: String, point: Point?) {
        self.kind = kind
        id = record.id
        self.name = name
        floor = kind == "floor" ? record.id : record.floor
        self.point = point
        question = .record(kind: kind, id: record.id)
        self.record = record
    }

    /// The nearest place of a kind.
    init(kind: String, name: String) {
        self.kind = "kind"
        id = kind
        self.name = name
        question = .record(kind: "kind", id: kind)
    }

    /// A point of the map; `text` is its form in an address.
    init(
        _ text: String, name: String, floor: FloorRecord?, _ point: GeographicPoint, _ local: Point
    ) {
        kind = "point"
        id = text
        self.name = name
        self.floor = floor?.id.text
        self.point = local
        question = .point(point, level: floor?.level)
    }

    /// The place in an address: the id of a room, or else its kind and id.
    var text: String { kind == "room" || kind == "point" ? id : "\(kind):\(id)" }
}

/// The place that a reader typed or chose.
enum PageChoice: Sendable {
    case nothing
    case place(PagePlace)
    /// Several places have that name, or some have one like it; `isCut` if there are even more.
    case several([FoundPlace], isCut: Bool)
    /// Nobody knows the name.
    case unknown
    /// A link names a thing that the site has not, or has no more.
    case lost
}

extension PageReader {
    /// The kinds of place by their paths. An id is looked for in this order.
    private static let kinds = [
        ("room", "rooms"), ("directory", "directory"), ("building", "buildings"),
        ("zone", "zones"), ("floor", "floors"),
    ]
    private static let mostResults = 60
    private static let mostChoices = 40

    /// The place that a text stands for: an id, a place of the app's address, or a name.
    ///
    /// - Parameters:
    ///   - id: the id behind the name that the page's form showed before.
    ///   - isLink: whether the text is from a link, not typed. A name is then not looked for.
    ///   - isStart: whether the reader starts there. Nobody but they know at which lift they are,
    ///     so a kind's word finds no nearest place.
    func choice(
        _ text: String, id: String = "", isLink: Bool = false, isStart: Bool = false,
        _ names: PageNames
    ) async -> PageChoice {
        let text = String(text.prefix(200)).trimmed
        guard !text.isEmpty else { return .nothing }
        if let place = await place(id, names), place.name == text { return .place(place) }
        if let place = await place(text, names) { return .place(place) }
        guard !isLink, !Self.isLink(text) else { return .lost }
        let answer = await body(
            "/v1/sites/\(site)/search",
            [
                ("q", text), ("language", names.language), ("limit", String(Self.mostResults)),
            ])
        let results = answer.flatMap { try? FoundPlace.list(json: $0) } ?? []
        // A way leads to places; doors and stairs are only on the way.
        let places = withoutDoubles(results.filter { $0.kind != "connection" })
        // Where some have just this name, others with a name like it are no question.
        let exact = places.filter(\.isExact)
        let whole = exact.filter { $0.name.trimmed.lowercased() == text.lowercased() }
        // Places of just that name come before the nearest lift or the like. All that have the
        // word in their name come before other kinds. One without a name is found by its kind
        // alone.
        let named = exact.count { !$0.name.trimmed.isEmpty }
        let isSought = PageFiller.soughtKinds.contains(PlaceKind(text).base)
        let isNearest = named == 0 || isSought && named > 1 && whole.isEmpty
        if !isStart, isNearest, let nearest = nearest(text, names) { return .place(nearest) }
        let left = whole.count == 1 ? whole : exact.isEmpty ? places : exact
        // A name that is only similar is a question.
        if left.count == 1, left[0].isLike,
            let place = await place(left[0].id, kind: left[0].kind, names)
        {
            return .place(place)
        }
        return left.isEmpty
            ? .unknown
            : .several(
                Array(left.prefix(Self.mostChoices)),
                isCut: left.count > Self.mostChoices || results.count == Self.mostResults)
    }

    /// Whether the text has the form that links give to places. No name has it.
    private static func isLink(_ text: String) -> Bool {
        let kinds = Self.kinds.map(\.0) + ["kind", "location", "point"]
        return kinds.contains { text.hasPrefix($0 + ":") }
    }

    /// A room and the entry of the directory for it are one result: the room.
    private func withoutDoubles(_ found: [FoundPlace]) -> [FoundPlace] {
        guard let index else { return found }
        let rooms = Set(found.filter { $0.kind == "room" }.map { [$0.id, $0.name] })
        return found.filter { one in
            guard one.kind == "directory",
                let entry = index.document.directory.first(where: { $0.id.text == one.id }),
                entry.places.count == 1
            else { return true }
            let room: RoomID? =
                switch entry.places[0] {
                case .room(let id): id
                case .location(let id): index.location(id)?.room
                case .building, .floor, .zone: nil
                }
            return room.map { !rooms.contains([$0.text, one.name]) } ?? true
        }
    }

    /// The place of a text as the app's address has it.
    func place(_ text: String, _ names: PageNames) async -> PagePlace? {
        if let point = point(text, names) { return point }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return await place(text, kind: nil, names) }
        if parts[0] == "kind" {
            guard parts[1].utf8.count <= 64, names.has(kind: parts[1]) else { return nil }
            return nearest(kind: parts[1], names)
        }
        return await place(parts[1], kind: parts[0], names)
    }

    /// Kinds that are everywhere, and platforms, of which the nearest is seldom the right one.
    private static let vagueKinds: Set = [PlaceKind.corridor, PlaceKind.platform]

    /// The nearest place of a kind that the site has, for a word that stands for a kind.
    private func nearest(_ text: String, _ names: PageNames) -> PagePlace? {
        let kind = PlaceKind(text)
        guard kind.qualifiers.isEmpty, !Self.vagueKinds.contains(kind.base) else { return nil }
        return names.ownKind(kind).map { nearest(kind: $0, names) }
    }

    private func nearest(kind: String, _ names: PageNames) -> PagePlace {
        let asked = PlaceKind(kind)
        let known = asked.qualifiers.isEmpty ? words.text("nearest.\(asked.base)") : nil
        return PagePlace(
            kind: kind, name: known ?? words("place.nearest", ["kind": names.kind(kind)]))
    }

    func place(_ id: String, kind: String?, _ names: PageNames) async -> PagePlace? {
        guard SiteID(validating: id) != nil else { return nil }
        for (name, path) in Self.kinds where kind == nil || kind == name {
            guard let record = await record(path, id) else { continue }
            var place = PagePlace(
                name, record, name: shownName(record, name, names), point: point(of: record, name))
            if name == "directory", let only = names.onlyPlace(ofEntry: id) {
                (place.point, place.floor) = (only.point, only.floor?.text)
            }
            return place
        }
        return kind == nil || kind == "location" ? await location(id, names) : nil
    }

    /// The name of a record. Things without a name are called by their kind.
    private func shownName(_ record: ShownRecord, _ kind: String, _ names: PageNames) -> String {
        if kind == "floor", let floor = names.floor(record.id) { return floor }
        let name = record.shownName(in: names.language).trimmed
        guard name.isEmpty || name == record.id else { return name }
        switch kind {
        case "room": return index?.room(RoomID(record.id)).map(names.room) ?? record.id
        case "directory":
            return names.index.document.directory.first { $0.id.text == record.id }
                .map(names.entry) ?? record.id
        case "building": return names.building(BuildingID(record.id))
        default: return names.kind(kind)
        }
    }

    /// A point of the map: degrees, and the floor where it is inside.
    private func point(_ text: String, _ names: PageNames) -> PagePlace? {
        let form = #/(?:point:)?(-?\d{1,3}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)(?:,([\w.\-]{1,64}))?/#
        guard let match = text.wholeMatch(of: form), let latitude = Double(match.1),
            let longitude = Double(match.2), abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        let floor = match.3.flatMap { names.index.floor(FloorID(String($0))) }
        if match.3 != nil, floor == nil { return nil }
        let point = GeographicPoint(latitude: latitude, longitude: longitude)
        let name = "\(words("place.point")) (\(match.1), \(match.2))"
        return PagePlace(
            text, name: name, floor: floor, point, names.index.frame.point(point))
    }

    /// A location, with the name of its room if it has none. Its room, or else its floor, decides
    /// whether the reader may know of it.
    private func location(_ id: String, _ names: PageNames) async -> PagePlace? {
        guard let location = index?.location(LocationID(id)) else { return nil }
        let around =
            if let room = location.room {
                await record("rooms", room.text)
            } else {
                await record("floors", location.floor.text)
            }
        guard var record = around else { return nil }
        let isNamed = location.name != nil || !location.names.isEmpty
        if isNamed {
            (record.name, record.names) = (location.name, location.names.byLanguage)
        }
        record.id = id
        record.floor = location.floor.text
        return PagePlace(
            "location", record, name: record.shownName(in: names.language), point: location.point)
    }

    private func point(of record: ShownRecord, _ kind: String) -> Point? {
        guard let index else { return nil }
        switch kind {
        case "room":
            if let own = index.location(LocationID(record.id)), own.room?.text == record.id {
                return own.point
            }
            return index.room(RoomID(record.id)).flatMap { $0.outline.polygon?.centroid }
        case "building":
            return index.building(BuildingID(record.id)).flatMap {
                $0.outline.polygon?.centroid
            }
        default: return nil
        }
    }
}

extension String {
    /// Without spaces at its ends.
    var trimmed: String {
        let rest = drop { $0.isWhitespace }
        return String(rest.reversed().drop { $0.isWhitespace }.reversed())
    }
}
