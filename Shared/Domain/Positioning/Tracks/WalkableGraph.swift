import Events
import Geometry

/// The places of a site where a person can be, and the short ways between them. Tracks move on this
/// graph.
///
/// Cells lie on a square grid, at most one in each slot. The pitch of two metres is about a third
/// of a scan's error, so it adds nothing to that. It is narrower than most corridors, so that none
/// is lost between two rows. Half of it would give four times the cells for the same results.
struct WalkableGraph: Sendable {
    /// The place in a slot of the grid.
    struct Cell: Hashable, Sendable {
        var point: Point
        /// An index into `floors`.
        var floor: Int32
        /// An index into the site's rooms; -1 outside of every room.
        var room: Int32
        /// Whether a person can change floors here while standing still.
        var isLift: Bool
        /// Whether the cell is in a passage, where hardly anybody stays.
        var isPassage = false
    }

    /// A way to a neighbouring cell.
    struct Edge: Hashable, Sendable {
        let target: Int32
        /// The share of the people leaving the cell who go this way. The shares of a cell sum up to
        /// 1.
        let share: Float
        /// Eighths of a turn, clockwise from the y axis; `vertical` for a way to another floor.
        let direction: UInt8

        static let vertical: UInt8 = 8
    }

    /// The position of one floor's cells in the grid.
    struct FloorGrid: Sendable {
        var column = 0
        var row = 0
        var columns = 0
        var rows = 0
        /// The cell in each slot, row by row; -1 for an empty slot.
        var cells: [Int32] = []

        func cell(column: Int, row: Int) -> Int32? {
            let (x, y) = (column - self.column, row - self.row)
            guard x >= 0, x < columns, y >= 0, y < rows else { return nil }
            let cell = cells[y * columns + x]
            return cell < 0 ? nil : cell
        }

        /// Calls the body with each cell in the slots that a square around the point touches.
        func forEachCell(
            within metres: Double, of point: Point, pitch: Double, _ body: (Int) -> Void
        ) {
            func slot(_ metres: Double) -> Int { WalkableGraph.slot(metres, pitch) }
            let firstColumn = max(slot(point.x - metres), column)
            let lastColumn = min(slot(point.x + metres), column + columns - 1)
            let firstRow = max(slot(point.y - metres), row)
            let lastRow = min(slot(point.y + metres), row + rows - 1)
            guard firstColumn <= lastColumn, firstRow <= lastRow else { return }
            for row in firstRow...lastRow {
                let line = (row - self.row) * columns - column
                for column in firstColumn...lastColumn where cells[line + column] >= 0 {
                    body(Int(cells[line + column]))
                }
            }
        }
    }

    static let pitchMetres = 2.0
    /// The number of directions of ways on a floor.
    static let directions = 8

    /// Metres between slots: `pitchMetres`, or more for sites of many square kilometres.
    let pitch: Double
    let floors: [FloorID]
    /// Ordered by floor, row and column.
    let cells: [Cell]
    let grids: [FloorGrid]
    /// One element more than cells: cell `c` has the edges from `edgeStart[c]` up to `edgeStart[c +
    /// 1]`.
    let edgeStart: [Int32]
    let edges: [Edge]
    /// One element more than floors: floor `f` has the cells from `floorStart[f]` up to
    /// `floorStart[f + 1]`.
    let floorStart: [Int32]
    /// For each floor, the hash of its id and of the pitch, by which states name it. Within a floor
    /// they name slots, so a state is good for every graph that has cells there.
    let floorHashes: [UInt32]
    /// For each room of the site, the hash of its id, by which states name it.
    let roomHashes: [UInt32]
    private let roomsByHash: [UInt32: Int32]
    /// The column and row of each cell's slot.
    private let slots: [SIMD2<Int32>]

    /// - Parameter rooms: the ids of the site's rooms.
    init(
        pitch: Double, floors: [FloorID], cells: [Cell], grids: [FloorGrid], edgeStart: [Int32],
        edges: [Edge], floorStart: [Int32], rooms: [RoomID]
    ) {
        self.pitch = pitch
        self.floors = floors
        self.cells = cells
        self.grids = grids
        self.edgeStart = edgeStart
        self.edges = edges
        self.floorStart = floorStart
        slots = cells.map { cell in
            SIMD2(
                Int32(Self.slot(cell.point.x, pitch)), Int32(Self.slot(cell.point.y, pitch)))
        }
        let hashes = rooms.map { TrackChecksum.of($0.text.utf8) }
        roomHashes = hashes
        roomsByHash = Dictionary(
            zip(hashes, Int32(0)...), uniquingKeysWith: { first, _ in first })
        floorHashes = floors.indices.map { floor in
            var hash = TrackChecksum()
            for byte in floors[floor].text.utf8 { hash.add(byte) }
            hash.add(pitch.bitPattern)
            return hash.value
        }
    }

    /// The index of the room with this hash; -1 for none.
    func room(hash: UInt32) -> Int32 { roomsByHash[hash] ?? -1 }

    func cells(of floor: Int) -> Range<Int> { Int(floorStart[floor])..<Int(floorStart[floor + 1]) }

    /// The slot of a point along either axis.
    func slot(_ metres: Double) -> Int { Self.slot(metres, pitch) }

    static func slot(_ metres: Double, _ pitch: Double) -> Int {
        // Limited to a value farther out than any cell, so that any coordinate can be converted.
        Int(min(max((metres / pitch).rounded(.down), -farthestSlot), farthestSlot))
    }

    private static let farthestSlot = 1e9

    /// The column and row of a cell's slot.
    func slot(of cell: Int) -> (column: Int32, row: Int32) { (slots[cell].x, slots[cell].y) }

    func edges(of cell: Int) -> Range<Int> { Int(edgeStart[cell])..<Int(edgeStart[cell + 1]) }

    /// The cell in the slot of a point; nil where there is none, or no such floor.
    func cell(at point: Point, on floor: Int32) -> Int? {
        guard grids.indices.contains(Int(floor)) else { return nil }
        return grids[Int(floor)].cell(column: slot(point.x), row: slot(point.y)).map(Int.init)
    }

    /// Calls the body with each cell in the slots that a circle touches, and its squared distance.
    func forEachCell(
        within metres: Double, of point: Point, on floor: Int32, _ body: (Int, Double) -> Void
    ) {
        grids[Int(floor)].forEachCell(within: metres, of: point, pitch: pitch) { cell in
            let centre = cells[cell].point
            let (dx, dy) = (centre.x - point.x, centre.y - point.y)
            body(cell, dx * dx + dy * dy)
        }
    }
}
