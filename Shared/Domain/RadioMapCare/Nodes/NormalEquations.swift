import Glibc

/// The normal equations of linear least squares, solved by Cholesky's decomposition (G. Golub and
/// C. Van Loan, "Matrix computations", 4th edition, section 4.2).
///
/// The matrix must be positive definite, which a prior on each unknown makes sure.
struct NormalEquations {
    let count: Int
    /// The lower half, row by row.
    private var matrix: [Double]
    private var right: [Double]

    init(count: Int) {
        self.count = count
        matrix = [Double](repeating: 0, count: count * count)
        right = [Double](repeating: 0, count: count)
    }

    /// Adds an equation: the sum of factors times unknowns is the value.
    mutating func add(
        _ terms: [(unknown: Int, factor: Double)], value: Double, weight: Double
    ) {
        for (row, factor) in terms {
            right[row] += weight * factor * value
            for (column, other) in terms where column <= row {
                matrix[row * count + column] += weight * factor * other
            }
        }
    }

    func solved() -> [Double] {
        let root = decomposed()
        return Self.solved(root, right, count)
    }

    /// The diagonal of the inverse, for these unknowns.
    func variances(of unknowns: Range<Int>) -> [Double] {
        let root = decomposed()
        return unknowns.map { unknown in
            // The square of the column of the inverse root.
            var column = [Double](repeating: 0, count: count)
            var sum = 0.0
            for row in unknown..<count {
                var value = row == unknown ? 1.0 : 0
                for index in unknown..<row { value -= root[row * count + index] * column[index] }
                column[row] = value / root[row * count + row]
                sum += column[row] * column[row]
            }
            return sum
        }
    }

    private func decomposed() -> [Double] {
        var root = matrix
        root.withUnsafeMutableBufferPointer { root in
            for row in 0..<count {
                for column in 0...row {
                    var sum = root[row * count + column]
                    for index in 0..<column {
                        sum -= root[row * count + index] * root[column * count + index]
                    }
                    root[row * count + column] =
                        row == column
                        ? max(sum, 1e-12).squareRoot() : sum / root[column * count + column]
                }
            }
        }
        return root
    }

    private static func solved(_ root: [Double], _ right: [Double], _ count: Int) -> [Double] {
        var solution = right
        for row in 0..<count {
            for index in 0..<row { solution[row] -= root[row * count + index] * solution[index] }
            solution[row] /= root[row * count + row]
        }
        for row in (0..<count).reversed() {
            for index in row + 1..<count {
                solution[row] -= root[index * count + row] * solution[index]
            }
            solution[row] /= root[row * count + row]
        }
        return solution
    }
}
