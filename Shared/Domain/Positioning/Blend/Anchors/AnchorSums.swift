import Geometry
import Glibc

/// The readings of each transmitter, summed up at each anchor and smoothed over its neighbours.
struct AnchorSums {
    struct Sum {
        /// The weighted number of surveys that received the transmitter.
        var count = 0.0
        /// The sum of readings in dBm, and the sum of their squares.
        var sum = 0.0
        var squares = 0.0

        static func += (left: inout Sum, right: Sum) {
            left.count += right.count
            left.sum += right.sum
            left.squares += right.squares
        }

        static func * (sum: Sum, weight: Double) -> Sum {
            Sum(count: sum.count * weight, sum: sum.sum * weight, squares: sum.squares * weight)
        }
    }

    private typealias Heard = (transmitter: Int32, sum: Sum)

    /// The map's weakest reading, in dBm.
    let weakest: Double
    /// The number of transmitters that any survey received.
    let knownTransmitters: Int

    private let anchors: Anchors
    private let transmitterCount: Int
    private let heard: [[Heard]]
    /// The weighted number of surveys of each anchor.
    private let surveys: [Double]

    init(_ surveys: SurveyReadings, _ anchors: Anchors) {
        var weakest = 0.0
        transmitterCount = surveys.map.transmitters.count
        var isKnown = [Bool](repeating: false, count: transmitterCount)
        var sums = [Sum](repeating: Sum(), count: transmitterCount)
        var heard: [[Heard]] = []
        var counts: [Double] = []
        var readings: [NumberedReading] = []
        for anchor in 0..<anchors.count {
            let rows = anchors.rows(of: anchor)
            let weight = min(1, AnchorLikelihood.surveysOfAnchor / Double(rows.count))
            var met: [Int32] = []
            for row in rows {
                surveys.readings(of: anchors.rows[row], into: &readings)
                for reading in readings {
                    let transmitter = reading.transmitter
                    let rssi = Double(reading.rssi)
                    weakest = min(weakest, rssi)
                    if sums[Int(transmitter)].count == 0 { met.append(transmitter) }
                    sums[Int(transmitter)] +=
                        Sum(count: 1, sum: rssi, squares: rssi * rssi) * weight
                }
            }
            met.sort()
            heard.append(met.map { ($0, sums[Int($0)]) })
            for transmitter in met {
                sums[Int(transmitter)] = Sum()
                isKnown[Int(transmitter)] = true
            }
            counts.append(Double(rows.count) * weight)
        }
        self.weakest = weakest
        self.anchors = anchors
        self.heard = heard
        self.surveys = counts
        knownTransmitters = isKnown.count { $0 }
    }

    /// Calls the body with each anchor, its smoothed number of surveys and the smoothed sums of the
    /// readings near it.
    func forEachSmoothed(
        kernelMetres: Double, least: Double,
        body: (Int, Double, [(transmitter: Int32, sum: Sum)]) -> Void
    ) {
        let reach = kernelMetres * (-2 * log(least)).squareRoot()
        var sums = [Sum](repeating: Sum(), count: transmitterCount)
        var met: [Int32] = []
        forEachNeighbourhood(reach: reach) { anchor, neighbours in
            var total = 0.0
            met.removeAll(keepingCapacity: true)
            for (neighbour, distance) in neighbours {
                let kernel = exp(-distance * distance / (2 * kernelMetres * kernelMetres))
                total += kernel * surveys[neighbour]
                for (transmitter, sum) in heard[neighbour] {
                    if sums[Int(transmitter)].count == 0 { met.append(transmitter) }
                    sums[Int(transmitter)] += sum * kernel
                }
            }
            body(anchor, total, met.map { ($0, sums[Int($0)]) })
            for transmitter in met { sums[Int(transmitter)] = Sum() }
        }
    }

    /// Calls the body with each anchor and the anchors of its floor within reach, including itself.
    /// It searches only a strip as wide as the reach.
    private func forEachNeighbourhood(
        reach: Double, body: (Int, [(anchor: Int, distance: Double)]) -> Void
    ) {
        let order = (0..<anchors.count).sorted { left, right in
            (anchors.floors[left], anchors.points[left].x, left)
                < (anchors.floors[right], anchors.points[right].x, right)
        }
        var first = 0
        for own in order {
            let point = anchors.points[own]
            while anchors.floors[order[first]] != anchors.floors[own]
                || anchors.points[order[first]].x < point.x - reach
            {
                first += 1
            }
            var neighbours: [(anchor: Int, distance: Double)] = []
            for other in order[first...] {
                guard anchors.floors[other] == anchors.floors[own],
                    anchors.points[other].x <= point.x + reach
                else { break }
                let distance = anchors.points[other].distance(to: point)
                if distance <= reach { neighbours.append((other, distance)) }
            }
            body(own, neighbours)
        }
    }
}
