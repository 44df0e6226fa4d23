public import Geometry

/// How a map is to be drawn.
public struct MapPage: Hashable, Sendable {
    /// Pixels a picture may be wide.
    public static let widthsPixels = 200...3_200
    public static let ordinaryWidthPixels = 1_600
    /// Widths that letters are laid out for; wider pictures, for print, are those enlarged.
    private static let layoutWidths = 600.0...1_600
    /// How much higher than wide a map is at most; a long and narrow site is drawn smaller.
    static let mostHeightToWidth = 1.6

    public var widthPixels: Int
    /// BCP 47 tag of the reader's language; nil for plain names and English words.
    public var language: String?
    /// A way to be shown on the map: points in metres of the site's frame.
    public var route: [Point]

    public init(
        widthPixels: Int = ordinaryWidthPixels, language: String? = nil, route: [Point] = []
    ) {
        self.widthPixels = widthPixels
        self.language = language
        self.route = route
    }

    /// The width of the drawing in its own units.
    var width: Double {
        min(max(Double(widthPixels), Self.layoutWidths.lowerBound), Self.layoutWidths.upperBound)
    }
}

/// Where metres of the site's frame lie on the page, in pixels.
struct MapScale {
    let pixelsPerMetre: Double
    /// Pixels of the map's own rectangle.
    let left: Double
    let top: Double
    let width: Double
    let height: Double
    /// Metres that lie in the map's upper left corner.
    private let west: Double
    private let north: Double

    /// - Parameter bounds: metres to be shown, with some room around them.
    init(_ bounds: BoundingBox, width: Double, left: Double, top: Double, mostHeight: Double) {
        let metres = max(bounds.width, bounds.height, 1)
        let margin = 0.04 * metres + 2
        let across = bounds.width + 2 * margin
        let along = bounds.height + 2 * margin
        let high = min(mostHeight, max(width * along / across, width * 0.35))
        let scale = min(width / across, high / along)
        pixelsPerMetre = scale
        self.left = left
        self.top = top
        self.width = width
        height = high
        west = bounds.centre.x - width / scale / 2
        north = bounds.centre.y + high / scale / 2
    }

    /// Metres of the frame that the map shows.
    var shown: BoundingBox {
        let corner = Point(x: west, y: north)
        var box = BoundingBox(CollectionOfOne(corner))
        box?.include(Point(x: west + width / pixelsPerMetre, y: north - height / pixelsPerMetre))
        guard let box else { preconditionFailure("a point has a box") }
        return box
    }

    func place(_ point: Point) -> (x: Double, y: Double) {
        (left + (point.x - west) * pixelsPerMetre, top + (north - point.y) * pixelsPerMetre)
    }

    /// So many metres in pixels, but no less and no more than can be seen.
    func pixels(_ metres: Double, in range: ClosedRange<Double>) -> Double {
        min(max(metres * pixelsPerMetre, range.lowerBound), range.upperBound)
    }
}
