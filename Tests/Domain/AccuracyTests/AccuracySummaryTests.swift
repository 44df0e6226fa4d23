import Accuracy
import Geometry
import SeededRandomness
import Testing

@Suite struct AccuracySummaryTests {
    private func place(_ x: Double, floor: String = "1", room: String? = nil)
        -> JudgedEstimate.Place
    {
        JudgedEstimate.Place(building: "b", floor: floor, room: room, point: Point(x: x, y: 0))
    }

    private func judged(
        _ error: Double?, floor: String = "1", room: String? = nil, truthRoom: String? = nil,
        radius68: Double? = nil, radius95: Double? = nil, path: String? = nil
    ) -> JudgedEstimate {
        JudgedEstimate(
            truth: place(0, room: truthRoom),
            estimate: error.map { place($0, floor: floor, room: room) },
            fallback: Point(x: 100, y: 0), radius68: radius68, radius95: radius95, path: path)
    }

    @Test("Mean and quantiles are computed from the errors")
    func quantiles() {
        let summary = AccuracySummary([3, 1, 2, 4, 10].map { judged($0) })
        #expect(summary.queries == 5)
        #expect(summary.mean == 4)
        #expect(summary.median == 3)
        #expect(summary.p75 == 4)
        #expect(abs(summary.p95! - 8.8) < 1e-9)
        #expect(summary.meanGround == 4)
    }

    @Test("Reported metres are converted to metres on the ground for that mean alone")
    func ground() {
        let summary = AccuracySummary([judged(3)], groundPerReportedMetre: 0.75)
        #expect(summary.mean == 4)
        #expect(summary.meanGround == 3)
    }

    @Test("Hits count only where the truth is known; unknown figures are nil")
    func hits() {
        let summary = AccuracySummary([
            judged(1, floor: "1", room: "r", truthRoom: "r"),
            judged(1, floor: "2", room: "s", truthRoom: "r"), judged(1, floor: "1", room: "s"),
            judged(nil),
        ])
        #expect(summary.floorHit == 0.5)
        #expect(summary.buildingHit == 0.75)
        #expect(summary.roomHit == 0.5)
        #expect(summary.within68 == nil && summary.intervalScore == nil)
        #expect(summary.medianOfPaths == nil)
        #expect(AccuracySummary([judged(1)]).roomHit == nil)
    }

    @Test("The best constant radius has the lowest score of all radii", arguments: 1...60)
    func bestConstant(count: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        let errors = (0..<count).map { _ in Double(random.next() % 1_000) / 10 }
        func score(_ radius: Double) -> Double {
            AccuracySummary(errors.map { judged($0, radius95: radius) }).intervalScore!
        }
        let least = (0...1_000).map { score(Double($0) / 10) }.min()!
        let summary = AccuracySummary(errors.map { judged($0, radius95: 7) })
        #expect(abs(try #require(summary.constantIntervalScore) - least) < 1e-9)
        #expect(AccuracySummary([judged(1)]).constantIntervalScore == nil)
    }

    @Test("A lost device counts as a miss at the fallback point")
    func lost() {
        let summary = AccuracySummary([judged(0), judged(nil)])
        #expect(summary.lost == 1)
        #expect(summary.mean == 50)
        #expect(summary.floorHit == 0.5)
    }

    @Test("A wrong floor, or none, adds to the error where it should, and not to radii")
    func wrongFloor() {
        let judged = [judged(1, radius68: 2), judged(1, floor: "2", radius68: 2), judged(nil)].map {
            var estimate = $0
            estimate.wrongFloorMetres = 4
            return estimate
        }
        #expect(judged.map(\.distance) == [1, 5, 104])
        #expect(AccuracySummary(judged).within68 == 1)
    }

    @Test("Radii are counted and scored")
    func radii() {
        let summary = AccuracySummary([
            judged(1, radius68: 2, radius95: 4), judged(3, radius68: 2, radius95: 4),
            judged(5, radius68: 2, radius95: 4),
        ])
        #expect(summary.within68 == 1.0 / 3)
        #expect(summary.within95 == 2.0 / 3)
        // The scores are 4, 4 and 4 + 1 / 0.05.
        #expect(abs(summary.intervalScore! - 32.0 / 3) < 1e-9)
    }

    @Test("The median of paths is the median of each path's mean error")
    func paths() {
        let summary = AccuracySummary([
            judged(1, path: "a"), judged(3, path: "a"), judged(9, path: "b"), judged(5, path: "c"),
            judged(1_000),
        ])
        #expect(summary.medianOfPaths == 5)
    }

    @Test("No queries give no figures")
    func empty() {
        let summary = AccuracySummary([])
        #expect(summary.queries == 0)
        #expect(summary.mean == nil && summary.p95 == nil && summary.floorHit == nil)
    }
}
