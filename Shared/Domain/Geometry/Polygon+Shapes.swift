import Glibc

extension Polygon {
    /// A circle as a regular polygon of 32 corners with the circle's area, anticlockwise. The first
    /// corner is at +x from the centre. The polygon differs from the circle by at most half a
    /// percent of the radius.
    public static func circle(centre: Point, radiusMetres: Double) -> Polygon? {
        let count = 32
        // A regular polygon's area is n/2 R² sin(2 pi / n).
        let step = 2 * Double.pi / Double(count)
        let radius = radiusMetres * (2 * Double.pi / (Double(count) * sin(step))).squareRoot()
        return Polygon(
            (0..<count).map { number in
                let angle = step * Double(number)
                return Point(
                    x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
            })
    }

    /// A square around its centre, with anticlockwise corners. The angle turns it clockwise; at
    /// zero its sides are along the axes.
    public static func square(
        centre: Point, sideMetres: Double, turnedDegrees: Double
    ) -> Polygon? {
        let half = sideMetres / 2
        let turn = turnedDegrees * .pi / 180
        let (sine, cosine) = (sin(turn), cos(turn))
        return Polygon(
            [(-half, -half), (half, -half), (half, half), (-half, half)].map { x, y in
                Point(x: centre.x + x * cosine + y * sine, y: centre.y - x * sine + y * cosine)
            })
    }
}
