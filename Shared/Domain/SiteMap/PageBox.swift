import Glibc

/// A rectangle on the page for a text or a sign, turned about its middle.
struct PageBox {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    /// The rectangle's rotation, clockwise.
    var degrees = 0.0

    var corners: [(x: Double, y: Double)] {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { right, down in
            let (across, along) = (right * width, down * height)
            return (x + across * cosine - along * sine, y + across * sine + along * cosine)
        }
    }

    /// Two rectangles are apart if their projections on a side of either are apart (the separating
    /// axis theorem).
    func overlaps(_ other: PageBox) -> Bool {
        let reach = (width + height + other.width + other.height) / 2
        guard abs(x - other.x) < reach, abs(y - other.y) < reach else { return false }
        let (mine, others) = (corners, other.corners)
        for degrees in [degrees, degrees + 90, other.degrees, other.degrees + 90] {
            let axis = (x: cos(degrees * .pi / 180), y: sin(degrees * .pi / 180))
            func extent(_ corners: [(x: Double, y: Double)]) -> (least: Double, most: Double) {
                let shadows = corners.map { $0.x * axis.x + $0.y * axis.y }
                return (shadows.min() ?? 0, shadows.max() ?? 0)
            }
            let (one, two) = (extent(mine), extent(others))
            if one.most <= two.least || two.most <= one.least { return false }
        }
        return true
    }
}
