public import Events
public import Geometry

/// The choices for the import of a drawing.
public struct DrawingOptions: Hashable, Sendable {
    /// The floor that the drawing shows.
    public var floor: FloorID?
    /// The layers to read; nil for all that are shown.
    public var layers: Set<String>?
    /// The unit of the coordinates; nil for the one that the file states.
    public var unit: DrawingUnit?
    /// The place of the drawing's origin in the site's metres.
    public var offset: Point
    /// The angle by which the drawing is turned about its origin, anticlockwise.
    public var turnDegrees: Double
    /// The point of the site at which the middle of the drawing comes to lie; nil for the place
    /// that the offset gives.
    public var middle: Point?

    public init(
        floor: FloorID? = nil, layers: Set<String>? = nil, unit: DrawingUnit? = nil,
        offset: Point = [0, 0], turnDegrees: Double = 0, middle: Point? = nil
    ) {
        self.floor = floor
        self.layers = layers
        self.unit = unit
        self.offset = offset
        self.turnDegrees = turnDegrees
        self.middle = middle
    }
}
