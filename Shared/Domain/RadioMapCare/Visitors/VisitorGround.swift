import Events
import Geometry
import Positioning

/// The access points of a radio map by cells of its floors. A scan can be placed here without any
/// one of them.
struct VisitorGround {
    /// The readings of one access point in the surveys of a cell.
    struct CellReading {
        let sum: HeardSum
        /// dBm.
        let mean: Double
        /// The part of the cell's surveys that received it.
        let share: Double
    }

    /// A weighted sum of differences in dB.
    struct Misfit {
        var sum = 0.0
        var weight = 0.0

        var mean: Double { weight > 0 ? sum / weight : .infinity }

        static func += (left: inout Misfit, right: Misfit) {
            left.sum += right.sum
            left.weight += right.weight
        }

        static func -= (left: inout Misfit, right: Misfit) {
            left.sum -= right.sum
            left.weight -= right.weight
        }
    }

    /// dB; of two cells whose misfits differ by less, the scan does not say which it is.
    static let margin = 1.0
    /// Metres; cells that fit alike are one place if they are no farther apart.
    static let placeMetres = 8.0
    /// dB; a scan that fits no cell better comes from a place without surveys.
    static let largestMisfit = 9.0
    /// A scan with fewer comparisons can't be placed.
    static let fewestOthers = 5.0
    /// Misfits are sums in different orders, so they are equal up to this.
    private static let rounding = 1e-9

    /// Ascending.
    let cells: [SurveyCell]
    /// The number of surveys in each cell.
    private(set) var scans: [Int]
    /// The readings of each cell.
    private(set) var readings: [[HardwareAddress: CellReading]]
    /// The cells that received each access point, ascending, with the same readings.
    private(set) var receivers: [HardwareAddress: [(cell: Int, reading: CellReading)]] = [:]
    /// The misfit of a scan without any reading.
    private var silence: [Misfit]
    private let numbers: [SurveyCell: Int]

    init(_ map: RadioMap) {
        let cellOf = map.fingerprints.map { SurveyCell($0.point, on: map.floors[Int($0.floor)]) }
        cells = Set(cellOf).sorted()
        numbers = Dictionary(uniqueKeysWithValues: zip(cells, cells.indices))
        scans = Array(repeating: 0, count: cells.count)
        silence = Array(repeating: Misfit(), count: cells.count)
        var sums = [[HardwareAddress: HeardSum]](repeating: [:], count: cells.count)
        for (fingerprint, key) in cellOf.enumerated() {
            guard let cell = numbers[key] else { continue }
            scans[cell] += 1
            for position in map.readings(of: fingerprint) {
                let transmitter = map.transmitters[Int(map.readingTransmitter[position])]
                guard case .wifi(let address) = transmitter else { continue }
                sums[cell][address, default: HeardSum()].add(Double(map.readingRSSI[position]))
            }
        }
        readings = zip(sums, scans).map { sums, scans in
            sums.mapValues { sum in
                CellReading(
                    sum: sum, mean: sum.mean, share: Double(sum.count) / Double(scans))
            }
        }
        for cell in cells.indices {
            for (address, known) in readings[cell].sorted(by: { $0.key < $1.key }) {
                receivers[address, default: []].append((cell, known))
                silence[cell] += Self.misfit(nil, known)
            }
        }
    }

    /// The difference that one access point adds. It counts where it is strong on either side.
    static func misfit(_ level: Double?, _ known: CellReading?) -> Misfit {
        guard max(level ?? -200, known?.mean ?? -200) >= HeardSignals.strongLevel else {
            return Misfit()
        }
        let weight = level == nil ? known?.share ?? 0 : 1
        let difference =
            if let level, let known {
                abs(level - known.mean)
            } else {
                (level ?? known?.mean ?? 0) - HeardSignals.unheardLevel
            }
        return Misfit(
            sum: weight * min(max(0, difference), HeardSignals.mostDifference), weight: weight)
    }

    /// The misfits of a scan in the cells that share an access point with it, ascending by cell.
    ///
    /// - Parameter levels: dBm of access points of the map.
    func misfits(of levels: [HardwareAddress: Double]) -> [(cell: Int, misfit: Misfit)] {
        var found = [Misfit?](repeating: nil, count: cells.count)
        var alone = Misfit()
        for (address, level) in levels.sorted(by: { $0.key < $1.key }) {
            let unknown = Self.misfit(level, nil)
            alone += unknown
            for (cell, known) in receivers[address] ?? [] {
                var misfit = found[cell] ?? silence[cell]
                misfit += Self.misfit(level, known)
                misfit -= Self.misfit(nil, known)
                misfit -= unknown
                found[cell] = misfit
            }
        }
        return found.enumerated().compactMap { cell, misfit in
            guard var misfit else { return nil }
            misfit += alone
            return (cell, misfit)
        }
    }

    /// The cell that fits best, as an index; nil where that is undecided, or no cell fits.
    ///
    /// - Parameter without: an access point that does not count, and its level in the scan.
    func fit(
        _ misfits: [(cell: Int, misfit: Misfit)],
        without own: (address: HardwareAddress, level: Double?)? = nil
    ) -> Int? {
        let unknown = Self.misfit(own?.level, nil)
        var receivers = (own.flatMap { self.receivers[$0.address] } ?? [])[...]
        let means = misfits.map { cell, misfit in
            var misfit = misfit
            if own != nil {
                // Both lists ascend.
                receivers = receivers.drop { $0.cell < cell }
                let known = receivers.first?.cell == cell ? receivers.first?.reading : nil
                misfit -= known == nil ? unknown : Self.misfit(own?.level, known)
            }
            return misfit.weight < Self.fewestOthers ? .infinity : misfit.mean
        }
        guard let best = Self.least(means), means[best] <= Self.largestMisfit + Self.rounding
        else { return nil }
        let cell = misfits[best].cell
        let limit = means[best] + Self.margin + Self.rounding
        for (index, mean) in means.enumerated() where mean <= limit {
            guard isOnePlace(cells[cell], cells[misfits[index].cell]) else { return nil }
        }
        return cell
    }

    /// The cell with the least misfit, however large that is.
    func nearest(_ misfits: [(cell: Int, misfit: Misfit)]) -> Int? {
        Self.least(misfits.map(\.misfit.mean)).map { misfits[$0].cell }
    }

    /// The index of the first of the smallest values.
    private static func least(_ values: [Double]) -> Int? {
        guard let least = values.min() else { return nil }
        return values.firstIndex { $0 <= least + rounding }
    }

    private func isOnePlace(_ one: SurveyCell, _ other: SurveyCell) -> Bool {
        one.floor == other.floor
            && one.centre.distance(to: other.centre) <= Self.placeMetres
    }

    /// The surveyed cells around a cell, and that cell.
    func around(_ cell: Int) -> [Int] {
        let centre = cells[cell].centre
        let steps = [-ChangeDetector.cellMetres, 0, ChangeDetector.cellMetres]
        return steps.flatMap { x in
            steps.compactMap { y in
                numbers[
                    SurveyCell(Point(x: centre.x + x, y: centre.y + y), on: cells[cell].floor)]
            }
        }
    }
}
