import Events
public import Geometry
import Glibc

/// An affine map from a floor plan's pixels to metres, and back.
public struct PlanTransform: Hashable, Sendable {
    /// x = xColumn * column + xRow * row + xStart, and likewise y.
    let xColumn: Double
    let xRow: Double
    let xStart: Double
    let yColumn: Double
    let yRow: Double
    let yStart: Double
    /// Root mean square error of the alignment's pairs, in metres; 0 where the alignment is met
    /// exactly.
    public let residualMetres: Double

    /// The reason why an alignment does not determine a map.
    public enum Fault: String, Error, Hashable, Sendable {
        /// Fewer than two pairs, or a number of corners other than two or four.
        case tooFew = "too-few-pairs"
        case tooMany = "too-many-pairs"
        /// All pixels, or all points, are on one line or at one spot.
        case onOneLine = "pairs-on-one-line"
    }

    /// - Parameter siteBearingDegrees: the site's y axis, in degrees clockwise from true north.
    public init(
        _ alignment: PlanAlignment, widthPixels: Int, heightPixels: Int,
        siteBearingDegrees: Double
    ) throws(Fault) {
        let (width, height) = (Double(widthPixels), Double(heightPixels))
        switch alignment {
        case .placed(let centre, let metresPerPixel, let bearing):
            let turn = (bearing - siteBearingDegrees) * .pi / 180
            // The picture's upper edge is in the direction of the bearing; rows are counted
            // downwards.
            let (up, right) = (
                Point(x: sin(turn), y: cos(turn)), Point(x: cos(turn), y: -sin(turn))
            )
            self.init(
                column: Point(x: right.x * metresPerPixel, y: right.y * metresPerPixel),
                row: Point(x: -up.x * metresPerPixel, y: -up.y * metresPerPixel),
                of: Point(x: width / 2, y: height / 2), at: centre, residualMetres: 0)
        case .corners(let corners):
            let pixels: [(Double, Double)]
            switch corners.count {
            case 2: pixels = [(0, 0), (width, height)]
            case 4: pixels = [(0, 0), (width, 0), (width, height), (0, height)]
            default: throw .tooFew
            }
            try self.init(
                zip(pixels, corners).map { pixel, corner in
                    PixelPair(column: pixel.0, row: pixel.1, point: corner)
                })
        case .pairs(let pairs): try self.init(pairs)
        }
    }

    /// The point that the pixel shows, in metres of the site's frame.
    public func point(column: Double, row: Double) -> Point {
        Point(
            x: xColumn * column + xRow * row + xStart, y: yColumn * column + yRow * row + yStart)
    }

    public func pixel(_ point: Point) -> (column: Double, row: Double) {
        let determinant = xColumn * yRow - xRow * yColumn
        let (x, y) = (point.x - xStart, point.y - yStart)
        return ((yRow * x - xRow * y) / determinant, (xColumn * y - yColumn * x) / determinant)
    }

    /// The ratio of a pixel's longest extent to its shortest: 1 for a picture that is only turned,
    /// moved and scaled. It is the ratio of the map's singular values.
    public var stretch: Double {
        let squares = xColumn * xColumn + xRow * xRow + yColumn * yColumn + yRow * yRow
        let area = abs(xColumn * yRow - xRow * yColumn)
        guard area > 0 else { return .infinity }
        let sum = squares / area
        // With singular values a and b: sum = a/b + b/a.
        return (sum + max(0, sum * sum - 4).squareRoot()) / 2
    }

    /// Whether the map mirrors the picture. Rows are counted downwards, so the plain map has a
    /// negative determinant.
    var isMirrored: Bool { xColumn * yRow - xRow * yColumn > 0 }

    private init(
        column: Point, row: Point, of pixel: Point, at point: Point, residualMetres: Double
    ) {
        xColumn = column.x
        xRow = row.x
        yColumn = column.y
        yRow = row.y
        xStart = point.x - column.x * pixel.x - row.x * pixel.y
        yStart = point.y - column.y * pixel.x - row.y * pixel.y
        self.residualMetres = residualMetres
    }
}

