public import Events
public import Geometry
public import Site

/// A corridor along which no valid magnetic route leads, or only for less than half of it.
public struct MagneticGap: Hashable, Sendable {
    public var floor: FloorID
    public var room: RoomID
    /// The corridor's area in square metres.
    public var squareMetres: Double
    /// The share of that area, 0 to 1, that is beside no route.
    public var uncovered: Double

    /// The most gaps that are listed.
    static let mostGaps = 100
    /// A place within this many metres of a route is covered: half of a broad corridor.
    static let besideMetres = 2.5
    /// Places lie this many metres apart, or farther where a corridor would have more than
    /// `mostPlaces`.
    private static let placeMetres = 0.5
    private static let mostPlaces = 2_000.0
    private static let leastUncovered = 0.5

    /// The corridors of a site without a route, the largest uncovered area first. A corridor is a
    /// room of kind `corridor` with an outline; other walkable space is not looked at.
    ///
    /// - Parameters:
    ///   - routes: the lines of the valid routes, each with its floor.
    ///   - floor: the only floor to look at; nil for all.
    public static func all(
        in site: SiteDocument, beside routes: [(floor: FloorID, line: [Point])],
        on floor: FloorID? = nil
    ) -> [MagneticGap] {
        let gaps = site.rooms.compactMap { room -> MagneticGap? in
            guard room.kind == "corridor", floor == nil || room.floor == floor,
                let outline = room.outline.polygon
            else { return nil }
            let holes = room.holes.compactMap(\.polygon)
            let lines = pieces(of: routes, near: outline.boundingBox, on: room.floor)
            let places = places(outline).filter { place in
                !holes.contains { $0.contains(place) }
            }
            guard !places.isEmpty else { return nil }
            let covered = places.count { place in
                lines.contains { distance(place, $0) <= besideMetres }
            }
            let uncovered = 1 - Double(covered) / Double(places.count)
            guard uncovered > leastUncovered else { return nil }
            let area = holes.reduce(outline.area) { $0 - $1.area }
            return MagneticGap(
                floor: room.floor, room: room.id, squareMetres: max(0, area), uncovered: uncovered)
        }.sorted {
            let (left, right) = ($0.squareMetres * $0.uncovered, $1.squareMetres * $1.uncovered)
            return left == right ? $0.room.text < $1.room.text : left > right
        }
        return Array(gaps.prefix(mostGaps))
    }

    /// The straight pieces of a floor's routes that lead by a box. A site may have thousands of
    /// corridors and of pieces, and each place of a corridor is compared with each piece.
    private static func pieces(
        of routes: [(floor: FloorID, line: [Point])], near box: BoundingBox, on floor: FloorID
    ) -> [[Point]] {
        routes.filter { $0.floor == floor }.flatMap { route in
            zip(route.line, route.line.dropFirst()).compactMap { from, to in
                let lies =
                    max(from.x, to.x) >= box.minimum.x - besideMetres
                    && min(from.x, to.x) <= box.maximum.x + besideMetres
                    && max(from.y, to.y) >= box.minimum.y - besideMetres
                    && min(from.y, to.y) <= box.maximum.y + besideMetres
                return lies ? [from, to] : nil
            }
        }
    }

    /// Places of an outline in a grid; its centroid where the grid has none.
    private static func places(_ outline: Polygon) -> [Point] {
        let box = outline.boundingBox
        let (low, high) = (box.minimum, box.maximum)
        let step = max(placeMetres, (box.width * box.height / mostPlaces).squareRoot())
        var places: [Point] = []
        for x in stride(from: low.x + step / 2, to: high.x, by: step) {
            for y in stride(from: low.y + step / 2, to: high.y, by: step) {
                let place = Point(x: x, y: y)
                if outline.contains(place) { places.append(place) }
            }
        }
        return places.isEmpty ? [outline.centroid] : places
    }

    private static func distance(_ place: Point, _ line: [Point]) -> Double {
        var least = Double.infinity
        for (from, to) in zip(line, line.dropFirst()) {
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            let square = dx * dx + dy * dy
            let along = (place.x - from.x) * dx + (place.y - from.y) * dy
            let share = square > 0 ? min(1, max(0, along / square)) : 0
            let foot = Point(x: from.x + share * dx, y: from.y + share * dy)
            least = min(least, foot.distance(to: place))
        }
        return least
    }
}
