import Geometry
import Glibc

/// The walkable graph while it is made: its cells, and the ways between them with their weights.
struct GroundSketch {
    /// A way to another cell. The weights of a cell's ways become shares in the end.
    struct Way {
        let target: Int32
        var weight: Double
        let direction: UInt8
    }

    /// Two cells, in either order.
    struct Pair: Hashable {
        let low: Int32
        let high: Int32

        init(_ one: Int, _ other: Int) {
            low = Int32(min(one, other))
            high = Int32(max(one, other))
        }
    }

    static let diagonalShare = 0.5
    /// Clockwise from the y axis.
    private static let directions: [(x: Int, y: Int)] = [
        (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1),
    ]

    let pitch: Double
    let cells: [WalkableGraph.Cell]
    let grids: [WalkableGraph.FloorGrid]
    /// By cell. In the beginning, they lead to the cells in the eight slots around it.
    var ways: [[Way]]

    init(pitch: Double, cells: [WalkableGraph.Cell], grids: [WalkableGraph.FloorGrid]) {
        self.pitch = pitch
        self.cells = cells
        self.grids = grids
        ways = cells.map { cell in
            let column = WalkableGraph.slot(cell.point.x, pitch)
            let row = WalkableGraph.slot(cell.point.y, pitch)
            return Self.directions.enumerated().compactMap { direction, offset -> Way? in
                let target = grids[Int(cell.floor)].cell(
                    column: column + offset.x, row: row + offset.y)
                guard let target else { return nil }
                let weight = offset.x != 0 && offset.y != 0 ? Self.diagonalShare : 1
                return Way(target: target, weight: weight, direction: UInt8(direction))
            }
        }
    }

    /// The slot of a coordinate along either axis.
    func slot(_ metres: Double) -> Int { WalkableGraph.slot(metres, pitch) }

    /// Calls the body with each cell in the slots that a square around the point touches.
    func forEachCell(
        within metres: Double, of point: Point, on floor: Int32, _ body: (Int) -> Void
    ) {
        grids[Int(floor)].forEachCell(within: metres, of: point, pitch: pitch, body)
    }

    /// The cell nearest to a point, of those that pass. Nil if there is none within the distance.
    func nearest(
        to point: Point, on floor: Int32, within metres: Double,
        where isWanted: (WalkableGraph.Cell) -> Bool
    ) -> Int? {
        var best: (metres: Double, cell: Int)?
        forEachCell(within: metres, of: point, on: floor) { cell in
            let distance = cells[cell].point.distance(to: point)
            guard distance <= metres, isWanted(cells[cell]) else { return }
            if let best, best <= (distance, cell) { return }
            best = (distance, cell)
        }
        return best?.cell
    }

    /// Adds ways of one floor in both directions, unless the cells have them.
    mutating func join(_ one: Int, _ other: Int) {
        add(one, other, 1, direction: direction(from: one, to: other))
        add(other, one, 1, direction: direction(from: other, to: one))
    }

    /// Adds a way to another floor once. Several cells of stairs may lead to one cell there.
    mutating func climb(_ from: Int, _ to: Int, weight: Double) {
        add(from, to, weight, direction: WalkableGraph.Edge.vertical)
    }

    private mutating func add(_ from: Int, _ to: Int, _ weight: Double, direction: UInt8) {
        guard !ways[from].contains(where: { Int($0.target) == to }) else { return }
        ways[from].append(Way(target: Int32(to), weight: weight, direction: direction))
    }

    private func direction(from: Int, to: Int) -> UInt8 {
        let (start, end) = (cells[from].point, cells[to].point)
        let eighths = atan2(end.x - start.x, end.y - start.y) / (.pi / 4)
        let count = WalkableGraph.directions
        return UInt8((Int(eighths.rounded()) + count) % count)
    }
}
