import Events
import Glibc
import Positioning

/// Fits how nodes hear to their links.
///
/// The strength of a link is the sum of the site's level, the node's offset and the source's power.
/// It loses 10 exponents for each decade of metres, and at walls and floors. All are found together
/// by least squares with robust weights (P. Huber, "Robust statistics", 1981, chapter 7). They are
/// drawn towards what is usual, so that few links don't give extreme figures. The inverse of the
/// normal equations gives the standard errors.
struct NodeFit {
    static let robustDeviations = 1.5
    static let rounds = 12
    /// dB; furniture and fittings differ from link to link at least by this.
    static let leastDeviation = 2.0
    /// The deviations of what is fitted around what is usual.
    static let levelDeviation = 10.0
    static let powerDeviation = 5.0
    static let exponentDeviation = 0.5
    static let ownExponentDeviation = 0.2
    static let wallDeviation = 2.0
    static let floorDeviation = 4.0

    let nodes: [ScannerID]
    private let sources: [NodeSource]
    private(set) var level = NodeHearingModel.usualLevel
    private(set) var exponent = NodeHearingModel.usualExponent
    private(set) var wallLoss = NodeHearingModel.usualWallLoss
    private(set) var floorLoss = NodeHearingModel.usualFloorLoss
    /// dB.
    private(set) var deviation = NodeHearingModel.usualDeviation
    private(set) var offsets: [Double]
    private(set) var offsetErrors: [Double]
    /// The difference of each node's exponent from the site's.
    private(set) var ownExponents: [Double]
    private(set) var exponentErrors: [Double]

    private static let shared = 4

    /// - Parameter links: at least one.
    init(_ links: [NodeLink]) {
        nodes = Set(links.map(\.node)).sorted()
        sources = Set(links.map(\.source)).sorted()
        offsets = [Double](repeating: 0, count: nodes.count)
        ownExponents = offsets
        offsetErrors = offsets
        exponentErrors = offsets
        let rows = self.rows(links)
        var weights = [Double](repeating: 1, count: rows.count)
        var solution: [Double] = []
        var variances: [Double] = []
        var system = NormalEquations(count: 0)
        for _ in 0..<Self.rounds {
            system = equations(rows, weights)
            solution = system.solved()
            let residuals = rows.map { row in
                let residual = row.rest - row.value(solution)
                return row.isBound ? min(0, residual) : residual
            }
            variances = system.variances(of: 0..<system.count)
            deviation = max(Self.leastDeviation, self.deviation(residuals, rows, variances))
            weights = zip(residuals, rows).map { residual, row in
                // A strength below its bound says no more.
                if row.isBound, residual == 0 { return 0 }
                let size = (deviation * deviation + row.variance).squareRoot()
                return min(1, Self.robustDeviations * size / max(abs(residual), 1e-9))
            }
        }
        level += solution[0]
        exponent += solution[1]
        wallLoss += solution[2]
        floorLoss += solution[3]
        for number in nodes.indices {
            let own = Self.shared + 2 * number
            offsets[number] = solution[own]
            ownExponents[number] = solution[own + 1]
            offsetErrors[number] = variances[own].squareRoot()
            exponentErrors[number] = variances[own + 1].squareRoot()
        }
    }

    /// The deviation of the links from the fit, by the median of the residuals' sizes. A fit of
    /// many figures follows the links' own errors, so its degrees of freedom count.
    private func deviation(
        _ residuals: [Double], _ rows: [Row], _ variances: [Double]
    ) -> Double {
        // Each figure counts by how much less uncertain the links made it.
        let fitted = zip(priors, variances).reduce(0) { sum, pair in
            sum + max(0, 1 - pair.1 / (pair.0 * pair.0))
        }
        let sizes = zip(residuals, rows).filter { !$1.isBound }.map { abs($0.0) }.sorted()
        let count = Double(zip(residuals, rows).count { !$1.isBound || $0 < 0 })
        let free = max(count - fitted, count / 10)
        return 1.4826 * sizes[sizes.count / 2] * (count / free).squareRoot()
    }

    /// The deviation of each figure around what is usual.
    private var priors: [Double] {
        [Self.levelDeviation, Self.exponentDeviation, Self.wallDeviation, Self.floorDeviation]
            + nodes.flatMap { _ in
                [NodeHearingModel.offsetDeviation, Self.ownExponentDeviation]
            } + sources.map { _ in Self.powerDeviation }
    }

    /// One link as an equation of few unknowns.
    private struct Row {
        var terms: [(unknown: Int, factor: Double)]
        /// The strength that the usual figures leave to explain, in dB.
        var rest: Double
        /// The variance of it by what was missed.
        var variance: Double
        var isBound: Bool

        func value(_ solution: [Double]) -> Double {
            terms.reduce(0) { $0 + $1.factor * solution[$1.unknown] }
        }
    }

    private func rows(_ links: [NodeLink]) -> [Row] {
        let nodeNumbers = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1, $0) })
        let sourceNumbers = Dictionary(uniqueKeysWithValues: sources.enumerated().map { ($1, $0) })
        return links.map { link in
            let path = link.path
            let own = Self.shared + 2 * nodeNumbers[link.node]!
            let source = Self.shared + 2 * nodes.count + sourceNumbers[link.source]!
            let slope = -10 * path.decades
            let usual =
                level + slope * exponent - wallLoss * Double(path.walls)
                - floorLoss * Double(path.floors)
            return Row(
                terms: [
                    (0, 1), (1, slope), (2, -Double(path.walls)), (3, -Double(path.floors)),
                    (own, 1), (own + 1, slope), (source, 1),
                ], rest: link.rssi - usual, variance: link.variance,
                isBound: link.isBound)
        }
    }

    private func equations(_ rows: [Row], _ weights: [Double]) -> NormalEquations {
        var system = NormalEquations(count: priors.count)
        for (unknown, deviation) in priors.enumerated() {
            system.add([(unknown, 1)], value: 0, weight: 1 / (deviation * deviation))
        }
        let variance = deviation * deviation
        for (row, weight) in zip(rows, weights) {
            system.add(row.terms, value: row.rest, weight: weight / (variance + row.variance))
        }
        return system
    }
}
