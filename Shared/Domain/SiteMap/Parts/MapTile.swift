import Geometry
import Glibc

/// A square of the world in Web Mercator (EPSG:3857), numbered as the tiles of web maps. Zoom 0 is
/// the world, and each zoom halves the side; x counts to the east and y to the south.
public struct MapTile: Hashable, Sendable {
    /// The zooms at which maps outdoors have parts. At 8 a square is 100 km wide or less, and holds
    /// any site.
    public static let zooms = 8...15

    public let zoom: Int
    public let x: Int
    public let y: Int
    /// The units along a side, in which coordinates count.
    public let extent: Int

    /// A part of a map outdoors; nil if the world has no such square.
    ///
    /// A part is shown with sides of 512 to 1,023 pixels, and at the last zoom with any. So a unit
    /// is a pixel at most, and at the last zoom 7 centimetres at the equator.
    public init?(zoom: Int, x: Int, y: Int) {
        guard Self.zooms.contains(zoom), (0..<1 << zoom).contains(x), (0..<1 << zoom).contains(y)
        else { return nil }
        self.zoom = zoom
        self.x = x
        self.y = y
        extent = zoom == Self.zooms.upperBound ? 16_384 : zoom < 14 ? 1_024 : 2_048
    }

    /// The square at the last zoom that has the point: for the complete map of a floor. A unit is 2
    /// centimetres at the equator.
    init(finelyAround point: Point) {
        zoom = Self.zooms.upperBound
        let side = 1 << zoom
        x = min(side - 1, max(0, Int(point.x * Double(side))))
        y = min(side - 1, max(0, Int(point.y * Double(side))))
        extent = 65_536
    }

    /// The units around the world.
    var unitsAround: Double { Double((1 << zoom) * extent) }

    /// The grid point nearest to a point of the world, from the square's north-western corner.
    func gridPoint(_ point: Point) -> GridPoint {
        GridPoint(
            x: Int((point.x * unitsAround).rounded()) - x * extent,
            y: Int((point.y * unitsAround).rounded()) - y * extent)
    }

    /// The square in shares of the world's width.
    var box: BoundingBox {
        let side = 1 / Double(1 << zoom)
        let corner = Point(x: Double(x) * side, y: Double(y) * side)
        var box = BoundingBox(around: corner)
        box.include(Point(x: corner.x + side, y: corner.y + side))
        return box
    }
}

/// A place in whole units of a `MapTile`: x to the east and y to the south of its corner.
public struct GridPoint: Hashable, Sendable {
    public var x: Int
    public var y: Int
}

extension GeographicPoint {
    /// The place in shares of the world's width, from its north-western corner (EPSG:3857; Snyder
    /// 1987, formula 7-2). The latitude is limited to 85 degrees.
    var world: Point {
        let latitude = max(-85, min(85, latitude)) * .pi / 180
        return Point(
            x: (longitude + 180) / 360,
            y: 0.5 - asinh(tan(latitude)) / (2 * .pi))
    }
}

extension GeographicPoint {
    /// The inverse of `world`.
    init(world: Point) {
        self.init(
            latitude: atan(sinh(.pi * (1 - 2 * world.y))) * 180 / .pi,
            longitude: world.x * 360 - 180)
    }
}

extension BoundingBox {
    init(around point: Point) {
        guard let box = BoundingBox([point]) else { preconditionFailure("one point is a box") }
        self = box
    }
}
