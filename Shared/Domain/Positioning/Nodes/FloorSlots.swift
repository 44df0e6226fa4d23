import Geometry

/// The cells of one floor, by their slot.
struct FloorSlots {
    struct Slot: Hashable {
        var column: Int
        var row: Int

        /// The middle of the slot.
        var point: Point {
            Point(
                x: (Double(column) + 0.5) * NodeFields.pitchMetres,
                y: (Double(row) + 0.5) * NodeFields.pitchMetres)
        }
    }

    /// -1 for a slot that has no cell.
    var cells: [Slot: Int32] = [:]
    var hasRooms: Bool?

    static func slots(within reach: Double, of middle: Point) -> [Slot] {
        let pitch = NodeFields.pitchMetres
        func range(_ value: Double) -> ClosedRange<Int> {
            let first = ((value - reach) / pitch).rounded(.down)
            return Int(first)...Int(((value + reach) / pitch).rounded(.up))
        }
        return range(middle.y).flatMap { row in
            range(middle.x).compactMap { column in
                let slot = Slot(column: column, row: row)
                return slot.point.distance(to: middle) <= reach ? slot : nil
            }
        }
    }
}
