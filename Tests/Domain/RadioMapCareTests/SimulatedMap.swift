import Events
import Geometry
import Positioning
import SeededRandomness
import Simulation
import Site

/// Surveys and visitors of the simulated building.
enum SimulatedMap {
    static let building = SimulatedBuilding.make(seed: 3)
    static let site = try! SiteIndex(building.document)
    static let start = Timestamp(milliseconds: 1_700_000_000_000)
    typealias Visit = (scan: ScanRecorded, truth: SimulatedTruth)

    /// Surveys on a grid of 2 m, two at each place; the second with the back turned.
    static let surveys = SimulatedSurvey(of: building, seed: 5, start: start).enumerated().filter {
        $0.offset % 2 == 0
    }.map(\.element)

    /// Whether the point is at every second place of every second line of the grid.
    static func isOnCoarseGrid(_ point: Point) -> Bool {
        Int(point.x / 2) % 2 == 0 && Int(point.y / 2) % 2 == 0
    }

    /// The surveys at places that the test keeps.
    static func surveys(where isKept: (FloorID, Point) -> Bool) -> [SurveyRecorded] {
        surveys.filter { survey in
            guard case .metres(let floor, let x, let y) = survey.place else { return false }
            return isKept(floor, Point(x: x, y: y))
        }
    }

    static func map(_ surveys: [SurveyRecorded]) -> RadioMap {
        RadioMapBuilder.build(surveys, site: site).map
    }

    /// Scans of people who walk about, each with a telephone of their own.
    static func visits(seed: UInt64, devices: Int, minutes: Double) -> [Visit] {
        (0..<devices).flatMap { device in
            Array(
                SimulatedWalk(
                    in: building, seed: seed, device: DeviceID("visitor-\(device)"), start: start,
                    durationSeconds: minutes * 60)
            ).map { (scan: $0.scan, truth: $0.truth) }
        }
    }

    /// The mean error of visitors on a floor, located with the map; in metres.
    static func error(
        of positioner: any Positioner, _ map: RadioMap, visits: [Visit],
        where counts: (SimulatedTruth) -> Bool
    ) -> Double {
        let prepared = positioner.prepare(map, site: site)
        var scratch = PositionerScratch()
        var sum = 0.0
        var count = 0.0
        for visit in visits where counts(visit.truth) {
            let (estimate, _) = prepared.locate(
                RadioScan(visit.scan), state: .empty, seed: 0, scratch: &scratch)
            guard let place = estimate.place else { continue }
            sum += place.point.distance(to: Point(x: visit.truth.x, y: visit.truth.y))
            count += 1
        }
        return sum / count
    }
}
