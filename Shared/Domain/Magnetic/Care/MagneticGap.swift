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

    /// The floors with corridors that `all` looks at. Routes on others change nothing.
    ///
    /// - Parameter floors: the floors to look at; nil for all.
    public static func floors(
        of site: SiteDocument, on floors: Set<FloorID>? = nil
    ) -> Set<FloorID> {
        Set(site.rooms.lazy.filter { isCorridor($0, on: floors) }.map(\.floor))
    }

    private static func isCorridor(_ room: RoomRecord, on floors: Set<FloorID>?) -> Bool {
        room.kind == "corridor" && (floors?.contains(room.floor) ?? true)
    }

    /// The corridors of a site without a route, the largest uncovered area first. A corridor is a
    /// room of kind `corridor` with an outline; other walkable space is not looked at.
    ///
    /// - Parameters:
    ///   - routes: the lines of the valid routes, each with its floor.
    ///   - floors: the floors to look at; nil for all.
    public static func all(
        in site: SiteDocument, beside routes: [(floor: FloorID, line: [Point])],
        on floors: Set<FloorID>? = nil
    ) -> [MagneticGap] {
        let legs = Dictionary(grouping: routes, by: \.floor).mapValues { routes in
            routes.flatMap { zip($0.line, $0.line.dropFirst()).map(Leg.init) }
        }
        let gaps = site.rooms.compactMap { room -> MagneticGap? in
            guard isCorridor(room, on: floors), let outline = room.outline.polygon else {
                return nil
            }
            let holes = room.holes.compactMap(\.polygon)
            // Routes elsewhere on the floor are left out at once: a floor may have many of both.
            let near = (legs[room.floor] ?? []).filter { $0.mayBeBeside(outline.boundingBox) }
            let places = places(outline).filter { place in
                !holes.contains { $0.contains(place) }
            }
            guard !places.isEmpty else { return nil }
            let covered = places.count { place in
                near.contains {
                    place.distance(toSegmentFrom: $0.from, to: $0.to) <= besideMetres
                }
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

    /// The straight part of a route between two of its points.
    private struct Leg {
        let from: Point
        let to: Point

        func mayBeBeside(_ box: BoundingBox) -> Bool {
            min(from.x, to.x) <= box.maximum.x + besideMetres
                && max(from.x, to.x) >= box.minimum.x - besideMetres
                && min(from.y, to.y) <= box.maximum.y + besideMetres
                && max(from.y, to.y) >= box.minimum.y - besideMetres
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
}
