import Events
import Geometry
import Simulation
import Site
import Testing

@testable import Positioning

@Suite("Trilateration without surveys") struct UnsurveyedFloorTests {
    private let building: SimulatedBuilding
    private let site: SiteIndex
    private let surveys: [SurveyRecorded]

    init() throws {
        building = SimulatedBuilding.make(seed: 71)
        var document = building.document
        document.accessPointPlaces = building.accessPoints.map {
            AccessPointPlace(
                address: $0.bssid, floor: SimulatedBuilding.floor($0.storey), point: [$0.x, $0.y])
        }
        site = try SiteIndex(document)
        surveys = SimulatedSurvey(
            of: building, seed: 72, start: Timestamp(milliseconds: 1_780_000_000_000)
        ).enumerated().filter { $0.offset % 23 == 0 }.map(\.element)
    }

    private struct Outcome: CustomStringConvertible {
        var errors: [Double] = []
        var (floors, within68, within95) = (0, 0, 0)
        var mean: Double { errors.reduce(0, +) / Double(max(1, errors.count)) }
        func share(_ count: Int) -> Double { Double(count) / Double(max(1, errors.count)) }
        var description: String {
            "\(errors.count) scans: mean \(mean) m, floor \(share(floors)), within the radii "
                + "\(share(within68)) and \(share(within95))"
        }
    }

    /// Locates the scans of these surveys; the truth is each survey's place.
    private func outcome(
        _ positioner: any PreparedPositioner, _ scans: some Sequence<SurveyRecorded>
    ) -> Outcome {
        var outcome = Outcome()
        for survey in scans {
            guard case .metres(let floor, let x, let y) = survey.place,
                let place = positioner.locate(RadioScan(survey.scan)).place
            else { continue }
            let error = place.point.distance(to: Point(x: x, y: y))
            outcome.errors.append(error)
            if place.floor == floor { outcome.floors += 1 }
            if error <= place.radius68 { outcome.within68 += 1 }
            if error <= place.radius95 { outcome.within95 += 1 }
        }
        return outcome
    }

    @Test("Without surveys, the places of access points give positions on the right floor")
    func nothingSurveyed() {
        let positioner = AutomaticPositioner().prepare(.empty, site: site)
        let outcome = outcome(positioner, surveys)
        print("known access points, no survey:", outcome)
        #expect(outcome.errors.count == surveys.count)
        #expect(outcome.mean < 8)
        #expect(outcome.share(outcome.floors) > 0.9)
        #expect((0.55...0.9).contains(outcome.share(outcome.within68)))
        #expect((0.85...1).contains(outcome.share(outcome.within95)))
    }

    @Test("A floor without surveys is located beside floors that have some")
    func oneFloor() {
        let bare = SimulatedBuilding.floor(1)
        func isBare(_ survey: SurveyRecorded) -> Bool {
            if case .metres(let floor, _, _) = survey.place { floor == bare } else { false }
        }
        let map = RadioMapBuilder.build(surveys.filter { !isBare($0) }, site: site).map
        let positioner = Trilateration().prepare(map, site: site)
        let outcome = outcome(positioner, surveys.filter(isBare))
        print("known access points on one floor of three:", outcome)
        #expect(outcome.mean < 10)
        #expect(outcome.share(outcome.floors) > 0.6)
        #expect(outcome.share(outcome.within95) > 0.8)
    }

    @Test("Without a map or stated access points a device is lost with any positioner")
    func nothingKnown() throws {
        let site = try SiteIndex(building.document)
        for positioner in [AutomaticPositioner(), Trilateration()] as [any Positioner] {
            let estimate = positioner.prepare(.empty, site: site).locate(RadioScan(surveys[0].scan))
            #expect(estimate == .lost)
        }
    }
}
