import Events
import Geometry
import Glibc

/// The probability of each cell, by what nodes hear of a device.
///
/// Residuals beyond `robustDeviations` count linearly, as in `Multilateration`. The device's own
/// strength is unknown; in each cell it is the one that fits best. A node nearby that hears nothing
/// speaks against cells where it should.
struct NodePosterior {
    static let robustDeviations: Float = 2.5
    /// The deviation of devices among one another, in dB, with the bodies of those who carry them.
    static let deviceDeviation: Float = 6
    /// The deviation of a link by the body of who carries the device, in dB.
    static let bodyDeviation: Float = 2.5
    /// Weaker signals than this are missed, in dBm.
    static let weakestHeard: Float = -90
    /// The strength beyond a node's reach, in dBm.
    static let beyondReach: Float = -100
    /// The most that the silence of one node may count, in squared deviations.
    static let mostSilence: Float = 9
    /// The most for each scan: a node may miss one scan of five for no reason, since it listens to
    /// one channel at a time.
    static let silenceOfScan: Float = 3.2
    /// The nodes around which the device may be. The best one alone may be so by chance.
    static let strongestNodes = 3
    /// A distance that is less certain than this was made from the strength, which says more where
    /// the node is calibrated.
    static let mostRelativeDeviation = 0.3
    /// The factor of log-likelihoods: the errors of nodes are not independent.
    static let temper: Float = 1
    /// Cells less probable than this share of the best one don't count.
    static let leastShare: Float = 1e-4

    /// A node's smoothed reading, or a distance.
    struct Heard {
        var node: Int
        var rssi: Float
        /// dB squared, by noise.
        var variance: Float
        var distance: MeasuredDistance?
    }

    private let mostCost: Float
    /// Ascending.
    private(set) var cells: [Int32] = []
    /// Sum up to 1.
    private(set) var probabilities: [Float] = []

    /// The posterior around the nodes that hear the device best.
    ///
    /// - Parameters:
    ///   - heard: at least one.
    ///   - scans: the number of scans that were smoothed.
    ///   - mostCost: the most that one reading may count, in squared deviations.
    init(
        _ heard: [Heard], scans: Float, _ fields: NodeFields, mostCost: Float = .infinity
    ) {
        self.mostCost = mostCost
        // The least loss on the way: a node that hears everything well is not near for that.
        let nearest = heard.sorted {
            fields.nodes[$0.node].base - $0.rssi < fields.nodes[$1.node].base - $1.rssi
        }
        for reading in nearest.prefix(Self.strongestNodes) {
            cells = Self.union(cells, fields.nodes[reading.node].cells)
        }
        guard !cells.isEmpty else { return }
        probabilities = Self.probabilities(
            of: costs(heard, nearest[0].node, scans: scans, fields))
    }

    /// All of the ascending cells, ascending.
    private static func union(_ left: [Int32], _ right: [Int32]) -> [Int32] {
        guard !left.isEmpty else { return right }
        var all: [Int32] = []
        all.reserveCapacity(left.count + right.count)
        var (one, other) = (0, 0)
        while one < left.count, other < right.count {
            let (first, second) = (left[one], right[other])
            all.append(min(first, second))
            if first <= second { one += 1 }
            if second <= first { other += 1 }
        }
        all.append(contentsOf: left[one...])
        all.append(contentsOf: right[other...])
        return all
    }

    /// The deviation of a measured distance. Neither its node's place nor the device's cell is
    /// known better. Nil for one that does not count.
    private static func deviation(
        _ distance: MeasuredDistance, of node: NodeFields.Node
    ) -> Float? {
        if node.isCalibrated, distance.deviation > mostRelativeDeviation * distance.metres {
            return nil
        }
        let own = max(RangeAnchors.leastDeviation, distance.deviation)
        let square = NodeFields.pitchMetres * NodeFields.pitchMetres / 12
        return Float((own * own + square).squareRoot())
    }

    private static func probabilities(of costs: [Float]) -> [Float] {
        let least = costs.min()!
        var probabilities = costs.map { exp(-temper * ($0 - least) / 2) }
        for index in probabilities.indices where probabilities[index] < leastShare {
            probabilities[index] = 0
        }
        let total = probabilities.reduce(0, +)
        for index in probabilities.indices { probabilities[index] /= total }
        return probabilities
    }

