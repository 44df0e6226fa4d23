import Geometry
import Site

extension RouteJourney {
    /// The most pairs of a start and an end between which ways without the network are looked for.
    private static let mostPairs = 2_000

    /// The start from which an end is reached at the lowest cost, such as the nearest of all
    /// toilets. If no way leads on from any of them, it is the first.
    ///
    /// All starts are searched from at once. Ways that need no network, such as those within one
    /// room, are compared with what that search found. Apart from few such pairs, the work and the
    /// memory are proportional to the starts and the ends together.
    func nearest(
        of starts: [JoinedPlace], to ends: [(destination: Int, place: JoinedPlace)],
        over metric: CustomisedMetric
    ) -> JoinedPlace {
        guard starts.count > 1 else { return starts[0] }
        let places = EndPlaces(ends.lazy.map(\.place))
        if let there = starts.first(where: places.contains) { return there }
        let anchors = starts.enumerated().flatMap { index, start in
            start.anchors.map { (start: index, end: ManyEndedSearch.End($0.node, $0.cost)) }
        }
        let targets = JoinedEnds(starts[0], ends).targets
        let found = finder.cache.withSearch { search in
            search.find(from: anchors.map(\.end), to: targets, over: metric)
        }
        var best = found.map { (start: anchors[$0.start].start, cost: $0.cost) }
        guard starts.count * ends.count <= Self.mostPairs else {
            return starts[best?.start ?? 0]
        }
        for (index, start) in starts.enumerated() where start.spot != nil {
            guard let way = direct(JoinedEnds(start, ends)), way.cost < best?.cost ?? .closed
            else { continue }
            best = (index, way.cost)
        }
        return starts[best?.start ?? 0]
    }
}

/// The rooms and points of all ends, to find a start that is at one of them without comparing it
/// with each.
struct EndPlaces {
    /// The distance in metres below which two points are one place.
    static let sameMetres = 0.01
    /// Two points that are one place lie in the same square or in adjacent ones.
    private static let squareMetres = 0.02

    private struct Square: Hashable {
        var level: Level
        var x: Int
        var y: Int
    }

    private var rooms: Set<RoomIndex> = []
    private var points: [Square: Set<Point>] = [:]

    init(_ places: some Sequence<JoinedPlace>) {
        for place in places {
            if let spot = place.spot {
                if let square = Self.square(of: spot) {
                    points[square, default: []].insert(spot.point)
                }
            } else if let room = place.room {
                rooms.insert(room)
            }
        }
    }

    /// Whether the traveller at this start is at an end already; as `JoinedEnds.endAtStart`.
    func contains(_ start: JoinedPlace) -> Bool {
        if let room = start.room, rooms.contains(room) { return true }
        guard let spot = start.spot else { return false }
        return beside(spot).contains { $0.distance(to: spot.point) < Self.sameMetres }
    }

    /// The points of ends with which the point is compared.
    func beside(_ spot: PlaceSpot) -> [Point] {
        guard !points.isEmpty, let middle = Self.square(of: spot) else { return [] }
        var found: [Point] = []
        for x in -1...1 {
            for y in -1...1 {
                let square = Square(level: middle.level, x: middle.x + x, y: middle.y + y)
                found += points[square] ?? []
            }
        }
        return found
    }

    /// Nil for a point that is not on the earth.
    private static func square(of spot: PlaceSpot) -> Square? {
        let (x, y) = (spot.point.x / squareMetres, spot.point.y / squareMetres)
        guard abs(x) < 1e15, abs(y) < 1e15 else { return nil }
        return Square(level: spot.level, x: Int(x.rounded(.down)), y: Int(y.rounded(.down)))
    }
}
