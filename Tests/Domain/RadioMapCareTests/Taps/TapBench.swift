import Events
import Geometry
import Positioning
import Simulation
import Site

@testable import RadioMapCare

/// Taps of visitors of the simulated building, some weeks after its surveys.
enum TapBench {
    static let map = SimulatedMap.map(SimulatedMap.surveys)
    static let judge = SurveyJudge(map, site: SimulatedMap.site)
    static let later = SimulatedMap.start.advanced(byMicroseconds: 40 * 86_400_000_000)

    static func tap(
        _ scan: ScanRecorded, _ number: Int, at place: SurveyPlace, author: String
    ) -> TapRecorded {
        var scan = scan
        scan.id = EventID(high: 77, low: UInt64(number))
        scan.at = later.advanced(byMicroseconds: Int64(number) * 1_000_000)
        scan.sentAt = nil
        scan.receivedAt = scan.at
        scan.device = DeviceID(author)
        scan.scanner = ScannerID(author)
        return TapRecorded(scan: scan, place: place, author: author)
    }

    /// Where the visitor of a scan is.
    static func place(_ visit: SimulatedMap.Visit) -> SurveyPlace {
        .metres(floor: visit.truth.floor, x: visit.truth.x, y: visit.truth.y)
    }

    /// Visitors say at each tenth scan where they are, and it is true.
    static func honest(devices: Int = 40, minutes: Double = 10) -> [TapRecorded] {
        SimulatedMap.visits(seed: 21, devices: devices, minutes: minutes).enumerated().filter {
            $0.offset % 10 == 0
        }.map { tap($1.scan, $0, at: place($1), author: $1.scan.device.text) }
    }

    static func findings(_ taps: [TapRecorded]) -> TapFindings {
        TapFindings(
            taps: taps, surveys: SimulatedMap.surveys, judge: judge, site: SimulatedMap.site)
    }
}
