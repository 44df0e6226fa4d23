/// Rows of weights that are trained with Adagrad (Duchi, Hazan and Singer 2011).
struct FloorWeights {
    /// How far one batch moves the weights.
    struct Step {
        var rate: Float
        /// One over the number of the batch's examples.
        var share: Float
        /// The part of each weight that is added to its slope.
        var decay: Float
    }

    /// The sum of squares before the first step. Without it that step would be too large.
    private static let firstHistory: Float = 0.01

    private(set) var rows: [FloorLanes]
    /// The gradients of the batch so far.
    private var sums: [FloorLanes]
    /// The squares of all slopes so far.
    private var history: [FloorLanes]

    init(_ rows: [FloorLanes]) {
        self.rows = rows
        sums = [FloorLanes](repeating: FloorLanes(), count: rows.count)
        history = [FloorLanes](
            repeating: FloorLanes(repeating: Self.firstHistory), count: rows.count)
    }

    /// Adds gradients to those of the batch.
    @inline(__always)
    mutating func learn(_ body: (UnsafeMutableBufferPointer<FloorLanes>) -> Void) {
        sums.withUnsafeMutableBufferPointer { body($0) }
    }

    /// Moves some rows against their slopes, and forgets the gradients.
    @inline(__always)
    mutating func descend(_ step: Step, rows chosen: some Sequence<Int32>) {
        rows.withUnsafeMutableBufferPointer { rows in
            sums.withUnsafeMutableBufferPointer { sums in
                history.withUnsafeMutableBufferPointer { history in
                    for row in chosen {
                        let row = Int(row)
                        rows[row].descend(sums[row], &history[row], step)
                        sums[row] = FloorLanes()
                    }
                }
            }
        }
    }
}
