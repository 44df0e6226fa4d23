public import Geometry

/// The size, language and route of a map to be drawn.
public struct MapPage: Hashable, Sendable {
    /// The allowed widths of a picture, in pixels.
    public static let widthsPixels = 200...3_200
    public static let ordinaryWidthPixels = 1_600
    /// The widths that text is laid out for. Wider pictures, for print, are enlarged ones of these.
    private static let layoutWidths = 600.0...1_600
    /// The greatest ratio of height to width. A long and narrow site is drawn smaller.
    static let mostHeightToWidth = 1.6

    public var widthPixels: Int
    /// BCP 47 tag of the reader's language; nil for names without a language and English words.
    public var language: String?
    /// A route on the map: points in metres of the site's frame. A single point is marked.
    public var route: [Point]
    /// The metres to be drawn; nil for the complete map.
    public var part: BoundingBox?

    public init(
        widthPixels: Int = ordinaryWidthPixels, language: String? = nil, route: [Point] = [],
        part: BoundingBox? = nil
    ) {
        self.widthPixels = widthPixels
        self.language = language
        self.route = route
        self.part = part
    }

    /// The width for the layout, in pixels.
    var width: Double {
        min(max(Double(widthPixels), Self.layoutWidths.lowerBound), Self.layoutWidths.upperBound)
    }
}

/// Converts metres of the site's frame to pixels on the page.
struct MapScale {
    let pixelsPerMetre: Double
    /// The map's own rectangle on the page, in pixels.
    let left: Double
    let top: Double
    let width: Double
    let height: Double
    /// The coordinates in metres of the map's upper left corner.
    private let west: Double
    private let north: Double

    /// - Parameter bounds: the metres to be shown, with a margin.
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

    /// The part of the frame that the map shows, in metres.
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

    /// A length of the frame in pixels, limited to a visible range.
    func pixels(_ metres: Double, in range: ClosedRange<Double>) -> Double {
        min(max(metres * pixelsPerMetre, range.lowerBound), range.upperBound)
    }
}
