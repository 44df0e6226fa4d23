import Geometry
import Glibc

/// The grid squares of the surveyed ground, with the weight of each survey in each square.
struct CellGrid: Sendable {
    /// The side of a square, in metres.
    static let pitch = 2.0
    /// Ground within this distance of a survey belongs to the grid, in metres.
    static let reach = 3.0
    /// The deviation of the normal kernel around a survey, in metres. The best value was found on
    /// training paths of MS site 1; 3.5 metres is hardly worse.
    static let kernelDeviation = 5.0
    /// The same on a densely surveyed floor (`RadioMap.areDense`), where it need not bridge gaps.
    /// With less, surveys at the corners of squares would hardly belong to any.
    static let denseKernelDeviation = 1.0
    /// The deviations at which the kernel ends. All surveys reach the middle of a square.
    static let kernelReach = 1.6

    struct Cell: Hashable, Sendable {
        let point: Point
        /// An index into the map's floors.
        let floor: Int32
        /// An index into the map's rooms, that of the nearest survey; -1 outside of every room.
        let room: Int32
    }

    /// Ordered by floor, row and column.
    let cells: [Cell]
    /// One element more than fingerprints. Fingerprint `f` has the targets and weights from
    /// `start[f]` up to `start[f + 1]`.
    private let start: [Int32]
    private let targets: [Int32]
    private let weights: [Float]
    /// The sum of all surveys' weights in each cell.
    let densities: [Float]

    private struct Slot: Hashable, Comparable {
        let floor: Int32
        let row: Int
        let column: Int

        static func < (left: Slot, right: Slot) -> Bool {
            (left.floor, left.row, left.column) < (right.floor, right.row, right.column)
        }

        var middle: Point {
            Point(
                x: (Double(column) + 0.5) * CellGrid.pitch,
                y: (Double(row) + 0.5) * CellGrid.pitch)
        }
    }

    init(_ map: RadioMap) {
        let deviations = map.areDense().map {
            $0 ? Self.denseKernelDeviation : Self.kernelDeviation
        }
        var nearest: [Slot: (distance: Double, room: Int32)] = [:]
        for fingerprint in map.fingerprints {
            Self.forEachSlot(within: Self.reach, of: fingerprint) { slot, distance in
                if let known = nearest[slot], known.distance <= distance { return }
                nearest[slot] = (distance, fingerprint.room)
            }
        }
        let slots = nearest.keys.sorted()
        cells = slots.map { Cell(point: $0.middle, floor: $0.floor, room: nearest[$0]!.room) }
        let numbers = Dictionary(
            uniqueKeysWithValues: slots.enumerated().map { ($1, Int32($0)) })
        var start: [Int32] = [0]
        var targets: [Int32] = []
        var weights: [Float] = []
        var densities = [Float](repeating: 0, count: slots.count)
        for fingerprint in map.fingerprints {
            let deviation = deviations[Int(fingerprint.floor)]
            let reach = Self.kernelReach * deviation
            Self.forEachSlot(within: reach, of: fingerprint) { slot, distance in
                guard let cell = numbers[slot] else { return }
                let deviations = distance / deviation
                let weight = Float(exp(-0.5 * deviations * deviations))
                targets.append(cell)
                weights.append(weight)
                densities[Int(cell)] += weight
            }
            start.append(Int32(targets.count))
        }
        self.start = start
        self.targets = targets
        self.weights = weights
        self.densities = densities
    }

    private static func forEachSlot(
        within metres: Double, of fingerprint: RadioMap.Fingerprint, _ body: (Slot, Double) -> Void
    ) {
        func number(_ metres: Double) -> Int { Int((metres / pitch).rounded(.down)) }
        let point = fingerprint.point
        for row in number(point.y - metres)...number(point.y + metres) {
            for column in number(point.x - metres)...number(point.x + metres) {
                let slot = Slot(floor: fingerprint.floor, row: row, column: column)
                let distance = slot.middle.distance(to: point)
                if distance <= metres { body(slot, distance) }
            }
        }
    }

    /// Calls the body with each cell near a fingerprint, and the fingerprint's weight in it.
    func forEachCell(about fingerprint: Int, _ body: (Int, Float) -> Void) {
        for position in Int(start[fingerprint])..<Int(start[fingerprint + 1]) {
            body(Int(targets[position]), weights[position])
        }
    }

    /// The sum of the weights in each cell, without some fingerprints.
    func densities(without isLeftOut: (Int) -> Bool) -> [Float] {
        var densities = self.densities
        for fingerprint in 0..<start.count - 1 where isLeftOut(fingerprint) {
            forEachCell(about: fingerprint) { densities[$0] -= $1 }
        }
        return densities
    }
}
