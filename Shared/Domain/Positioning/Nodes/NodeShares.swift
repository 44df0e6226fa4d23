import Geometry
import Glibc

/// The probability of each room and floor; room -1 is outside of every room.
struct NodeShares {
    private(set) var rooms: [Int32: Float] = [:]
    private(set) var floors: [Int32: Float] = [:]
    private(set) var floorByRoom: [Int32: Int32] = [:]
    /// The share of devices in the cells of each room before any reading, up to a factor.
    private(set) var priors: [Int32: Float] = [:]

    init(_ posterior: NodePosterior, _ fields: NodeFields) {
        for (number, share) in zip(posterior.cells, posterior.probabilities) where share > 0 {
            let cell = fields.cells[Int(number)]
            rooms[cell.room, default: 0] += share
            floors[cell.floor, default: 0] += share
            floorByRoom[cell.room] = cell.floor
        }
        for number in posterior.cells {
            let cell = fields.cells[Int(number)]
            priors[cell.room, default: 0] += exp(cell.prior)
        }
    }

    /// How well the readings fit in each room, up to a factor.
    var evidence: [Int32: Float] {
        var evidence: [Int32: Float] = [:]
        for (room, share) in rooms { evidence[room] = share / max(priors[room, default: 0], 1e-9) }
        return evidence
    }
}

/// The mean of the cells of one floor, and how far they lie around it.
struct NodeSpread {
    private(set) var mean = Point(x: 0, y: 0)
    /// Square metres.
    private(set) var covariance = Estimate.Covariance(xx: 0, xy: 0, yy: 0)
    /// Metres around the mean that hold 68 and 95 % of the probability.
    private(set) var radius68 = 0.0
    private(set) var radius95 = 0.0

    /// - Parameter floor: has some probability.
    init(_ posterior: NodePosterior, _ fields: NodeFields, floor: Int32) {
        var cells: [(point: Point, share: Double)] = []
        for (number, share) in zip(posterior.cells, posterior.probabilities) where share > 0 {
            let cell = fields.cells[Int(number)]
            if cell.floor == floor { cells.append((cell.point, Double(share))) }
        }
        let total = cells.reduce(0) { $0 + $1.share }
        guard total > 0 else { return }
        for cell in cells {
            mean.x += cell.share / total * cell.point.x
            mean.y += cell.share / total * cell.point.y
        }
        // A cell is a square, not a point.
        let square = NodeFields.pitchMetres * NodeFields.pitchMetres / 12
        covariance = Estimate.Covariance(xx: square, xy: 0, yy: square)
        for cell in cells {
            let (x, y) = (cell.point.x - mean.x, cell.point.y - mean.y)
            covariance.xx += cell.share / total * x * x
            covariance.xy += cell.share / total * x * y
            covariance.yy += cell.share / total * y * y
        }
        let far = cells.map { (metres: $0.point.distance(to: mean), share: $0.share / total) }
            .sorted { $0.metres < $1.metres }
        func radius(_ share: Double) -> Double {
            var sum = 0.0
            let metres = far.first {
                sum += $0.share
                return sum >= share
            }?.metres
            return max(
                RadiusCalibration.leastRadiusMetres,
                (metres ?? far[far.count - 1].metres) + NodeFields.pitchMetres / 2)
        }
        radius68 = radius(0.68)
        radius95 = max(radius68, radius(0.95))
    }
}
