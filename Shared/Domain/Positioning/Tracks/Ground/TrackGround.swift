/// The slots of one floor's grid where a state has beliefs: a rectangle, counted row by row.
///
/// A slot is the same place in every graph with the same pitch, whatever other cells the floor has.
struct TrackGround: Hashable, Sendable {
    typealias Belief = TrackState.Belief

    /// The first column and row.
    let column: Int32
    let row: Int32
    let columns: UInt32

    init(column: Int32, row: Int32, columns: UInt32) {
        self.column = column
        self.row = row
        self.columns = columns
    }

    /// The rectangle around the beliefs of one floor, which are ordered by row and column.
    init(_ beliefs: ArraySlice<Belief>, graph: WalkableGraph) {
        var (row, first, last) = (Int32(0), Int32.max, Int32.min)
        var cell = -1
        for belief in beliefs where belief.cell != cell {
            let slot = graph.slot(of: belief.cell)
            if cell < 0 { row = slot.row }
            cell = belief.cell
            first = min(first, slot.column)
            last = max(last, slot.column)
        }
        self.row = row
        column = first
        columns = UInt32(last - first + 1)
    }

    /// The number of the belief's slot in the rectangle, times the number of modes, plus the mode.
    func index(of belief: Belief, graph: WalkableGraph) -> Int {
        let slot = graph.slot(of: belief.cell)
        let number = Int(slot.row - row) * Int(columns) + Int(slot.column - column)
        return number * Belief.modes + belief.mode
    }

    /// The cell for a belief that was stored.
    enum Found: Hashable {
        /// The slot has a cell.
        case same(Int32)
        /// The slot has none any more, but one beside it has.
        case beside(Int32)
        case none
    }

    /// - Parameter slot: the number of a slot in the rectangle.
    func cell(_ slot: Int, on floor: Int, _ graph: WalkableGraph) -> Found {
        let grid = graph.grids[floor]
        let column = Int(self.column) + slot % Int(columns)
        let row = Int(self.row) + slot / Int(columns)
        if let cell = grid.cell(column: column, row: row) { return .same(cell) }
        for (x, y) in Self.beside {
            if let cell = grid.cell(column: column + x, row: row + y) { return .beside(cell) }
        }
        return .none
    }

    /// Nearest first.
    private static let beside = [
        (0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1),
    ]

    /// The beliefs that are carried over to a graph.
    struct Carried {
        private var beliefs: [Belief] = []
        private var total: Float = 0
        private var kept: Float = 0
        private var isMoved = false

        mutating func add(_ found: Found, mode: Int, weight: Float) {
            total += weight
            let cell: Int32
            switch found {
            case .same(let own): cell = own
            case .beside(let other):
                cell = other
                isMoved = true
            case .none: return
            }
            kept += weight
            beliefs.append(Belief(index: cell * Int32(Belief.modes) + Int32(mode), weight: weight))
        }

        /// Whether at least half of the belief is left. A track that goes on with a small rest of
        /// it would be very sure of a place that was improbable.
        var isEnough: Bool { !beliefs.isEmpty && 2 * kept >= total }

        /// Ascending by index, each index once.
        var sorted: [Belief] {
            let sorted = beliefs.sorted { $0.index < $1.index }
            guard isMoved else { return sorted }
            var merged: [Belief] = []
            for belief in sorted {
                if merged.last?.index == belief.index {
                    merged[merged.count - 1].weight += belief.weight
                } else {
                    merged.append(belief)
                }
            }
            return merged
        }
    }
}
