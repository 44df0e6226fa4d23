import Geometry
import Glibc

/// The strength of a transmitter on one floor: `level - 10 * exponent * log10(distance)`. The
/// distance is to its apparent place, as seen from that floor (log-distance path loss, Rappaport
/// 2002, "Wireless Communications", section 4.9).
struct FittedPathLoss: Hashable, Sendable {
    /// Metres from a telephone up to the ceiling; it keeps the logarithm finite.
    static let heightMetres = 2.0
    /// The allowed exponents, from free space to several walls.
    static let exponents = 1.0...6.0
    static let fewestReadings = 6
    /// The most readings used for a fit. More are thinned out, because they add nothing.
    static let mostReadings = 200
    /// The most steps of the search for a transmitter's place. Where strength hardly changes over
    /// the surveys, each step away fits a little better, without end.
    static let mostMoves = 200
    /// The smallest deviation of a fit, in dB.
    static let leastDeviation = 3.0

    var point: Point
    /// The strength at a distance of one metre, in dBm.
    var level: Double
    var exponent: Double
    /// The deviation of readings, in dB.
    var deviation: Double

    func rssi(at place: Point) -> Double {
        level - 10 * exponent * log10(Self.distance(point, place))
    }

    static func distance(_ one: Point, _ other: Point) -> Double {
        let plane = one.distance(to: other)
        return (plane * plane + heightMetres * heightMetres).squareRoot()
    }

    /// The path loss where nothing was measured. Strength falls by 30 dB in a decade of metres, and
    /// varies by 10 dB from place to place. Both figures are for offices at 2 to 5 GHz
    /// (Recommendation ITU-R P.1238-10). The level assumes that 15 dBm are sent. It subtracts 47 dB
    /// for the first metre at 5.2 GHz, and some 8 dB for a small antenna and a hand.
    static func unmeasured(at point: Point) -> FittedPathLoss {
        FittedPathLoss(point: point, level: -40, exponent: 3, deviation: 10)
    }

    /// The loss through this many floors, in dB (same source, table 3: offices, 15 + 4 (n - 1)).
    static func loss(ofFloors count: Int) -> Double {
        count == 0 ? 0 : 15 + 4 * Double(count - 1)
    }

    /// Fits the path loss to readings; nil for too few. The search for the transmitter's place
    /// starts at the middle of the strongest readings, with steps that get smaller. Level and
    /// exponent follow by least squares.
    init?(_ readings: [(point: Point, rssi: Double)]) {
        guard readings.count >= Self.fewestReadings else { return nil }
        let step = max(1, readings.count / Self.mostReadings)
        let used = stride(from: 0, to: readings.count, by: step).map { readings[$0] }
        var weights = 0.0
        var middle = Point(x: 0, y: 0)
        for reading in used {
            let weight = pow(10, reading.rssi / 20)
            weights += weight
            middle.x += weight * reading.point.x
            middle.y += weight * reading.point.y
        }
        var best = Self.line(used, from: Point(x: middle.x / weights, y: middle.y / weights))
        var metres = 8.0
        var moves = 0
        while metres >= 0.5, moves < Self.mostMoves {
            moves += 1
            let around = [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)].map { x, y in
                Self.line(
                    used,
                    from: Point(
                        x: best.loss.point.x + x * metres, y: best.loss.point.y + y * metres))
            }
            let better = around.min { $0.cost < $1.cost }!
            if better.cost < best.cost { best = better } else { metres /= 2 }
        }
        self = best.loss
    }

    init(point: Point, level: Double, exponent: Double, deviation: Double) {
        self.point = point
        self.level = level
        self.exponent = exponent
        self.deviation = deviation
    }

    /// Level and exponent for a transmitter at the point, and the sum of squared residuals.
    private static func line(
        _ readings: [(point: Point, rssi: Double)], from point: Point
    ) -> (loss: FittedPathLoss, cost: Double) {
        let count = Double(readings.count)
        let decades = readings.map { log10(distance(point, $0.point)) }
        let decade = decades.reduce(0, +) / count
        let rssi = readings.reduce(0) { $0 + $1.rssi } / count
        var variance = 0.0
        var covariance = 0.0
        for (reading, own) in zip(readings, decades) {
            variance += (own - decade) * (own - decade)
            covariance += (own - decade) * (reading.rssi - rssi)
        }
        let slope = variance > 1e-9 ? -covariance / variance / 10 : 2
        let exponent = min(max(slope, exponents.lowerBound), exponents.upperBound)
        let level = rssi + 10 * exponent * decade
        let cost = zip(readings, decades).reduce(0) { sum, pair in
            let residual = pair.0.rssi - level + 10 * exponent * pair.1
            return sum + residual * residual
        }
        let deviation = max(leastDeviation, (cost / max(1, count - 4)).squareRoot())
        return (
            FittedPathLoss(point: point, level: level, exponent: exponent, deviation: deviation),
            cost
        )
    }
}
