import Events
import Geometry
import SeededRandomness
import Site
import Wayfinding

@testable import Directions

/// A route between two rooms, drawn by a seed, and its spoken words.
struct BlindWalk {
    private static let departAt = Timestamp(milliseconds: 1_763_812_800_000)
    private static let mostDraws = 2_000
    /// Metres from the room's wall at which a route may end that leads only up to the room.
    private static let besideMetres = 3.0

    var start: RoomID
    var end: RoomID
    var texts: [String]
    private var route: IndoorRoute
    /// The place in which the traveller stands at the beginning.
    private var floor: FloorID?
    private var point: Point
    private var bearingDegrees: Double

    /// Nil if no two named rooms have an exact route.
    init?(_ site: ReadSite, seed: Int) {
        var random = SeededRandom(seed: seed)
        let rooms = site.guide.site.document.rooms.filter {
            site.guide.isNamed($0.id) && !$0.isRestricted
        }
        for _ in 0..<Self.mostDraws {
            guard let start = rooms.randomElement(using: &random),
                let end = rooms.randomElement(using: &random), start.id != end.id
            else { continue }
            let query = RouteQuery(
                from: .room(start.id), to: [.room(end.id)], profile: .byTouch,
                departAt: Self.departAt)
            guard case .found(let routes) = site.finder.answer(query),
                routes[0].approximateEnd == nil, routes[0].approximateStart == nil,
                routes[0].legs.count > 2, let path = routes[0].legs[0].paths.first
            else { continue }
            (self.start, self.end, floor, point) = (start.id, end.id, path.floor, path.points[0])
            bearingDegrees = site.guide.site.frame.bearingDegrees
            route = routes[0]
            let names = site.guide.names(in: English())
            texts = site.guide.spokenSteps(of: routes[0], to: query.to[0]).map {
                English().sentence($0, names)
            }
            return
        }
        return nil
    }

    func spoken(_ site: ReadSite, _ language: any DirectionLanguage) -> [SpokenInstruction] {
        site.guide.spokenInstructions(for: route, to: .room(end), in: language)
    }

    /// The complete text of the walk in a language. Announcements are indented.
    func lines(_ site: ReadSite, _ language: any DirectionLanguage) -> [String] {
        spoken(site, language).flatMap { spoken in
            ["\(language.code) \(spoken.text)"]
                + spoken.announcements.map {
                    "\(language.code)    \($0.metresBefore) m: \($0.text)"
                }
        }
    }

    /// The traveller after the walk. He gets the words and the place where he stands.
    func walked(in world: TouchWorld, seed: Int, errors: Double = 1) -> BlindWalker {
        var walker = BlindWalker(
            world, in: start, floor: floor, at: point, seed: seed, errors: errors)
        walker.compassOffset = bearingDegrees
        walker.follow(texts)
        return walker
    }

    func isReached(by walker: BlindWalker, _ world: TouchWorld) -> Bool {
        if walker.failure != nil { return false }
        if walker.room == end { return true }
        guard walker.floor == world.floor(of: end),
            let touch = world.touch(end, from: walker.point)
        else { return false }
        return touch.metres <= Self.besideMetres
    }
}
