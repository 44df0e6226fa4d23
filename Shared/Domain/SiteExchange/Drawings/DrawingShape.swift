import Geometry
import Glibc

/// A part of a drawing: a line, or a text.
struct DrawingShape {
    enum Content {
        /// In the drawing's units. The first point of a closed line is not repeated.
        case line([Point], isClosed: Bool)
        case text(String, at: Point)
    }

    var content: Content
    var layer: String
}

/// A block that is drawn within another one, or within the drawing.
struct DrawingInsert {
    var block: String
    var layer: String
    var transforms: [DrawingTransform]
}

/// An affine map of the plane.
struct DrawingTransform {
    var xx = 1.0
    var xy = 0.0
    var yx = 0.0
    var yy = 1.0
    var x = 0.0
    var y = 0.0

    func callAsFunction(_ point: Point) -> Point {
        Point(
            x: xx * point.x + xy * point.y + x,
            y: yx * point.x + yy * point.y + y)
    }

    /// First the other map, then this one.
    func after(_ other: DrawingTransform) -> DrawingTransform {
        let origin = self(Point(x: other.x, y: other.y))
        return DrawingTransform(
            xx: xx * other.xx + xy * other.yx, xy: xx * other.xy + xy * other.yy,
            yx: yx * other.xx + yy * other.yx, yy: yx * other.xy + yy * other.yy,
            x: origin.x, y: origin.y)
    }

    static func moved(_ x: Double, _ y: Double) -> Self { Self(x: x, y: y) }

    static func turned(_ degrees: Double) -> Self {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        return Self(xx: cosine, xy: -sine, yx: sine, yy: cosine)
    }

    static func scaled(_ x: Double, _ y: Double) -> Self { Self(xx: x, yy: y) }

    /// The x axis points the other way, as in a plane that is seen from behind.
    static let mirrored = scaled(-1, 1)
}

/// Arcs as lines, with a corner every five degrees.
enum DrawingArc {
    private static let step = 5.0 * .pi / 180

    /// - Parameter sweep: radians, anticlockwise if positive.
    static func points(
        centre: Point, radius: Double, from start: Double, sweep: Double
    ) -> [Point] {
        let count = max(1, Int((abs(sweep) / step).rounded(.up)))
        return (0...count).map { number in
            let angle = start + sweep * Double(number) / Double(count)
            return Point(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
        }
    }

    /// The points after the first of an arc between two corners of a polyline.
    ///
    /// - Parameter bulge: the tangent of a quarter of the arc's angle.
    static func points(from start: Point, to end: Point, bulge: Double) -> [Point] {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        guard bulge != 0, abs(bulge) < 1e6, dx != 0 || dy != 0 else { return [end] }
        let share = (1 - bulge * bulge) / (4 * bulge)
        let centre = Point(
            x: (start.x + end.x) / 2 - share * dy, y: (start.y + end.y) / 2 + share * dx)
        let angle = atan2(start.y - centre.y, start.x - centre.x)
        let arc = points(
            centre: centre, radius: centre.distance(to: start), from: angle,
            sweep: 4 * atan(bulge))
        return arc.dropFirst().dropLast() + [end]
    }
}
