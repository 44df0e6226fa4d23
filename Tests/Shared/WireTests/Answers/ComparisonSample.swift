import Events
import Geometry
import Positioning
import RadioMapCare
import Site
import Wire

/// Answers about the positioners of a site: with figures, with hardly any, and without.
enum ComparisonSample {
    private static let start = Timestamp(milliseconds: 1_795_305_600_000)
    private static let floor = FloorID("ground")

    static func answers() throws -> [[UInt8]] {
        let site = try SiteIndex(
            SiteDocument(
                name: "Museum", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
                buildings: [
                    BuildingRecord(
                        id: BuildingID("house"), name: "House", timeZone: "Europe/London")
                ],
                floors: [
                    FloorRecord(id: floor, building: BuildingID("house"), ordinal: 0, level: "0")
                ],
                rooms: [
                    RoomRecord(
                        id: RoomID("hall"), floor: floor, name: "Hall", kind: "hall",
                        outline: [[0, 0], [60, 0], [60, 9], [0, 9]])
                ]))
        let surveys = (0..<20).map {
            SurveyRecorded(scan: scan($0, of: 5), place: place($0))
        }
        let taps = (0..<3).map {
            TapRecorded(scan: scan($0, of: 6), place: place($0), author: "visitor-\($0)")
        }
        let candidates = [
            CandidatePositioner(NearestNeighbours(), name: "knn", basis: "knn"),
            CandidatePositioner(CellRegression(), name: "cells", basis: "cells"),
            CandidatePositioner("mine", obstacle: .program),
        ]
        func comparison(
            _ surveys: [SurveyRecorded], _ taps: [TapRecorded], of basis: ComparisonStanding.Basis
        ) -> KeptComparison {
            let map = RadioMapBuilder.build(surveys, site: site).map
            let bySurveys = PositionersBySurveys(candidates, on: map, site: site, choice: nil)
            let byTaps = PositionersByTaps(
                candidates, on: map, site: site, choice: nil, taps: taps)
            return KeptComparison(
                basis: basis, madeAt: start, served: bySurveys.served, promoted: "cells",
                bySurveys: bySurveys.json, byTaps: byTaps?.json)
        }
        let former = ComparisonStanding.Basis(radioMapVersion: 6, revision: 2)
        return [
            answer(comparison(surveys, taps, of: present)),
            // Ten scanners of two walks each, which are left out.
            answer(comparison(scanned(surveys), taps, of: present)),
            answer(comparison([], [], of: former)),
            answer(nil),
        ]
    }

    private static func scanned(_ surveys: [SurveyRecorded]) -> [SurveyRecorded] {
        surveys.enumerated().map { number, survey in
            var scan = survey.scan
            scan.scanner = ScannerID("tablet-\(number % 10)")
            return SurveyRecorded(scan: scan, place: survey.place)
        }
    }

    private static let present = ComparisonStanding.Basis(radioMapVersion: 7, revision: 2)

    private static func answer(_ kept: KeptComparison?) -> [UInt8] {
        ComparisonAnswer.json(
            of: SiteID("museum"),
            ComparisonStanding(
                hasBeside: true, present: present, choiceVersion: 7, kept: kept?.basis,
                hasFailed: false),
            triedAt: kept.map { $0.madeAt.advanced(byMicroseconds: 600_000_000) },
            comparison: kept)
    }

    private static func place(_ number: Int) -> SurveyPlace {
        .metres(floor: floor, x: 3 * Double(number), y: 4)
    }

    private static func scan(_ number: Int, of kind: UInt64) -> ScanRecorded {
        let at = start.advanced(byMicroseconds: Int64(number) * 30_000_000)
        return ScanRecorded(
            id: EventID(high: kind, low: UInt64(number)), site: SiteID("museum"),
            device: DeviceID("tablet"), scanner: ScannerID("tablet"), at: at, receivedAt: at,
            wifi: (0..<6).map {
                WiFiReading(
                    bssid: HardwareAddress(value: UInt64(1 + $0)),
                    rssi: -40 - abs(3 * number - 12 * $0))
            })
    }
}
