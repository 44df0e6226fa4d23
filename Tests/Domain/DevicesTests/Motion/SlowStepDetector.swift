@testable import Devices

/// The same as `StepDetector` for a complete recording at once, with arrays for the grid and for
/// each mean.
enum SlowStepDetector {
    static func steps(_ samples: [AccelerometerSample]) -> [Int64] {
        guard let first = samples.first, let last = samples.last else { return [] }
        var grid: [(at: Int64, magnitude: Double)] = []
        var at = first.atMicroseconds
        while at <= last.atMicroseconds {
            let after = samples.firstIndex { $0.atMicroseconds >= at }!
            let right = samples[after]
            if right.atMicroseconds == at {
                grid.append((at, right.magnitude))
            } else {
                let left = samples[after - 1]
                let share =
                    Double(at - left.atMicroseconds)
                    / Double(right.atMicroseconds - left.atMicroseconds)
                grid.append((at, left.magnitude + share * (right.magnitude - left.magnitude)))
            }
            at += 20_000
        }
        let heights = grid.indices.map { index in
            mean(grid, upTo: index, count: 6) - mean(grid, upTo: index, count: 75)
        }
        return peaks(grid.map(\.at), heights)
    }

    private static func mean(
        _ grid: [(at: Int64, magnitude: Double)], upTo index: Int, count: Int
    ) -> Double {
        let part = grid[max(0, index - count + 1)...index]
        return part.map(\.magnitude).reduce(0, +) / Double(part.count)
    }

    private static func peaks(_ times: [Int64], _ heights: [Double]) -> [Int64] {
        var steps: [Int64] = []
        var index = 0
        while index < heights.count {
            // Goes to the first height above the threshold, then to where the heights have fallen
            // again.
            guard heights[index] > 0.7 else {
                index += 1
                continue
            }
            var highest = index
            while index < heights.count, heights[index] >= heights[highest] - 0.4 {
                if heights[index] > heights[highest] { highest = index }
                index += 1
            }
            guard index < heights.count else { break }
            if steps.last.map({ times[highest] - $0 >= 320_000 }) ?? true {
                steps.append(times[highest])
            }
            while index < heights.count, heights[index] >= -0.2 { index += 1 }
            index += 1
        }
        return steps
    }
}
