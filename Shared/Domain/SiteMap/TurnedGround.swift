import Geometry
import Glibc

/// The free area for a label on the page, in coordinates that are turned with the label.
struct TurnedGround {
    private typealias Box = LevelBox
    private typealias Ring = [(x: Double, y: Double)]

    /// The rotation of the label, clockwise.
    let degrees: Double
    private let middle: (x: Double, y: Double)
    private let cosine: Double
    private let sine: Double
    /// Rings turned about the middle, so that the label is horizontal; nil if the label may be
    /// anywhere.
    private let rings: [Ring]?
    private let obstacles: [[Ring]]

    /// - Parameters:
    ///   - area: the area that must contain the label; nil for anywhere.
    ///   - overlapping: areas that the label must not touch.
    init(
        about middle: (x: Double, y: Double), degrees: Double, within area: AreaShape?,
        avoiding overlapping: [AreaShape], _ picture: MapPicture
    ) {
        self.middle = middle
        self.degrees = degrees
        let cosine = cos(degrees * .pi / 180)
        let sine = sin(degrees * .pi / 180)
        self.cosine = cosine
        self.sine = sine
        func turned(_ shape: AreaShape) -> [Ring] {
            shape.rings.map { ring in
                picture.ring(ring).map { corner in
                    let (right, down) = (corner.x - middle.x, corner.y - middle.y)
                    return (right * cosine + down * sine, down * cosine - right * sine)
                }
            }
        }
        rings = area.map(turned)
        obstacles = overlapping.map(turned)
    }

    /// The box of a label at a distance below the middle; nil if there is no room for it.
    func box(below: Double, width: Double, height: Double) -> PageBox? {
        let box: Box = (0, below, width, height)
        if let rings, !contains(rings, 0, below) || hasEdge(rings, in: box) { return nil }
        let isFree = obstacles.allSatisfy { !contains($0, 0, below) && !hasEdge($0, in: box) }
        guard isFree else { return nil }
        return PageBox(
            x: middle.x - below * sine, y: middle.y + below * cosine, width: width,
            height: height, degrees: degrees)
    }

    private func contains(_ rings: [Ring], _ x: Double, _ y: Double) -> Bool {
        var isInside = false
        forEachEdge(of: rings) { start, end in
            guard (start.y > y) != (end.y > y) else { return }
            if x < start.x + (y - start.y) / (end.y - start.y) * (end.x - start.x) {
                isInside.toggle()
            }
        }
        return isInside
    }

    private func hasEdge(_ rings: [Ring], in box: Box) -> Bool {
        var found = false
        forEachEdge(of: rings) { start, end in found = found || cut(start, end, to: box) != nil }
        return found
    }

    private func forEachEdge(
        of rings: [Ring],
        _ body: (_ start: (x: Double, y: Double), _ end: (x: Double, y: Double)) -> Void
    ) {
        for ring in rings {
            guard var previous = ring.last else { continue }
            for corner in ring {
                body(previous, corner)
                previous = corner
            }
        }
    }
}
