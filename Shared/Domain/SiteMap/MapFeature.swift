public import Events
public import Geometry
public import Site

/// One thing on a map: its kind, its name, and its shape in metres of the site's frame.
public struct MapFeature: Hashable, Sendable {
    /// The layer that the feature is drawn in.
    public enum Layer: String, Hashable, Sendable, CaseIterable {
        /// The ground of the campus.
        case ground
        case building, floor
        /// A room, or any other outline on a floor.
        case area
        case zone
        /// A street or a path outdoors.
        case path
        /// A path within a building.
        case corridor
        case stairs, escalator, ramp, lift
        case platformLift = "platform-lift"
        case door
        /// A door between a building and the outdoors.
        case entrance
        /// A location with a name.
        case place
    }

    public enum Shape: Hashable, Sendable {
        case area(AreaShape)
        /// A line with at least two points.
        case line([Point])
        case point(Point)
    }

    public var layer: Layer
    public var id: String
    /// The kind of the room or connection, in the words of its record.
    public var category: String
    public var name: String?
    public var names: Translations
    /// The floors that the feature is on, or stops at in the order of its stops.
    public var floors: [FloorID]
    /// The levels on the signs of these floors, from the lowest up.
    public var levels: [String]
    public var accessible: Accessibility
    public var isRestricted: Bool
    /// Whether a door opens by itself; nil if that is unknown.
    public var isAutomatic: Bool?
    public var isOneWay: Bool
    /// The width of a connection in metres.
    public var widthMetres: Double?
    public var openingHours: String?
    /// For stairs and the like: whether the end of the line is above its beginning.
    public var rises: Bool?
    /// For a door, a line along its wall, or a point if no wall is near.
    public var shape: Shape
    /// For an entrance, a unit vector from the door to the outside.
    public var outwards: Point?
    /// The point for an area's name: the point within that is farthest from its edges.
    public var labelPoint: Point?

    init(
        _ layer: Layer, id: String, category: String, name: String?,
        names: Translations = Translations(), floors: [FloorID] = [], shape: Shape
    ) {
        self.layer = layer
        self.id = id
        self.category = category
        self.name = name
        self.names = names
        self.floors = floors
        self.shape = shape
        levels = []
        accessible = .unknown
        isRestricted = false
        isOneWay = false
    }
}

/// An outline with its holes.
public struct AreaShape: Hashable, Sendable {
    public let outline: Polygon
    public let holes: [Polygon]

    /// Nil if the outline is no polygon.
    ///
    /// - Parameters:
    ///   - outline: corners in order, in metres, [x, y] each.
    ///   - holes: each like the outline; those that are no polygons are left out.
    init?(_ outline: Ring, holes: [Ring] = []) {
        guard let polygon = outline.polygon else { return nil }
        self.init(
            outline: polygon,
            holes: holes.compactMap(\.polygon))
    }

    init(outline: Polygon, holes: [Polygon] = []) {
        self.outline = outline
        self.holes = holes
    }

    /// The outline, then the holes.
    public var rings: [Polygon] { [outline] + holes }

    public var area: Double { outline.area - holes.reduce(0) { $0 + $1.area } }

    public func contains(_ point: Point) -> Bool {
        outline.contains(point) && !holes.contains { $0.contains(point) }
    }

    /// Metres to the nearest edge; negative outside.
    public func depth(of point: Point) -> Double {
        let distance = rings.map { $0.distanceToEdge(from: point) }.min() ?? 0
        return contains(point) ? distance : -distance
    }

    /// Calls the closure once for each edge of the outline and of the holes.
    func forEachEdge(_ body: (Point, Point) -> Void) {
        for ring in rings {
            guard var previous = ring.corners.last else { continue }
            for corner in ring.corners {
                body(previous, corner)
                previous = corner
            }
        }
    }
}
