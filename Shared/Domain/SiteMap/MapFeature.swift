public import Events
public import Geometry
public import Site

/// One thing on a map: what it is, what it is called, and its shape in metres of the site's frame.
public struct MapFeature: Hashable, Sendable {
    /// What it is drawn as.
    public enum Layer: String, Hashable, Sendable, CaseIterable {
        /// The campus's own ground.
        case ground
        case building, floor
        /// A room, or an area of any other kind.
        case area
        case zone
        /// A street or a way out of doors.
        case path
        /// A way within a building.
        case corridor
        case stairs, escalator, ramp, lift
        case platformLift = "platform-lift"
        case door
        /// A door between a building and out of doors.
        case entrance
        /// A place with a name.
        case place
    }

    public enum Shape: Hashable, Sendable {
        case area(AreaShape)
        /// At least two points.
        case line([Point])
        case point(Point)
    }

    public var layer: Layer
    public var id: String
    /// The record's own word: a room's kind, a connection's kind.
    public var category: String
    public var name: String?
    public var names: Translations
    /// Those that it is on or stops at, in the order of its stops.
    public var floors: [FloorID]
    /// What the signs call these floors, from the lowest up.
    public var levels: [String]
    public var accessible: Accessibility
    public var isRestricted: Bool
    /// Of a door; nil where nobody has said.
    public var isAutomatic: Bool?
    public var isOneWay: Bool
    /// Metres.
    public var widthMetres: Double?
    public var openingHours: String?
    /// Of stairs and the like: whether the end of the line is above its beginning.
    public var rises: Bool?
    /// A door's opening is a line along its wall, or a point where the wall is not known.
    public var shape: Shape
    /// Of an entrance: a unit vector from the door out into the open.
    public var outwards: Point?
    /// Where the name of an area is put: the point within that is farthest from its edges.
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

/// An outline with what is cut out of it.
public struct AreaShape: Hashable, Sendable {
    public let outline: Polygon
    public let holes: [Polygon]

    /// - Parameters:
    ///   - outline: corners in order, metres, [x, y] each.
    ///   - holes: each like the outline; those that are no polygons are left out.
    /// Nil when the outline is no polygon.
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

    /// The outline first.
    public var rings: [Polygon] { [outline] + holes }

    public var area: Double { outline.area - holes.reduce(0) { $0 + $1.area } }

    public func contains(_ point: Point) -> Bool {
        outline.contains(point) && !holes.contains { $0.contains(point) }
    }

    /// Metres to the nearest edge, negative outside.
    public func depth(of point: Point) -> Double {
        let distance = rings.map { $0.distanceToEdge(from: point) }.min() ?? 0
        return contains(point) ? distance : -distance
    }

    /// Each edge of the outline and of the holes, once.
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
