import Events
import Geometry
import Positioning
import Site

@testable import Simulation

/// A source of positions that a scan may hold.
enum Source: String, CaseIterable {
    case wifi = "Wi-Fi"
    case beacons
    case satellites
    case field = "magnetic field"
    case steps

    /// Whether the scan holds the source. A count of no steps is one, too.
    func isHeld(by scan: SourceScan) -> Bool {
        switch self {
        case .wifi: !scan.scan.wifi.isEmpty
        case .beacons: !scan.scan.ble.isEmpty
        case .satellites: scan.scan.gnss != nil
        case .field: !scan.field.isEmpty
        case .steps: scan.scan.steps != nil
        }
    }

    /// The scan as positioners get it, without some sources.
    static func radio(
        _ given: SourceScan, but missing: Set<Source>, hears: (WiFiReading) -> Bool
    ) -> RadioScan {
        var scan = given.scan
        scan.wifi = missing.contains(.wifi) ? [] : scan.wifi.filter(hears)
        if missing.contains(.beacons) { scan.ble = [] }
        if missing.contains(.satellites) { scan.gnss = nil }
        if missing.contains(.steps) { scan.steps = nil }
        var radio = RadioScan(scan)
        if !missing.contains(.field) {
            radio.evidence = missing.contains(.steps) ? given.fieldWithoutSteps : given.field
        }
        return radio
    }
}

/// The transmitters of a site, and those that are surveyed.
enum SiteKind: String, CaseIterable {
    /// All access points and beacons are surveyed.
    case dense = "dense Wi-Fi"
    /// A fifth of the access points, and the beacons, are surveyed.
    case sparse = "sparse Wi-Fi"
    /// Nothing is surveyed, and the site's records state its beacons.
    case unsurveyed = "beacons only"

    func hears(_ reading: WiFiReading) -> Bool {
        self != .sparse || reading.bssid.value % 5 == 0
    }
}

/// People in one building, located with all sources and with each one left out in turn.
struct SourceTrial {
    struct Size {
        /// People of each kind.
        var people: Int
        var seconds: Int
        var surveyStride: Int
        /// Whether each radio map chooses its positioner, as a site's does after a while. Without,
        /// it is that of a site before its first choice.
        var chooses: Bool
    }

    let kind: SiteKind
    private let people: [(person: TruePath.Person, scans: [SourceScan])]
    private let positioner: any PreparedPositioner

    /// The people of a building, whose scans are the same in all kinds of sites.
    struct Crowd {
        let sensors: SourceSensors
        let people: [(person: TruePath.Person, scans: [SourceScan])]
        let surveys: [SurveyRecorded]
        let chooses: Bool

        init(seed: UInt64, _ size: Size) throws {
            let sensors = try SourceSensors(seed: seed)
            self.sensors = sensors
            chooses = size.chooses
            surveys = Self.surveys(sensors, seed: seed, stride: size.surveyStride)
            people = TruePath.Person.allCases.flatMap { person in
                (0..<size.people).map { number in
                    let path = TruePath(
                        of: person, number: number, seconds: size.seconds, in: sensors.building,
                        seed: seed)
                    return (person, sensors.scans(path, number: number))
                }
            }
        }

        /// Each survey also receives the beacons at its place.
        private static func surveys(
            _ sensors: SourceSensors, seed: UInt64, stride: Int
        ) -> [SurveyRecorded] {
            var random = SimulationRandom(seed: seed, part: 60_000)
            let all = SimulatedSurvey(
                of: sensors.building, seed: seed + 1,
                start: Timestamp(milliseconds: 1_780_000_000_000))
            return all.enumerated().filter { $0.offset % stride == 0 }.map { _, survey in
                var survey = survey
                guard case .metres(let floor, let x, let y) = survey.place,
                    let storey = (0..<SimulatedBuilding.storeys).first(where: {
                        SimulatedBuilding.floor($0) == floor
                    })
                else { return survey }
                let z =
                    Double(storey) * RadioModel.storeyMetres + RadioModel.deviceHeightMetres
                survey.scan.ble = sensors.bluetooth(
                    PlacedDevice(x: x, y: y, z: z, heading: 0), 0, &random)
                return survey
            }
        }
    }

    init(_ kind: SiteKind, _ crowd: Crowd) throws {
        self.kind = kind
        people = crowd.people
        let site = try SiteIndex(crowd.sensors.document)
        var surveys = kind == .unsurveyed ? [] : crowd.surveys
        for index in surveys.indices { surveys[index].scan.wifi.removeAll { !kind.hears($0) } }
        let map = surveys.isEmpty ? .empty : RadioMapBuilder.build(surveys, site: site).map
        let isChosen = crowd.chooses && kind != .unsurveyed
        positioner = AutomaticPositioner()
            .following(isChosen ? PositionerChoice(for: map).positioner : nil)
            .prepare(map, site: site)
    }

    /// Whether any scan of each person holds the source, in the order of the figures.
    func holds(_ source: Source) -> [Bool] {
        people.map { _, scans in scans.contains { source.isHeld(by: $0) } }
    }

    /// The figures of each person, in the same order for each set of missing sources.
    func figures(without missing: Set<Source>) -> [SourceFigures] {
        people.map { person, scans in followed(scans, person, missing) }
    }

    private func followed(
        _ scans: [SourceScan], _ person: TruePath.Person, _ missing: Set<Source>
    ) -> SourceFigures {
        var figures = SourceFigures()
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        for (number, scan) in scans.enumerated() {
            let answer = positioner.locate(
                Source.radio(scan, but: missing, hears: kind.hears), state: state,
                seed: scan.scan.id.low, scratch: &scratch)
            state = answer.state
            // After a minute a device at rest counts as such.
            let isSettled =
                person == .resting && number * SourceSensors.scanSeconds > 60
            figures.add(answer.estimate, scan.truth, isAtRest: isSettled)
        }
        return figures
    }
}
