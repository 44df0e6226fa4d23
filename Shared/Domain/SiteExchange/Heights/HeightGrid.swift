import Geometry

/// Heights of the ground over a rectangle of degrees, as an ESRI ASCII grid (AAIGrid of GDAL) has
/// them.
///
/// Each line of the header has a word and a number. The words are `ncols`, `nrows`, `xllcorner` or
/// `xllcenter`, `yllcorner` or `yllcenter`, and `cellsize` or both `dx` and `dy`. Most grids have
/// `NODATA_value`, too. Then follow the heights in metres, the northern row first, separated by
/// spaces or line breaks. The coordinates are WGS84 longitudes and latitudes.
public struct HeightGrid: Sendable {
    /// The most bytes of a file, and the most cells.
    public static let mostBytes = 256 << 20
    static let mostCells = 16_000_000
    /// Larger cells, in degrees, tell nothing of a path: 0.001 is 111 m.
    static let largestCell = 0.001
    static let smallestCell = 1e-7
    /// Heights on Earth, in metres.
    static let heights: ClosedRange<Double> = -500...9_000

    let columns: Int
    let rows: Int
    /// The centre of the western cell of the southern row, in degrees.
    let west: Double
    let south: Double
    /// The size of a cell in degrees.
    let width: Double
    let height: Double
    /// The northern row first; not a number where the grid has no height.
    private let cells: [Float]

    init(
        columns: Int, rows: Int, west: Double, south: Double, width: Double, height: Double,
        cells: [Float]
    ) {
        self.columns = columns
        self.rows = rows
        self.west = west
        self.south = south
        self.width = width
        self.height = height
        self.cells = cells
    }

    /// The height at a place, between the centres of the four cells around it. Nil outside the
    /// centres, and beside a cell without a height.
    func height(at place: GeographicPoint) -> Double? {
        let column = (place.longitude - west) / width
        let row = Double(rows - 1) - (place.latitude - south) / height
        let (lastColumn, lastRow) = (Double(columns - 1), Double(rows - 1))
        guard column >= 0, row >= 0, column <= lastColumn, row <= lastRow else { return nil }
        let left = min(Int(column), max(0, columns - 2))
        let upper = min(Int(row), max(0, rows - 2))
        let (across, down) = (column - Double(left), row - Double(upper))
        func cell(_ row: Int, _ column: Int) -> Double {
            Double(cells[min(row, rows - 1) * columns + min(column, columns - 1)])
        }
        let north = cell(upper, left) * (1 - across) + cell(upper, left + 1) * across
        let south = cell(upper + 1, left) * (1 - across) + cell(upper + 1, left + 1) * across
        let height = north * (1 - down) + south * down
        return height.isNaN ? nil : height
    }

    /// The larger side of a cell at a latitude, in metres.
    func cellMetres(atLatitude latitude: Double) -> Double {
        // A degree of latitude is 111.2 km on the sphere of Earth's mean radius.
        let degree = 111_195.0
        return max(height * degree, width * degree * cosine(latitude))
    }
}
