/// The few rows nearest to a scan, nearest first. Equally near rows are ordered by number.
struct NearestRows: Sendable {
    /// The number of neighbours that `NearestNeighbours` uses.
    static let most = NearestNeighbours.neighbourCount

    private(set) var rows: [(row: Int32, distance: Float)] = []
    /// The distance of the last row in a full list: farther rows are not inserted.
    private(set) var limit = Float.infinity

    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        limit = .infinity
    }

    mutating func insert(_ row: Int, _ distance: Float) {
        let new = (row: Int32(row), distance: distance)
        var position = rows.count
        while position > 0, isNearer(new, rows[position - 1]) { position -= 1 }
        guard position < Self.most else { return }
        if rows.count == Self.most { rows.removeLast() }
        rows.insert(new, at: position)
        if rows.count == Self.most { limit = rows[Self.most - 1].distance }
    }

    private func isNearer(
        _ left: (row: Int32, distance: Float), _ right: (row: Int32, distance: Float)
    ) -> Bool {
        (left.distance, left.row) < (right.distance, right.row)
    }
}
