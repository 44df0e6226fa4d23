import Datasets
import Events
import Simulation
import Wire

/// A building of the simulator as a data set: one survey by one person, and walkers to locate.
enum SimulatedDataset {
    static let name = "simulator"

    private static let start = Timestamp(milliseconds: 1_767_600_000_000)
    private static let walkers = 60
    private static let walkSeconds = 240.0
    /// The walkers of a dense survey are seldom where it was made, so they walk longer.
    private static let denseWalkSeconds = 1_200.0

    /// Equal arguments give equal sets. The usual survey and its walks are those of `simulate
    /// --devices 60 --minutes 4` with this seed.
    ///
    /// - Parameter isDense: a survey each half metre of a part of the building, and only the scans
    ///   that walkers make there.
    static func make(seed: UInt64, isDense: Bool) -> Dataset {
        let building = SimulatedBuilding.make(seed: seed)
        let grid: SimulatedSurvey.Grid = isDense ? .dense : .usual
        let survey = SimulatedSurvey(of: building, seed: seed, start: start, on: grid)
        var tests: [Dataset.TestScan] = []
        for number in 1...walkers {
            let walk = SimulatedWalk(
                in: building, seed: seed, device: DeviceID("walker-\(number)"), start: survey.end,
                durationSeconds: isDense ? denseWalkSeconds : walkSeconds)
            for sample in walk where grid.covers(x: sample.truth.x, y: sample.truth.y) {
                let truth = ScanTruth(
                    floor: sample.truth.floor, room: sample.truth.room, x: sample.truth.x,
                    y: sample.truth.y)
                tests.append(
                    Dataset.TestScan(
                        scan: sample.scan, truth: truth, path: sample.scan.device.text))
            }
        }
        return Dataset(
            name: name, site: building.site, document: building.document,
            parts: [Dataset.Part(name: "walkers", training: Array(survey), tests: tests)])
    }
}
