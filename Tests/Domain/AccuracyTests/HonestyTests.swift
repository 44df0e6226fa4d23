import Accuracy
import Geometry
import SeededRandomness
import Testing

@Suite("Estimates that are located wrongly, and honest ones") struct HonestyTests {
    private enum State: CaseIterable { case located, uncertain, lost }

    private static func judged(
        _ state: State, error: Double = 1, radius95: Double? = 5, floor: String = "1",
        building: String? = "b", isOutdoors: Bool = false
    ) -> JudgedEstimate {
        JudgedEstimate(
            truth: JudgedEstimate.Place(
                building: "b", floor: "1", room: nil, point: Point(x: 0, y: 0)),
            estimate: state == .lost
                ? nil
                : JudgedEstimate.Place(
                    building: building, floor: floor, room: nil, point: Point(x: error, y: 0)),
            fallback: Point(x: 0, y: 0), radius95: radius95, isCertain: state == .located,
            isOutdoors: isOutdoors)
    }

    @Test("A located scan is wrong outside of its radius, on another floor, or in another building")
    func wrong() {
        #expect(!Self.judged(.located).isLocatedWrongly)
        #expect(Self.judged(.located, error: 6).isLocatedWrongly)
        #expect(Self.judged(.located, radius95: nil).isLocatedWrongly)
        #expect(Self.judged(.located, floor: "2").isLocatedWrongly)
        #expect(Self.judged(.located, building: "c").isLocatedWrongly)
        #expect(Self.judged(.located, building: nil).isLocatedWrongly)
        #expect(!Self.judged(.uncertain, error: 6, floor: "2").isLocatedWrongly)
        #expect(!Self.judged(.lost).isLocatedWrongly)
    }

    @Test("A lost scan is honest, and an uncertain one if its radius holds the truth")
    func honest() {
        #expect(Self.judged(.lost).isHonest)
        #expect(Self.judged(.uncertain).isHonest)
        // It doubts its floor.
        #expect(Self.judged(.uncertain, floor: "2", building: "c").isHonest)
        #expect(!Self.judged(.uncertain, error: 6).isHonest)
        #expect(!Self.judged(.uncertain, radius95: nil).isHonest)
        #expect(!Self.judged(.uncertain, floor: "out", building: nil, isOutdoors: true).isHonest)
        #expect(!Self.judged(.located).isHonest)
    }

    @Test(
        "The shares equal those of a table of all cases", arguments: 0..<20 as Range<UInt64>)
    func shares(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var (located, wrong, honest) = (0, 0, 0)
        let all = (0..<50).map { _ in
            let state = State.allCases.randomElement(using: &random)!
            let (isNear, isRight) = (Bool.random(using: &random), Bool.random(using: &random))
            switch (state, isNear, isRight) {
            case (.located, true, true): located += 1
            case (.located, _, _): (located, wrong) = (located + 1, wrong + 1)
            case (.uncertain, true, _), (.lost, _, _): honest += 1
            case (.uncertain, false, _): break
            }
            return Self.judged(state, error: isNear ? 4 : 6, floor: isRight ? "1" : "2")
        }
        let summary = AccuracySummary(all)
        #expect(summary.located == Double(located) / 50)
        #expect(summary.locatedWrongly == Double(wrong) / 50)
        #expect(summary.honest == Double(honest) / 50)
        #expect(AccuracySummary([]).honest == nil)
    }

    @Test("The learned radius is scored over the same estimates as the stated ones")
    func learned() throws {
        var near = Self.judged(.located, error: 1)
        var far = Self.judged(.uncertain, error: 7)
        near.learnedRadius95 = 4
        far.learnedRadius95 = 6
        // Metres as reported are half as long as those on the ground.
        let summary = AccuracySummary([near, far, Self.judged(.lost)], groundPerReportedMetre: 2)
        #expect(summary.learnedConstantIntervalScore == (2 + 3 + 0.5 / 0.05) / 2)
        let unknown = AccuracySummary([near, Self.judged(.located)])
        #expect(unknown.learnedConstantIntervalScore == nil && unknown.intervalScore != nil)
    }
}
