import Events
import Geometry

/// The places of a site where a person can be, and the short ways between them: what tracks walk
/// on.
///
/// Cells lie on a square grid, at most one in a slot of the grid. Two metres is the pitch: about a
/// third of the error of a scan, so that it adds nothing to it, and narrower than most corridors,
/// so that none is lost between two rows; half of it would give four times the cells for the same
/// answers.
struct WalkableGraph: Sendable {
    /// A slot's cell.
    struct Cell: Hashable, Sendable {
        var point: Point
        /// Into `floors`.
        var floor: Int32
        /// Into the site's rooms; -1 outside of every room.
        var room: Int32
        /// Whether those who stand still here may change floors.
        var isLift: Bool
        /// Whether it is in a passage: hardly anybody stays there.
        var isPassage = false
    }

    /// A way to a neighbouring cell.
    struct Edge: Hashable, Sendable {
        let target: Int32
        /// The share of those who leave the cell; all of a cell sum up to 1.
        let share: Float
        /// Counted clockwise from the y axis in eighths of a turn; `vertical` for another floor.
        let direction: UInt8

        static let vertical: UInt8 = 8
    }

    /// Where the cells of one floor lie.
    struct FloorGrid: Sendable {
        var column = 0
        var row = 0
        var columns = 0
        var rows = 0
        /// By slot, row by row; -1 for an empty one.
        var cells: [Int32] = []

        func cell(column: Int, row: Int) -> Int32? {
            let (x, y) = (column - self.column, row - self.row)
            guard x >= 0, x < columns, y >= 0, y < rows else { return nil }
            let cell = cells[y * columns + x]
            return cell < 0 ? nil : cell
        }
    }

    static let pitchMetres = 2.0
    /// Of ways on a floor.
    static let directions = 8

    /// Metres between slots: `pitchMetres`, more for sites of many square kilometres.
    let pitch: Double
    let floors: [FloorID]
    /// By floor, row and column.
    let cells: [Cell]
    let grids: [FloorGrid]
    /// One more than cells.
    let edgeStart: [Int32]
    let edges: [Edge]
    /// Of all that a stored state relies on.
    let hash: UInt32

    /// The slot of a point along either axis.
    func slot(_ metres: Double) -> Int {
        // Farther out than any cell can be, whatever a place's number is.
        Int(min(max((metres / pitch).rounded(.down), -Self.farthestSlot), Self.farthestSlot))
    }

    private static let farthestSlot = 1e9

    func edges(of cell: Int) -> Range<Int> { Int(edgeStart[cell])..<Int(edgeStart[cell + 1]) }

    /// Calls the body with the cells of the slots that a circle meets, and their squared distances.
    func forEachCell(
        within metres: Double, of point: Point, on floor: Int32, _ body: (Int, Double) -> Void
    ) {
        let grid = grids[Int(floor)]
        let firstColumn = max(slot(point.x - metres), grid.column)
        let lastColumn = min(slot(point.x + metres), grid.column + grid.columns - 1)
        let firstRow = max(slot(point.y - metres), grid.row)
        let lastRow = min(slot(point.y + metres), grid.row + grid.rows - 1)
        guard firstColumn <= lastColumn, firstRow <= lastRow else { return }
        for row in firstRow...lastRow {
            let line = (row - grid.row) * grid.columns - grid.column
            for column in firstColumn...lastColumn {
                let cell = grid.cells[line + column]
                guard cell >= 0 else { continue }
                let centre = cells[Int(cell)].point
                let (dx, dy) = (centre.x - point.x, centre.y - point.y)
                body(Int(cell), dx * dx + dy * dy)
            }
        }
    }
}
