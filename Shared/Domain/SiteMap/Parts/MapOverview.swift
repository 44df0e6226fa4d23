public import Events
public import Geometry
public import Site

/// The facts that a reader needs before it asks for maps: where something is to be seen.
public struct MapOverview: Sendable {
    public struct Floor: Hashable, Sendable {
        public var id: FloorID
        /// The number of rooms and zones that have an outline.
        public var areas: Int
    }

    /// A building that has floors.
    public struct Building: Sendable {
        public var record: BuildingRecord
        /// The box of its outline, else of its rooms; nil without both.
        public var box: GeographicBox?
    }

    public let name: String
    public let names: Translations
    public let attribution: String?
    public let floors: [Floor]
    /// A campus has dozens of them: a reader needs their names and places at once.
    public let buildings: [Building]
    /// The number of features outdoors.
    public let featuresOutdoors: Int
    /// The box of all features outdoors; nil without any.
    public let box: GeographicBox?
    /// The part outdoors that is worth a first look; nil as `box`.
    public let heart: GeographicBox?

    public init(of site: SiteIndex, outdoors: OutdoorsParts) {
        let document = site.document
        name = document.name
        names = document.names
        attribution = document.attribution
        var areas: [FloorID: Int] = [:]
        var corners: [FloorID: [Point]] = [:]
        for room in document.rooms where room.outline.polygon != nil {
            areas[room.floor, default: 0] += 1
            corners[room.floor, default: []] += room.outline.corners
        }
        for zone in document.zones where zone.outline.polygon != nil {
            if let floor = zone.floor { areas[floor, default: 0] += 1 }
        }
        floors = document.floors.map { Floor(id: $0.id, areas: areas[$0.id] ?? 0) }
        let floors = Dictionary(grouping: document.floors, by: \.building)
        buildings = document.buildings.compactMap { building in
            floors[building.id].map { floors in
                let outline = building.outline.corners
                let shape =
                    outline.isEmpty ? floors.flatMap { corners[$0.id] ?? [] } : outline
                let world = shape.map { site.frame.geographic($0).world }
                return Building(record: building, box: BoundingBox(world).map(GeographicBox.init))
            }
        }
        featuresOutdoors = outdoors.count
        box = outdoors.box.map(GeographicBox.init)
        let labels = outdoors.features.compactMap(\.label)
        heart = outdoors.box.map { GeographicBox(SiteMap.heart(of: labels, within: $0)) }
    }
}

/// Degrees of WGS84 from the south-western to the north-eastern corner.
public struct GeographicBox: Hashable, Sendable {
    public let southWest: GeographicPoint
    public let northEast: GeographicPoint

    /// - Parameter world: in shares of the world's width, y to the south.
    init(_ world: BoundingBox) {
        southWest = GeographicPoint(
            world: Point(x: world.minimum.x, y: world.maximum.y))
        northEast = GeographicPoint(
            world: Point(x: world.maximum.x, y: world.minimum.y))
    }
}

extension SiteMap {
    /// The box in which most points are: without the outer tenth on each side. If they are many, it
    /// is the square with most of them, and a quarter of its side around. A few points have no
    /// heart.
    static func heart(of points: [Point], within bounds: BoundingBox) -> BoundingBox {
        if points.count < 8 { return bounds }
        if points.count > 300 { return densest(of: points, within: bounds) }
        func cut(_ values: [Double], _ share: Double) -> Double {
            values.sorted()[Int(share * Double(values.count - 1))]
        }
        let (across, down) = (points.map(\.x), points.map(\.y))
        var box = BoundingBox(around: Point(x: cut(across, 0.1), y: cut(down, 0.1)))
        box.include(Point(x: cut(across, 0.9), y: cut(down, 0.9)))
        return box
    }

    /// The squares along the longer side among which the densest is chosen.
    static let squaresAlong = 24.0

    private static func densest(of points: [Point], within bounds: BoundingBox) -> BoundingBox {
        struct Square: Hashable {
            var x: Int
            var y: Int
        }
        let side = max(bounds.width, bounds.height) / squaresAlong
        var counts: [Square: Int] = [:]
        var best = (count: 0, square: Square(x: 0, y: 0))
        for point in points where side > 0 {
            let square = Square(
                x: Int((point.x - bounds.minimum.x) / side),
                y: Int((point.y - bounds.minimum.y) / side))
            counts[square, default: 0] += 1
            let count = counts[square, default: 0]
            if count > best.count { best = (count, square) }
        }
        let left = bounds.minimum.x + Double(best.square.x) * side
        let top = bounds.minimum.y + Double(best.square.y) * side
        var box = BoundingBox(around: Point(x: left - side / 4, y: top - side / 4))
        box.include(Point(x: left + 1.25 * side, y: top + 1.25 * side))
        return box
    }
}