extension PlanTransform {
    /// Two pairs determine a rotation, a scale and a shift, since a plan is not mirrored. More
    /// pairs determine an affine map by least squares.
    private init(_ pairs: [PixelPair]) throws(Fault) {
        guard pairs.count >= 2 else { throw .tooFew }
        guard pairs.count <= SiteLimits.pairsPerPlan else { throw .tooMany }
        let count = Double(pairs.count)
        let pixel = Point(
            x: pairs.map(\.column).reduce(0, +) / count, y: pairs.map(\.row).reduce(0, +) / count)
        let point = Point(
            x: pairs.map(\.point.x).reduce(0, +) / count,
            y: pairs.map(\.point.y).reduce(0, +) / count)
        let shifted = pairs.map { pair in
            PixelPair(
                column: pair.column - pixel.x, row: pair.row - pixel.y,
                point: Point(x: pair.point.x - point.x, y: pair.point.y - point.y))
        }
        let (column, row) =
            pairs.count == 2
            ? try Self.similarity(shifted) : try Self.leastSquares(shifted)
        let squares = shifted.map { pair in
            let x = column.x * pair.column + row.x * pair.row - pair.point.x
            let y = column.y * pair.column + row.y * pair.row - pair.point.y
            return x * x + y * y
        }
        self.init(
            column: column, row: row, of: pixel, at: point,
            residualMetres: (squares.reduce(0, +) / count).squareRoot())
    }

    /// The metres per column and per row of a rotation with a scale, from two pairs given relative
    /// to their middle.
    private static func similarity(_ pairs: [PixelPair]) throws(Fault) -> (Point, Point) {
        // With v = -row, pixels are a right-handed frame: x = a u - b v, y = b u + a v.
        let (u, v) = (pairs[1].column, -pairs[1].row)
        let length = u * u + v * v
        guard length > 0, pairs[1].point.x != 0 || pairs[1].point.y != 0 else { throw .onOneLine }
        let a = (pairs[1].point.x * u + pairs[1].point.y * v) / length
        let b = (pairs[1].point.y * u - pairs[1].point.x * v) / length
        return (Point(x: a, y: b), Point(x: b, y: -a))
    }

    private static func leastSquares(_ pairs: [PixelPair]) throws(Fault) -> (Point, Point) {
        var (columns, mixed, rows) = (0.0, 0.0, 0.0)
        var (xColumns, xRows, yColumns, yRows) = (0.0, 0.0, 0.0, 0.0)
        for pair in pairs {
            columns += pair.column * pair.column
            mixed += pair.column * pair.row
            rows += pair.row * pair.row
            xColumns += pair.point.x * pair.column
            xRows += pair.point.x * pair.row
            yColumns += pair.point.y * pair.column
            yRows += pair.point.y * pair.row
        }
        let determinant = columns * rows - mixed * mixed
        guard determinant > flatness * (columns + rows) * (columns + rows) else {
            throw .onOneLine
        }
        let column = Point(
            x: (xColumns * rows - xRows * mixed) / determinant,
            y: (yColumns * rows - yRows * mixed) / determinant)
        let row = Point(
            x: (xRows * columns - xColumns * mixed) / determinant,
            y: (yRows * columns - yColumns * mixed) / determinant)
        // If all points are on one line, the map has no area.
        let area = abs(column.x * row.y - column.y * row.x)
        let lengths = column.x * column.x + column.y * column.y + row.x * row.x + row.y * row.y
        guard area > flatness * lengths else { throw .onOneLine }
        return (column, row)
    }

    /// The ratio of width to length, squared, below which pixels or points count as on one line. A
    /// plan's points that are clicked by hand have errors of over a thousandth of its size.
    private static let flatness = 1e-6
}
