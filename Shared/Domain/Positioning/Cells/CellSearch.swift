import Geometry
import Glibc

/// Finds the cells of a map that are like a scan.
struct CellSearch: Sendable {
    /// The exponent that weighs strong readings more than weak ones. It is the literature's
    /// (`NearestNeighbours`).
    private static let exponent = M_E
    /// The extra distance that makes a survey e times less like the scan.
    private static let temperature: Float = 0.03
    /// Surveys farther than the nearest by this many temperatures are ignored.
    private static let reach: Float = 10
    /// The number of surveys, all unlike the scan, that each cell is given beside its own. They
    /// keep a cell with one distant survey from looking certain.
    private static let strangers: Float = 0.3
    /// The power to which a cell's likeness is raised for its weight.
    private static let power: Float = 1.3
    /// Cells with less than this share of the largest weight are no candidates.
    private static let leastShare: Float = 1e-4

    private let map: RadioMap
    private let index: FingerprintIndex
    private let grid: CellGrid

    init(_ map: RadioMap) {
        self.map = map
        index = FingerprintIndex(
            map, representation: .powed(exponent: Self.exponent), distance: .sorensen)
        grid = CellGrid(map)
    }

    /// The floor and place of a scan. It leaves the cells in `scratch.candidates`.
    ///
    /// - Parameter isLeftOut: whether a fingerprint must not be used.
    func guess(
        _ scan: RadioScan, scratch: inout CellScratch, isLeftOut: ((Int) -> Bool)?
    ) -> SnapshotGuess? {
        scratch.candidates.removeAll(keepingCapacity: true)
        let overlap = index.findDistances(to: scan, scratch: &scratch.search)
        if let isLeftOut { scratch.search.neighbours.removeAll { isLeftOut(Int($0.fingerprint)) } }
        guard let nearest = scratch.search.neighbours.map(\.distance).min() else { return nil }
        let known = isLeftOut.map { grid.densities(without: $0) } ?? grid.densities
        findCandidates(nearest: nearest, known, &scratch)
        let found = SnapshotGuess(
            scratch.candidates, &scratch.floorWeights, floors: map.floors.count, overlap: overlap)
        guard let guess = found else { return nil }
        var mean = guess.mean
        mean.point = Self.median(of: scratch.candidates, on: guess.floor, from: mean.point)
        return SnapshotGuess(
            floor: guess.floor, floorShare: guess.floorShare, mean: mean, scale: guess.scale,
            overlap: overlap)
    }

    private func findCandidates(
        nearest: Float, _ densities: [Float], _ scratch: inout CellScratch
    ) {
        scratch.fit(cells: grid.cells.count)
        for neighbour in scratch.search.neighbours {
            let beyond = (neighbour.distance - nearest) / Self.temperature
            guard beyond < Self.reach else { continue }
            let likeness = exp(-beyond)
            grid.forEachCell(about: Int(neighbour.fingerprint)) { cell, weight in
                if scratch.cellSums[cell] == 0 { scratch.touchedCells.append(Int32(cell)) }
                scratch.cellSums[cell] += weight * likeness
            }
        }
        var largest: Float = 0
        for cell in scratch.touchedCells.lazy.map(Int.init) {
            let weight = pow(
                scratch.cellSums[cell] / (densities[cell] + Self.strangers), Self.power)
            scratch.cellSums[cell] = weight
            largest = max(largest, weight)
        }
        for number in scratch.touchedCells.lazy.map(Int.init) {
            let weight = scratch.cellSums[number]
            scratch.cellSums[number] = 0
            guard weight >= Self.leastShare * largest else { continue }
            let cell = grid.cells[number]
            scratch.candidates.append(
                Candidate(
                    point: cell.point, floor: cell.floor, room: cell.room,
                    weight: Double(weight / largest)))
        }
        scratch.touchedCells.removeAll(keepingCapacity: true)
    }

    /// The point with the least weighted sum of distances to the candidates of one floor (Weiszfeld
    /// 1937). Twelve steps come close enough.
    private static func median(
        of candidates: [Candidate], on floor: Int32, from start: Point
    ) -> Point {
        var median = start
        for _ in 0..<12 {
            var (x, y, total) = (0.0, 0.0, 0.0)
            for candidate in candidates where candidate.floor == floor {
                let (dx, dy) = (candidate.point.x - median.x, candidate.point.y - median.y)
                // A quarter of a square metre keeps the weight of a candidate at the median finite.
                let weight = candidate.weight / (dx * dx + dy * dy + 0.25).squareRoot()
                x += weight * candidate.point.x
                y += weight * candidate.point.y
                total += weight
            }
            median = Point(x: x / total, y: y / total)
        }
        return median
    }
}
