public import Geometry

extension AreaShape {
    /// The point within the shape that is farthest from all edges: the centre of the largest circle
    /// that fits.
    ///
    /// Squares over the shape are examined in the order of their upper bounds, and divided until
    /// none can contain a better point. The point is the pole of inaccessibility of
    /// Garcia-Castellanos and Lombardo 2007, here found by best-first search.
    /// - Parameter precisionMetres: a better point is at most this much farther from the edges.
    public func pole(precisionMetres: Double) -> Point {
        let box = outline.boundingBox
        let side = min(box.width, box.height)
        guard side > 0 else { return box.centre }
        var best = Square(outline.centroid, half: 0, in: self)
        var open: [Square] = []
        // A long shape would begin with very many squares, so at most 64 are laid along its longer
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

    /// The most squares that are examined. The label of a shape that needs more is slightly off.
    private static let mostSquares = 400
}

private struct Square {
    let centre: Point
    let half: Double
    let depth: Double
    /// No point of the square is farther from the edges than this, since a corner is the farthest
    /// from the centre.
    var bound: Double { depth + half * 2.0.squareRoot() }

    init(_ centre: Point, half: Double, in shape: AreaShape) {
        self.centre = centre
        self.half = half
        depth = shape.depth(of: centre)
    }
}
