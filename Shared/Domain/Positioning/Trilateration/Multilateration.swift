import Geometry
import Glibc

/// Locates a telephone by transmitters whose places are known: nonlinear least squares over its
/// place and offset.
///
/// A residual beyond `robustDeviations` counts linearly (Huber 1964, "Robust estimation of a
/// location parameter"). Its weight is computed again in each step. Steps are damped by the method
/// of Levenberg and Marquardt.
struct Multilateration {
    static let robustDeviations = 1.5
    /// The standard deviation between telephones, in dB.
    static let offsetDeviation = 5.0
    static let mostSteps = 40

    struct Answer {
        var point: Point
        /// The telephone's offset, in dB.
        var offset: Double
        /// The robust sum; half of it is minus the log-likelihood, up to a constant.
        var cost: Double
        /// Square metres.
        var covariance: Estimate.Covariance
    }

    let heard: [(loss: FittedPathLoss, rssi: Double)]
    /// Measured distances, which the telephone's offset does not touch.
    var ranges: [AnchoredRange] = []

    /// The best result of several starts; nil for fewer than three transmitters and distances.
    func answer() -> Answer? {
        guard heard.count + ranges.count >= 3 else { return nil }
        let nearest = ranges.sorted { $0.metres < $1.metres }.map(\.point)
        let strongest = heard.sorted { $0.rssi > $1.rssi }.map(\.loss.point)
        let starts = Array((nearest + strongest).prefix(3))
        let middle = Point(
            x: starts.reduce(0) { $0 + $1.x } / 3, y: starts.reduce(0) { $0 + $1.y } / 3)
        return (starts + [middle]).map { descend(from: $0) }.min { $0.cost < $1.cost }
    }

    /// The result of a single descent; nil for fewer than three transmitters and distances.
    func answer(from start: Point) -> Answer? {
        guard heard.count + ranges.count >= 3 else { return nil }
        return descend(from: start)
    }

    /// The robust cost at a place with an offset.
    func cost(_ point: Point, offset: Double) -> Double {
        let own = offset * offset / (Self.offsetDeviation * Self.offsetDeviation)
        let byStrength = heard.reduce(own) { sum, heard in
            let residual =
                abs(heard.rssi - offset - heard.loss.rssi(at: point)) / heard.loss.deviation
            return sum + Self.robust(residual)
        }
        return ranges.reduce(byStrength) { $0 + $1.cost(at: point) }
    }

    /// Huber's function of a residual in deviations.
    static func robust(_ residual: Double) -> Double {
        let limit = robustDeviations
        return residual <= limit ? residual * residual : 2 * limit * residual - limit * limit
    }

    private func descend(from start: Point) -> Answer {
        var point = start
        var offset = 0.0
        var cost = cost(point, offset: offset)
        var damping = 1e-2
        var normal = Normal()
        for _ in 0..<Self.mostSteps {
            normal = self.normal(at: point, offset: offset)
            guard let step = normal.solved(damping: damping) else { break }
            let next = Point(x: point.x + step.x, y: point.y + step.y)
            let nextCost = self.cost(next, offset: offset + step.offset)
            if nextCost < cost {
                let isDone = cost - nextCost < 1e-9 * (1 + cost)
                (point, offset, cost) = (next, offset + step.offset, nextCost)
                damping = max(1e-9, damping / 5)
                if isDone { break }
            } else {
                damping *= 5
                if damping > 1e9 { break }
            }
        }
        return Answer(
            point: point, offset: offset, cost: cost,
            covariance: self.normal(at: point, offset: offset).covariance)
    }

    private func normal(at point: Point, offset: Double) -> Normal {
        var normal = Normal()
        normal.oo = 1 / (Self.offsetDeviation * Self.offsetDeviation)
        normal.go = -offset * normal.oo
        for heard in heard {
            let loss = heard.loss
            let residual = heard.rssi - offset - loss.rssi(at: point)
            let deviations = abs(residual) / loss.deviation
            let weight =
                min(1, Self.robustDeviations / max(deviations, 1e-12))
                / (loss.deviation * loss.deviation)
            let distance = FittedPathLoss.distance(loss.point, point)
            let slope = -10 * loss.exponent / M_LN10 / (distance * distance)
            normal.add(
                x: slope * (point.x - loss.point.x), y: slope * (point.y - loss.point.y),
                residual: residual, weight: weight)
        }
        for range in ranges {
            let slope = range.slope(at: point)
            let residual = range.metres - range.distance(to: point)
            let weight =
                min(1, Self.robustDeviations * range.deviation / max(abs(residual), 1e-12))
                / (range.deviation * range.deviation)
            normal.addRange(x: slope.x, y: slope.y, residual: residual, weight: weight)
        }
        return normal
    }

    /// The normal equations of place and offset.
    private struct Normal {
        var xx = 0.0
        var xy = 0.0
        var yy = 0.0
        var xo = 0.0
        var yo = 0.0
        var oo = 0.0
        var gx = 0.0
        var gy = 0.0
        var go = 0.0

        mutating func add(x: Double, y: Double, residual: Double, weight: Double) {
            xx += weight * x * x
            xy += weight * x * y
            yy += weight * y * y
            xo += weight * x
            yo += weight * y
            oo += weight
            gx += weight * x * residual
            gy += weight * y * residual
            go += weight * residual
        }

        /// A measured distance says nothing about the offset.
        mutating func addRange(x: Double, y: Double, residual: Double, weight: Double) {
            xx += weight * x * x
            xy += weight * x * y
            yy += weight * y * y
            gx += weight * x * residual
            gy += weight * y * residual
        }

        /// The equations of the place alone, after elimination of the offset.
        private func reduced(
            damping: Double
        ) -> (xx: Double, xy: Double, yy: Double, gx: Double, gy: Double, oo: Double) {
            let oo = oo * (1 + damping)
            return (
                xx * (1 + damping) - xo * xo / oo, xy - xo * yo / oo,
                yy * (1 + damping) - yo * yo / oo, gx - xo * go / oo, gy - yo * go / oo, oo
            )
        }

        func solved(damping: Double) -> (x: Double, y: Double, offset: Double)? {
            let left = reduced(damping: damping)
            let determinant = left.xx * left.yy - left.xy * left.xy
            guard determinant > 1e-18 else { return nil }
            let x = (left.gx * left.yy - left.gy * left.xy) / determinant
            let y = (left.gy * left.xx - left.gx * left.xy) / determinant
            return (x, y, (go - xo * x - yo * y) / left.oo)
        }

        /// The inverse of the readings' information about the place. Without information the
        /// deviation is a kilometre.
        var covariance: Estimate.Covariance {
            let least = 1e-6
            let left = reduced(damping: 0)
            let (xx, yy) = (left.xx + least, left.yy + least)
            let determinant = xx * yy - left.xy * left.xy
            return Estimate.Covariance(
                xx: yy / determinant, xy: -left.xy / determinant, yy: xx / determinant)
        }
    }
}
