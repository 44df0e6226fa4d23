import Geometry
import Glibc

/// Kernel ridge regression of the place on one floor: a smooth surface through all surveys of the
/// floor, with the kernel exp(-distance / 1.2).
///
/// It is less precise than the nearest fingerprints, but its errors are different ones. That makes
/// it useful in a mean (found on training parts of the UJI library, month against month).
struct KernelRidge: Sendable {
    /// An index into `AnchorDistances.exponents`.
    static let exponent = 0
    static let kernelDistance: Float = 1.2
    static let ridge = 0.03
    /// The most surveys of a floor that are used; more are thinned out evenly.
    static let mostRows = 800

    private struct Floor {
        /// Indices into the anchors' rows.
        var rows: [Int32]
        /// For each row, the shift of the place for a kernel value of 1.
        var pulls: [SIMD2<Double>]
        var pullSum: SIMD2<Double>
        var centre: SIMD2<Double>
    }

    private let floors: [Floor]

    init(
        _ surveys: SurveyReadings, _ anchors: Anchors, _ distances: AnchorDistances
    ) {
        var scratch = AnchorScratch()
        floors = surveys.map.floors.indices.map { floor in
            Self.fit(Int32(floor), surveys, anchors, distances, &scratch)
        }
    }

    /// The place on the floor; nil for a floor without surveys. Call it after
    /// `AnchorDistances.find`, which leaves `scratch.rowDistances`.
    func point(on floor: Int32, scratch: AnchorScratch) -> Point? {
        let own = floors[Int(floor)]
        guard !own.rows.isEmpty else { return nil }
        // Rows that share nothing with the scan are all at distance 1.
        let strange = Double(exp(-1 / Self.kernelDistance))
        var sum = own.centre + strange * own.pullSum
        for (row, pull) in zip(own.rows, own.pulls) {
            let distance = scratch.rowDistances[Int(row)]
            guard distance < 1 else { continue }
            sum += (Double(exp(-distance / Self.kernelDistance)) - strange) * pull
        }
        return Point(x: sum.x, y: sum.y)
    }

    private static func fit(
        _ floor: Int32, _ surveys: SurveyReadings, _ anchors: Anchors,
        _ distances: AnchorDistances, _ scratch: inout AnchorScratch
    ) -> Floor {
        let all = (0..<anchors.count).filter { anchors.floors[$0] == floor }
            .flatMap { Array(anchors.rows(of: $0)) }
        let count = min(all.count, mostRows)
        let rows = (0..<count).map { Int32(all[$0 * all.count / count]) }
        guard count > 0 else {
            return Floor(rows: [], pulls: [], pullSum: SIMD2(), centre: SIMD2())
        }
        let points = rows.map { row in
            let point = surveys.map.fingerprints[Int(anchors.rows[Int(row)])].point
            return SIMD2(point.x, point.y)
        }
        let centre = points.reduce(SIMD2(), +) / Double(count)
        var matrix = CholeskyMatrix(size: count)
        var readings: [NumberedReading] = []
        for (index, row) in rows.enumerated() {
            surveys.readings(of: anchors.rows[Int(row)], into: &readings)
            distances.touch(readings, scratch: &scratch)
            distances.find(readings, lanes: 0..<0, keepsRows: true, scratch: &scratch)
            for other in 0...index {
                let distance = scratch.rowDistances[Int(rows[other])]
                matrix[index, other] = Double(exp(-distance / kernelDistance))
            }
            matrix[index, index] += ridge
        }
        matrix.factorise()
        let pulls = matrix.solve(points.map { $0 - centre })
        return Floor(
            rows: rows, pulls: pulls, pullSum: pulls.reduce(SIMD2(), +), centre: centre)
    }
}

/// The lower triangle of a symmetric positive definite matrix; later its Cholesky factor.
struct CholeskyMatrix {
    let size: Int
    private var values: [Double]