    /// For each cell the robust sum of squared deviations, with the cell's prior.
    private func costs(
        _ heard: [Heard], _ nearest: Int, scans: Float, _ fields: NodeFields
    ) -> [Float] {
        var residuals: [[Float]] = []
        var weights: [Float] = []
        var costs = cells.map { -2 / Self.temper * fields.cells[Int($0)].prior }
        var strengths: [Float] = []
        for reading in heard {
            let node = fields.nodes[reading.node]
            let variance =
                node.deviation * node.deviation + reading.variance
                + Self.bodyDeviation * Self.bodyDeviation
            // Some nodes compute a distance from the strength, so only one of both counts.
            let own = node.metres(reading.rssi, deviation: variance.squareRoot())
            if let distance = reading.distance,
                let deviation = Self.deviation(distance, of: node), deviation < own
            {
                add(
                    Float(distance.metres), deviation: deviation, of: node, fields, to: &costs)
                continue
            }
            node.rssi(in: cells, into: &strengths)
            residuals.append(strengths.map { reading.rssi - ($0.isNaN ? Self.beyondReach : $0) })
            weights.append(1 / variance)
        }
        let offsets = deviceOffsets(residuals, weights)
        for (values, weight) in zip(residuals, weights) {
            addCosts(values, offsets, root: weight.squareRoot(), &costs)
        }
        let square = Self.deviceDeviation * Self.deviceDeviation
        for index in cells.indices { costs[index] += offsets[index] * offsets[index] / square }
        let present = Set(heard.map(\.node))
        let most = min(Self.mostSilence, scans * Self.silenceOfScan)
        for number in fields.nodes[nearest].neighbours where !present.contains(number) {
            let node = fields.nodes[number]
            // A node that never showed that it hears may be silent for any reason.
            guard node.isCalibrated else { continue }
            node.rssi(in: cells, into: &strengths)
            for index in cells.indices where !strengths[index].isNaN {
                let above = strengths[index] + offsets[index] - Self.weakestHeard
                guard above > 0 else { continue }
                let deviations = above / node.deviation
                costs[index] += min(most, deviations * deviations)
            }
        }
        return costs
    }

    /// In each cell, the offset of the device that fits best: a mean with robust weights, found in
    /// three steps. Loops run over all cells of one reading, so that they are vectorised.
    private func deviceOffsets(_ residuals: [[Float]], _ weights: [Float]) -> [Float] {
        var offsets = [Float](repeating: 0, count: cells.count)
        let prior = 1 / (Self.deviceDeviation * Self.deviceDeviation)
        var sums = offsets
        var totals = offsets
        for step in 0..<3 {
            for index in sums.indices {
                sums[index] = 0
                totals[index] = prior
            }
            for (values, weight) in zip(residuals, weights) {
                let limit = step == 0 ? .infinity : Self.robustDeviations / weight.squareRoot()
                Self.gather(values, offsets, weight: weight, limit: limit, &sums, &totals)
            }
            for index in offsets.indices { offsets[index] = sums[index] / totals[index] }
        }
        return offsets
    }

    /// Adds one reading's weighted residuals; those beyond the limit weigh less.
    private static func gather(
        _ values: [Float], _ offsets: [Float], weight: Float, limit: Float, _ sums: inout [Float],
        _ totals: inout [Float]
    ) {
        values.withUnsafeBufferPointer { values in
            offsets.withUnsafeBufferPointer { offsets in
                sums.withUnsafeMutableBufferPointer { sums in
                    totals.withUnsafeMutableBufferPointer { totals in
                        for index in 0..<values.count {
                            let size = max(abs(values[index] - offsets[index]), 1e-6)
                            let own = weight * min(1, limit / size)
                            sums[index] += own * values[index]
                            totals[index] += own
                        }
                    }
                }
            }
        }
    }

    private func add(
        _ measured: Float, deviation: Float, of node: NodeFields.Node, _ fields: NodeFields,
        to costs: inout [Float]
    ) {
        for (index, cell) in cells.enumerated() {
            let cell = fields.cells[Int(cell)]
            let plane = Float(cell.point.distance(to: node.point))
            let rise = cell.elevation - node.elevation
            let metres = (plane * plane + rise * rise).squareRoot()
            costs[index] += Self.robust(abs(measured - metres) / deviation)
        }
    }

    /// Adds one reading's robust costs.
    private func addCosts(
        _ values: [Float], _ offsets: [Float], root: Float, _ costs: inout [Float]
    ) {
        values.withUnsafeBufferPointer { values in
            offsets.withUnsafeBufferPointer { offsets in
                costs.withUnsafeMutableBufferPointer { costs in
                    for index in 0..<values.count {
                        let cost = Self.robust(abs(values[index] - offsets[index]) * root)
                        costs[index] += min(mostCost, cost)
                    }
                }
            }
        }
    }

    /// Huber's function, in squared deviations.
    private static func robust(_ deviations: Float) -> Float {
        deviations <= robustDeviations
            ? deviations * deviations
            : 2 * robustDeviations * deviations - robustDeviations * robustDeviations
    }
}
