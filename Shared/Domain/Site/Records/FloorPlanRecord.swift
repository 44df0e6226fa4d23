public import Events

/// A picture of a floor, and where it lies in the site's frame.
public struct FloorPlanRecord: Hashable, Sendable {
    public var id: FloorPlanID
    public var floor: FloorID
    public var image: MediaReference
    public var widthPixels: Int
    public var heightPixels: Int
    public var alignment: PlanAlignment

    public init(
        id: FloorPlanID, floor: FloorID, image: MediaReference, widthPixels: Int,
        heightPixels: Int, alignment: PlanAlignment
    ) {
        self.id = id
        self.floor = floor
        self.image = image
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.alignment = alignment
    }
}

/// How a plan's pixels were tied to the site's frame, as the person who did it said.
public enum PlanAlignment: Hashable, Sendable {
    /// Pixels that lie at known points: two, or three and more that are not on one line.
    case pairs([PixelPair])
    /// The picture's centre, metres a pixel, and degrees clockwise from true north to its upper edge's
    /// normal.
    case placed(x: Double, y: Double, metresPerPixel: Double, bearingDegrees: Double)
    /// Where the picture's corners lie, [x, y] each: the upper left and the lower right one, or all four
    /// clockwise from the upper left.
    case corners([[Double]])
}

/// A pixel and the point of the site's frame that it shows.
public struct PixelPair: Hashable, Sendable {
    /// Pixels from the picture's left edge.
    public var column: Double
    /// Pixels from the picture's upper edge.
    public var row: Double
    /// Metres in the site's frame.
    public var x: Double
    public var y: Double

    public init(column: Double, row: Double, x: Double, y: Double) {
        self.column = column
        self.row = row
        self.x = x
        self.y = y
    }
}
