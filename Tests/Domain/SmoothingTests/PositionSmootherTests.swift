import Events
import Glibc
import SeededRandomness
import Smoothing
import Testing

@Suite("A smoothed position") struct PositionSmootherTests {
    private let smoother = PositionSmoother()

    private func isNear(_ left: Double?, _ right: Double?, within limit: Double = 1e-6) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return abs(left - right) <= limit
    }

    @Test("is the position itself where there is no other within 15 seconds")
    func alone() {
        let position = Sample.position(1, at: 0, x: 3, y: 4, rooms: [("a", 0.7)])
        let far = Sample.position(2, at: 15.001, x: 90, y: 90)
        #expect(smoother.smoothed(position, among: []) == position)
        #expect(smoother.smoothed(position, among: [position, far]) == position)
        #expect(smoother.smoothed(position, among: [Sample.position(2, at: 15)]) != position)
    }

    @Test("stays on a straight walk, and is between positions of one time")
    func straight() {
        let walk = (-7...7).map {
            Sample.position($0 + 20, at: Double($0) * 2, x: Double($0) * 2.5, y: 1)
        }
        let middle = smoother.smoothed(walk[7], among: walk)
        #expect(isNear(middle.x, 0) && isNear(middle.y, 1))
        let pair = [Sample.position(1, at: 0, x: 2), Sample.position(2, at: 0, x: 4)]
        for position in pair {
            let smoothed = smoother.smoothed(position, among: pair)
            #expect(isNear(smoothed.x, 3) && isNear(smoothed.longitude, 3 / 70_000, within: 1e-12))
            #expect(smoothed.id == position.id && smoothed.radius95 == 6)
        }
    }

    @Test("is on the floor with the most weight, by the positions of that floor alone")
    func floors() {
        let others = [-2.0, -1, 1, 2].enumerated().map {
            Sample.position($0.offset + 2, at: $0.element, x: 10, floor: "1", rooms: [("b", 0.9)])
        }
        let outlier = Sample.position(1, at: 0, x: 50, rooms: [("a", 0.9)])
        let smoothed = smoother.smoothed(outlier, among: others)
        #expect(smoothed.floor?.text == "1" && isNear(smoothed.x, 10))
        #expect(smoothed.room?.text == "b" && smoothed.rooms.map(\.probability) == [0.9])
        let tie = smoother.smoothed(outlier, among: [Sample.position(9, at: 0, floor: "0")])
        #expect(tie.floor?.text == "g", "its own floor counts between equals")
        let later = smoother.smoothed(outlier, among: others.suffix(2))
        #expect(later.floor?.text == "g" && later.x == 50, "nobody knows when the floor changed")
        let outdoors = smoother.smoothed(
            outlier,
            among: [-1.0, 1].map { Sample.position(Int($0) + 5, at: $0, x: 1, floor: nil) })
        #expect(outdoors.floor == nil && outdoors.building == nil && isNear(outdoors.x, 1))
    }

    @Test("has the most probable room from a half on, else its own on the same floor, else none")
    func rooms() {
        let own = Sample.position(1, at: 0, rooms: [("a", 0.45), ("b", 0.4)])
        let other = Sample.position(2, at: 0, rooms: [("b", 0.48), ("a", 0.3)])
        let unsure = smoother.smoothed(own, among: [other])
        #expect(unsure.rooms.map(\.id.text) == ["b", "a"] && unsure.room?.text == "a")
        #expect(unsure.rooms.map(\.probability) == [0.44, 0.375])
        let sure = smoother.smoothed(own, among: [Sample.position(2, at: 0, rooms: [("b", 1)])])
        #expect(sure.room?.text == "b")
        let above = [-1.0, 1].map {
            Sample.position(Int($0) + 5, at: $0, floor: "1", rooms: [("c", 0.3)])
        }
        #expect(smoother.smoothed(own, among: above).room == nil)
    }

    @Test("that is lost stays so, unless the device was located before and after on one floor")
    func lost() {
        let lost = Sample.position(1, at: 0, state: .lost)
        let before = Sample.position(2, at: -4, x: 0, rooms: [("a", 0.6)])
        let after = Sample.position(3, at: 4, x: 8, rooms: [("a", 0.8)])
        #expect(smoother.smoothed(lost, among: []) == lost)
        #expect(smoother.smoothed(lost, among: [before]) == lost)
        #expect(smoother.smoothed(lost, among: [after]) == lost)
        let between = smoother.smoothed(lost, among: [before, after])
        #expect(between.state == .uncertain && isNear(between.x, 4))
        #expect(between.room?.text == "a" && isNear(between.radius68, 3))
        let above = Sample.position(3, at: 4, x: 8, floor: "1")
        #expect(smoother.smoothed(lost, among: [before, above]) == lost)
        let unsure = Sample.position(3, at: 4, x: 8, state: .uncertain)
        #expect(smoother.smoothed(lost, among: [before, unsure]) == lost)
    }

    @Test("is located if it was, and most of the weight is")
    func states() {
        let located = Sample.position(1, at: 0)
        let unsure = Sample.position(2, at: 0, state: .uncertain)
        #expect(smoother.smoothed(unsure, among: [located, located]).state == .uncertain)
        #expect(smoother.smoothed(located, among: [unsure]).state == .uncertain, "half is not most")
        let far = Sample.position(2, at: 5, state: .uncertain)
        #expect(smoother.smoothed(located, among: [far]).state == .located)
    }

    @Test("is what a slow solver of the normal equations finds, in any order", arguments: 0..<50)
    func twin(seed: Int) {
        var random = SeededRandom(seed: seed)
        var walk = (1...Int.random(in: 1...30, using: &random)).map { number in
            Sample.position(
                number, at: Double(Int.random(in: -200...200, using: &random)) / 10,
                x: .random(in: -50...50, using: &random), y: .random(in: -50...50, using: &random),
                floor: ["g", "1", nil].randomElement(using: &random) ?? nil,
                state: Bool.random(using: &random) ? .located : .uncertain)
        }
        let position = walk[0]
        let smoothed = smoother.smoothed(position, among: walk)
        let expected = ObviousSmoothing.smooth(position, walk)
        #expect(smoothed.floor == expected.floor)
        #expect(isNear(smoothed.x, expected.x) && isNear(smoothed.y, expected.y))
        walk.shuffle(using: &random)
        #expect(smoother.smoothed(position, among: walk) == smoothed)
    }
}