    init(size: Int) {
        self.size = size
        values = [Double](repeating: 0, count: size * size)
    }

    /// - Parameter column: at most `row`.
    subscript(row: Int, column: Int) -> Double {
        get { values[row * size + column] }
        set { values[row * size + column] = newValue }
    }

    /// Replaces the matrix by its factor L, where L Lᵀ is the matrix. Left of the diagonal it works
    /// on four rows at once, so that each of the other rows is read once for all four.
    mutating func factorise() {
        let size = size
        values.withUnsafeMutableBufferPointer { values in
            for first in stride(from: 0, to: size, by: 4) {
                let isWhole = first + 4 <= size
                if isWhole {
                    for column in 0..<first { Self.factorise(values, size, first, column) }
                }
                for row in first..<min(first + 4, size) {
                    for column in (isWhole ? first : 0)...row {
                        let sum =
                            values[row * size + column]
                            - Self.product(values, row * size, column * size, column)
                        values[row * size + column] =
                            row == column
                            ? max(sum, 1e-12).squareRoot() : sum / values[column * size + column]
                    }
                }
            }
        }
    }

    /// Computes a column of four rows, which is left of the diagonal.
    private static func factorise(
        _ values: UnsafeMutableBufferPointer<Double>, _ size: Int, _ row: Int, _ column: Int
    ) {
        let (first, second) = (row * size, (row + 1) * size)
        let (third, fourth) = ((row + 2) * size, (row + 3) * size)
        let right = column * size
        var (firstSums, secondSums) = (SIMD4<Double>(), SIMD4<Double>())
        var (thirdSums, fourthSums) = (SIMD4<Double>(), SIMD4<Double>())
        let whole = column & ~3
        for index in stride(from: 0, to: whole, by: 4) {
            let other = four(values, right + index)
            firstSums += four(values, first + index) * other
            secondSums += four(values, second + index) * other
            thirdSums += four(values, third + index) * other
            fourthSums += four(values, fourth + index) * other
        }
        func finish(_ row: Int, _ sums: SIMD4<Double>) {
            let product = rest(sums.sum(), values, row, right, whole..<column)
            values[row + column] = (values[row + column] - product) / values[right + column]
        }
        finish(first, firstSums)
        finish(second, secondSums)
        finish(third, thirdSums)
        finish(fourth, fourthSums)
    }

    /// The dot product of two ranges of `count` values. It keeps four sums that the processor can
    /// compute in parallel.
    private static func product(
        _ values: UnsafeMutableBufferPointer<Double>, _ left: Int, _ right: Int, _ count: Int
    ) -> Double {
        var sums = SIMD4<Double>()
        let whole = count & ~3
        for index in stride(from: 0, to: whole, by: 4) {
            sums += four(values, left + index) * four(values, right + index)
        }
        return rest(sums.sum(), values, left, right, whole..<count)
    }

    /// A dot product with those values that are left over after the last four.
    @inline(__always)
    private static func rest(
        _ product: Double, _ values: UnsafeMutableBufferPointer<Double>, _ left: Int,
        _ right: Int, _ rest: Range<Int>
    ) -> Double {
        rest.reduce(product) { $0 + values[left + $1] * values[right + $1] }
    }

    @inline(__always)
    private static func four(
        _ values: UnsafeMutableBufferPointer<Double>, _ index: Int
    ) -> SIMD4<Double> {
        SIMD4(values[index], values[index + 1], values[index + 2], values[index + 3])
    }

    /// Solves the equations for two right sides; call it after `factorise`.
    func solve(_ right: [SIMD2<Double>]) -> [SIMD2<Double>] {
        var solution = right
        for row in 0..<size {
            for column in 0..<row { solution[row] -= self[row, column] * solution[column] }
            solution[row] /= self[row, row]
        }
        for row in (0..<size).reversed() {
            solution[row] /= self[row, row]
            for column in 0..<row { solution[column] -= self[row, column] * solution[row] }
        }
        return solution
    }
}
