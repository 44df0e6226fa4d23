import SeededRandomness
import Testing

@testable import Positioning

@Suite struct CholeskyMatrixTests {
    @Test(
        "The factor times itself turned is the matrix, and solves its equations",
        arguments: [0, 1, 2, 3, 4, 5, 7, 8, 9, 30, 61])
    func factor(size: Int) {
        var random = SeededRandom(seed: size)
        // Larger on the diagonal than all others of the row together, so positive definite.
        var matrix = CholeskyMatrix(size: size)
        for row in 0..<size {
            for column in 0..<row {
                matrix[row, column] = Double.random(in: -1...1, using: &random)
            }
            matrix[row, row] = Double(size) + 1
        }
        let right = (0..<size).map { _ in
            SIMD2(
                Double.random(in: -9...9, using: &random),
                Double.random(in: -9...9, using: &random))
        }
        var factor = matrix
        factor.factorise()
        for row in 0..<size {
            for column in 0...row {
                let product = (0...column).reduce(0.0) {
                    $0 + factor[row, $1] * factor[column, $1]
                }
                #expect(abs(product - matrix[row, column]) < 1e-12 * Double(size + 1))
            }
        }
        let solution = factor.solve(right)
        for row in 0..<size {
            let left = (0..<size).reduce(SIMD2<Double>()) {
                $0 + matrix[max(row, $1), min(row, $1)] * solution[$1]
            }
            let gap = left - right[row]
            #expect(max(abs(gap.x), abs(gap.y)) < 1e-10)
        }
    }

    @Test("Rows that are factorised together are the same as alone")
    func together() {
        var random = SeededRandom(seed: 1)
        var matrix = CholeskyMatrix(size: 23)
        for row in 0..<23 {
            for column in 0..<row {
                matrix[row, column] = Double.random(in: -1...1, using: &random)
            }
            matrix[row, row] = 24
        }
        var factor = matrix
        factor.factorise()
        for size in 1..<23 {
            // The last rows of a smaller matrix are factorised one by one, unless there are four.
            var smaller = CholeskyMatrix(size: size)
            for row in 0..<size {
                for column in 0...row { smaller[row, column] = matrix[row, column] }
            }
            smaller.factorise()
            for row in 0..<size {
                for column in 0...row { #expect(smaller[row, column] == factor[row, column]) }
            }
        }
    }
}
