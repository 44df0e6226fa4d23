import Events
import Geometry
import HTTP
import ServiceHost
import Site
import Wire

/// A place of a site, as a page names it.
struct PagePlace: Hashable, Sendable {
    /// As the router calls it: `room`, `location`, `directory`, `building`, `zone` or `floor`.
    var kind: String
    var record: ShownRecord
    var name: String
    /// Nil for places without a point of their own.
    var point: Point?

    var id: String { record.id }
    var asked: RouteQuestionBody.Place { .init(kind: kind, id: id) }
    var floor: String? { kind == "floor" ? id : record.floor }
}

/// The place that a reader typed or chose.
enum PageChoice: Sendable {
    case nothing
    case place(PagePlace)
    /// Several places have that name.
    case several([FoundPlace])
    case unknown
}

extension PageReader {
    /// The kinds of place by their paths. An id is looked for in this order.
    private static let kinds = [
        ("room", "rooms"), ("directory", "directory"), ("building", "buildings"),
        ("zone", "zones"), ("floor", "floors"),
    ]
    private static let mostResults = 12

    /// The place that a text stands for: an id, or a name.
    ///
    /// - Parameter id: the id behind the name that the page's form showed before.
    func choice(_ text: String, id: String = "", language: String) async -> PageChoice {
        let text = String(text.prefix(200)).trimmed
        guard !text.isEmpty else { return .nothing }
        if let place = await place(id, language), place.name == text { return .place(place) }
        if let place = await place(text, language) { return .place(place) }
        // The app writes the kinds of places other than rooms into its addresses.
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        if parts.count == 2, let place = await place(parts[1], kind: parts[0], language) {
            return .place(place)
        }
        let answer = await body(
            "/v1/sites/\(site)/search",
            [("q", text), ("language", language), ("limit", String(Self.mostResults))])
        let results = answer.flatMap { try? FoundPlace.list(json: $0) } ?? []
        // A way leads to places; doors and stairs are only on the way.
        let places = results.filter { $0.kind != "connection" }
        let exact = places.filter(\.isExact)
        if let only = places.count == 1 ? places.first : exact.count == 1 ? exact.first : nil,
            let place = await place(only.id, kind: only.kind, language)
        {
            return .place(place)
        }
        return places.isEmpty ? .unknown : .several(places)
    }

    func place(_ id: String, kind: String? = nil, _ language: String) async -> PagePlace? {
        guard SiteID(validating: id) != nil else { return nil }
        for (name, path) in Self.kinds where kind == nil || kind == name {
            guard let record = await record(path, id) else { continue }
            return PagePlace(
                kind: name, record: record, name: record.shownName(in: language),
                point: point(of: record, name))
        }
        return kind == nil || kind == "location" ? await location(id, language) : nil
    }

    /// A location, which has no page of the API for strangers. Its room, or else its floor, decides
    /// whether the reader may know of it.
    private func location(_ id: String, _ language: String) async -> PagePlace? {
        guard let location = index?.location(LocationID(id)) else {
            return nil
        }
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
            kind: "location", record: record, name: record.shownName(in: language),
            point: location.point)
    }

    private func point(of record: ShownRecord, _ kind: String) -> Point? {
        guard kind == "room", let index else { return nil }
        if let own = index.location(LocationID(record.id)), own.room?.text == record.id {
            return own.point
        }
        return index.room(RoomID(record.id)).flatMap { $0.outline.polygon?.centroid }
    }
}

extension String {
    /// Without spaces at its ends.
    var trimmed: String {
        let rest = drop { $0.isWhitespace }
        return String(rest.reversed().drop { $0.isWhitespace }.reversed())
    }
}
