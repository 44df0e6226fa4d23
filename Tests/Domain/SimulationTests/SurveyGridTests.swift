import Events
import Simulation
import Testing

@Suite("Grids of simulated surveys") struct SurveyGridTests {
    private static func surveys(_ grid: SimulatedSurvey.Grid) -> [SurveyRecorded] {
        Array(
            SimulatedSurvey(
                of: SimulatedBuilding.make(seed: 3), seed: 4,
                start: Timestamp(milliseconds: 1_780_000_000_000), on: grid))
    }

    @Test("The usual survey has four scans at each of 1,644 points")
    func usual() {
        let places = Dictionary(grouping: Self.surveys(.usual), by: \.place)
        #expect(places.count == 1_644)
        #expect(places.values.allSatisfy { $0.count == 4 })
    }

    @Test("A dense survey has one scan at each of 2,400 points, half a metre apart, on all storeys")
    func dense() {
        let surveys = Self.surveys(.dense)
        #expect(surveys.count == 2_400 && Set(surveys.map(\.place)).count == 2_400)
        var floors: Set<FloorID> = []
        for survey in surveys {
            guard case .metres(let floor, let x, let y) = survey.place else {
                Issue.record("a survey at \(survey.place)")
                continue
            }
            floors.insert(floor)
            #expect(SimulatedSurvey.Grid.dense.covers(x: x, y: y))
            #expect(
                (2 * x + 0.5).rounded() == 2 * x + 0.5 && (2 * y + 0.5).rounded() == 2 * y + 0.5)
        }
        #expect(floors.count == SimulatedBuilding.storeys)
        let times = surveys.map(\.scan.at)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 4_000_000 })
        #expect(!SimulatedSurvey.Grid.dense.covers(x: 20, y: 5))
        #expect(!SimulatedSurvey.Grid.dense.covers(x: 5, y: 20))
    }
}
