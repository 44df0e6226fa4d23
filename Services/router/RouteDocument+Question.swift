import Events
import HTTP
import ServiceHost
import Wayfinding
import Wire

extension RouteDocument {
    /// - Throws: a `Problem` for a place that does not exist and for a malformed question.
    init(
        _ question: RouteQuestion, at site: ReadySite, answer: RouteAnswer
    ) throws(Problem) {
        switch answer {
        case .none(.unknownPlace(let place)):
            throw Problem(.placeUnknown, "The site has no \(place.words).")
        case .none(.malformed(let why)): throw Problem(.routeMalformed, "\(why).")
        case .found, .none: break
        }
        self.init(
            at: site.id, version: site.version, index: site.index, guide: site.guide,
            locations: site.locations, query: question.query, origins: question.origins,
            language: question.language, clock: question.clock,
            isSpoken: question.isSpoken, answer: answer)
    }
}

extension RoutePlace {
    /// The place as a problem names it.
    fileprivate var words: String {
        switch self {
        case .room(let id): "room \(id)"
        case .location(let id): "location \(id)"
        case .kind(let kind, _): "room of the kind \(kind)"
        case .entry(let id): "entry \(id) of the directory"
        case .zone(let id): "zone \(id)"
        case .building(let id): "building \(id)"
        case .entrance(let id): id.map { "building \($0)" } ?? "way out"
        case .floor(let id): "floor \(id), or none that is open to the public"
        case .point(let floor, _, _): floor.map { "floor \($0)" } ?? "such point"
        case .geographic(_, let level, _): level.map { "level \($0) there" } ?? "such point"
        }
    }
}
