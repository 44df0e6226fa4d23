public import Geometry

extension AreaShape {
    /// The point within that is farthest from all edges: the middle of the largest circle that
    /// fits.
    ///
    /// Squares over the shape are looked at in the order of what they can hold at best, and divided
    /// until none can hold more than what is known (the pole of inaccessibility of
    /// Garcia-Castellanos and Lombardo 2007, found by best-first search).
    /// - Parameter precisionMetres: by how much a better point may be deeper.
    public func pole(precisionMetres: Double) -> Point {
        let box = outline.boundingBox
        let side = min(box.width, box.height)
        guard side > 0 else { return box.centre }
        var best = Square(outline.centroid, half: 0, in: self)
        var open: [Square] = []
        // Long shapes begin with many squares, so they get no more than so many along the longer
        // side.
        let size = max(side, max(box.width, box.height) / 64)
        var x = box.minimum.x
        while x < box.maximum.x {
            var y = box.minimum.y
            while y < box.maximum.y {
                let centre = Point(x: x + size / 2, y: y + size / 2)
                open.append(Square(centre, half: size / 2, in: self))
                y += size
            }
            x += size
        }
        for _ in 0..<Self.mostSquares {
            guard let index = open.indices.max(by: { open[$0].bound < open[$1].bound }) else {
                break
            }
            let square = open.remove(at: index)
            if square.depth > best.depth { best = square }
            guard square.bound > best.depth + precisionMetres else { break }
            let half = square.half / 2
            for (right, up) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
                let centre = Point(x: square.centre.x + right, y: square.centre.y + up)
                open.append(Square(centre, half: half, in: self))
            }
        }
        return best.centre
    }

    /// A shape that needs more has its label a little off.
    private static let mostSquares = 400
}

private struct Square {
    let centre: Point
    let half: Double
    let depth: Double
    /// No point of the square is deeper: its corner is as far from the centre as any.
    var bound: Double { depth + half * 2.0.squareRoot() }

    init(_ centre: Point, half: Double, in shape: AreaShape) {
        self.centre = centre
        self.half = half
        depth = shape.depth(of: centre)
    }
}
