import Accuracy
import Datasets
import Events
import Simulation
import Testing
import Wire

@Suite struct SimulatedBuildingTests {
    @Test("Walkers in the simulated building are located in their rooms and on their floors")
    func walkers() throws {
        let building = SimulatedBuilding.make(seed: 1)
        let start = Timestamp(milliseconds: 1_780_000_000_000)
        let survey = SimulatedSurvey(of: building, seed: 2, start: start)
        var part = Dataset.Part(name: "walkers", training: Array(survey), tests: [])
        for walker in 0..<8 {
            let walk = SimulatedWalk(
                in: building, seed: 3, device: DeviceID("walker-\(walker)"), start: survey.end,
                durationSeconds: 600)
            for sample in walk {
                let truth = ScanTruth(
                    floor: sample.truth.floor, room: sample.truth.room, x: sample.truth.x,
                    y: sample.truth.y)
                part.tests.append(
                    Dataset.TestScan(
                        scan: sample.scan, truth: truth, path: sample.scan.device.text))
            }
        }
        let dataset = Dataset(
            name: "simulated", site: building.site, document: building.document, parts: [part])
        let result = try AccuracyRun(dataset, seed: 1).run(try #require(PositionerProbe.quick))
        let summary = result.summary
        #expect(try #require(summary.median) <= 2.5)
        #expect(try #require(summary.roomHit) >= 0.85)
        #expect(try #require(summary.floorHit) >= 0.99)
        #expect(summary.lost == 0)
    }
}
