import Glibc

/// Finds the polygons that contain a point without testing all of them. It is a grid of square
/// cells, each with a list of the polygons whose bounding boxes touch it.
public struct PolygonGrid: Sendable {
    /// A polygon that covers more cells than this goes into a separate list and is always tested.
    /// So many large polygons cannot fill the memory.
    static let largestCellsPerPolygon = 256

    public let polygons: [Polygon]
    private let box: BoundingBox?
    private let cellSide: Double
    private let columns: Int
    private let rows: Int
    private let cellStart: [Int32]
    private let cellPolygons: [Int32]
    private let widePolygons: [Int32]

    public init(_ polygons: [Polygon]) {
        self.polygons = polygons
        let corners = polygons.flatMap { [$0.boundingBox.minimum, $0.boundingBox.maximum] }
        guard let box = BoundingBox(corners) else {
            (self.box, cellSide, columns, rows) = (nil, 1, 0, 0)
            (cellStart, cellPolygons, widePolygons) = ([0], [], [])
            return
        }
        let target = Double(max(1, polygons.count))
        let longer = max(box.width, box.height, 1)
        // The grid has about two cells a polygon, and never more than 2,048 along a side.
        let side = max((box.width * box.height / (2 * target)).squareRoot(), longer / 2_048, 1e-3)
        let columns = Int(box.width / side) + 1
        let rows = Int(box.height / side) + 1
        var lists = [[Int32]](repeating: [], count: columns * rows)
        var wide: [Int32] = []
        for (index, polygon) in polygons.enumerated() {
            let low = polygon.boundingBox.minimum
            let high = polygon.boundingBox.maximum
            let margin = Polygon.edgeToleranceMetres
            let firstColumn = max(0, Int((low.x - margin - box.minimum.x) / side))
            let lastColumn = min(columns - 1, Int((high.x + margin - box.minimum.x) / side))
            let firstRow = max(0, Int((low.y - margin - box.minimum.y) / side))
            let lastRow = min(rows - 1, Int((high.y + margin - box.minimum.y) / side))
            let cells = (lastColumn - firstColumn + 1) * (lastRow - firstRow + 1)
            if cells > Self.largestCellsPerPolygon {
                wide.append(Int32(index))
                continue
            }
            for row in firstRow...lastRow {
                for column in firstColumn...lastColumn {
                    lists[row * columns + column].append(Int32(index))
                }
            }
        }
        var starts: [Int32] = [0]
        for list in lists { starts.append(starts[starts.count - 1] + Int32(list.count)) }
        (self.box, cellSide, self.columns, self.rows) = (box, side, columns, rows)
        (cellStart, cellPolygons, widePolygons) = (starts, lists.flatMap { $0 }, wide)
    }

    /// Calls the body with the index of each polygon that contains the point; edges belong to
    /// polygons. Indices ascend within the cell's polygons and then within the wide ones.
    public func forEachPolygon(containing point: Point, _ body: (Int) -> Void) {
        guard let box, box.contains(point, tolerance: Polygon.edgeToleranceMetres) else { return }
        let column = min(columns - 1, max(0, Int((point.x - box.minimum.x) / cellSide)))
        let row = min(rows - 1, max(0, Int((point.y - box.minimum.y) / cellSide)))
        let cell = row * columns + column
        for position in Int(cellStart[cell])..<Int(cellStart[cell + 1]) {
            let index = Int(cellPolygons[position])
            if polygons[index].contains(point) { body(index) }
        }
        for index in widePolygons where polygons[Int(index)].contains(point) { body(Int(index)) }
    }

    /// The indices of the polygons that contain the point, ascending.
    public func polygons(containing point: Point) -> [Int] {
        var found: [Int] = []
        forEachPolygon(containing: point) { found.append($0) }
        return found.sorted()
    }
}