/// The same by the normal equations and Gaussian elimination.
private enum ObviousSmoothing {
    static func smooth(
        _ position: PositionEstimated, _ all: [PositionEstimated]
    ) -> (floor: FloorID?, x: Double, y: Double) {
        func seconds(_ other: PositionEstimated) -> Double {
            Double(other.at.microseconds - position.at.microseconds) / 1e6
        }
        func weight(_ other: PositionEstimated) -> Double { exp(-pow(seconds(other) / 5, 2) / 2) }
        let near = all.filter { abs(seconds($0)) <= 15 }
        let floors = Set(near.map(\.floor))
        let most = floors.max { left, right in
            func votes(_ floor: FloorID?) -> Double {
                near.filter { $0.floor == floor }.map(weight).reduce(0, +)
            }
            return votes(left) < votes(right)
        }
        let there = near.filter { $0.floor == most ?? nil && $0.state == .located }
        let isEnclosed =
            there.contains { seconds($0) < 0 } && there.contains { seconds($0) > 0 }
        let floor = isEnclosed ? most ?? nil : position.floor
        let used = near.filter { $0.floor == floor }
        let sum = used.map(weight).reduce(0, +)
        func value(_ read: (PositionEstimated) -> Double?) -> Double {
            var matrix = [[0.0, 0], [0, 0.02 * sum * 25]]
            var right = [0.0, 0]
            for other in used {
                let row = [1, seconds(other)]
                for i in 0..<2 {
                    right[i] += weight(other) * row[i] * (read(other) ?? .nan)
                    for j in 0..<2 { matrix[i][j] += weight(other) * row[i] * row[j] }
                }
            }
            return solve(matrix, right)[0]
        }
        return (floor, value(\.x), value(\.y))
    }

    private static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double] {
        var (matrix, right) = (matrix, right)
        for pivot in matrix.indices {
            for row in matrix.indices where row != pivot {
                let factor = matrix[row][pivot] / matrix[pivot][pivot]
                for column in matrix.indices {
                    matrix[row][column] -= factor * matrix[pivot][column]
                }
                right[row] -= factor * right[pivot]
            }
        }
        return matrix.indices.map { right[$0] / matrix[$0][$0] }
    }
}
