import Events
import Geometry
import Positioning
import RadioMapCare
import Simulation
import Site
import Testing

@Suite("ChangeDetector") struct ChangeDetectorTests {
    static let building = SimulatedMap.building
    static let week: Int64 = 7 * 86_400 * 1_000_000

    /// Surveys of the coarse grid by one scanner, each some weeks after the previous one. Their
    /// offsets differ, as if the telephone were held differently.
    static let weekly: [[SurveyRecorded]] = (0..<4).map { number in
        let start = SimulatedMap.start.advanced(byMicroseconds: Int64(number) * week)
        return SimulatedSurvey(
            of: building, seed: UInt64(number + 10), start: start
        ).filter { survey in
            guard case .metres(_, let x, let y) = survey.place else { return false }
            return SimulatedMap.isOnCoarseGrid(Point(x: x, y: y))
        }
    }

    static func bssid(_ number: Int) -> HardwareAddress { building.accessPoints[number].bssid }

    /// The address that replaces one that is no longer received.
    static let silence = HardwareAddress(value: 0)

    /// The surveys with addresses exchanged.
    static func renamed(
        _ surveys: [SurveyRecorded], _ names: [HardwareAddress: HardwareAddress]
    ) -> [SurveyRecorded] {
        surveys.map { survey in
            var survey = survey
            survey.scan.wifi = survey.scan.wifi.compactMap { reading in
                guard let name = names[reading.bssid] else { return reading }
                var reading = reading
                reading.bssid = name
                return name == silence ? nil : reading
            }
            return survey
        }
    }

    @Test("Planted faults are found, and nothing else", arguments: 0..<3)
    func planted(seed: Int) throws {
        let first = Self.weekly[0]
        let second = Self.weekly[1]
        let (gone, one, other) = (3 + seed, 12 + seed, 47 - seed)
        let faulty = Self.renamed(
            second,
            [
                Self.bssid(gone): Self.silence, Self.bssid(one): Self.bssid(other),
                Self.bssid(other): Self.bssid(one),
            ])
        let changes = ChangeDetector.changes(in: faulty + first, site: SimulatedMap.site)
        let kinds = [Transmitter: TransmitterChange.Kind](
            uniqueKeysWithValues: changes.map { ($0.transmitter, $0.kind) })
        #expect(
            kinds == [
                .wifi(Self.bssid(gone)): .vanished, .wifi(Self.bssid(one)): .moved,
                .wifi(Self.bssid(other)): .moved,
            ])
        // Its places before and after must be right within the size of a cell.
        let moved = try #require(changes.first { $0.transmitter == .wifi(Self.bssid(one)) })
        let (before, after) = (Self.building.accessPoints[one], Self.building.accessPoints[other])
        #expect(moved.before?.floor == SimulatedBuilding.floor(before.storey))
        #expect(moved.after?.floor == SimulatedBuilding.floor(after.storey))
        let error = try #require(moved.after).point.distance(to: Point(x: after.x, y: after.y))
        #expect(error < 10)
        #expect(moved.since >= SimulatedMap.start.advanced(byMicroseconds: Self.week))
    }

    @Test("Surveys by other telephones on other days raise no alarm")
    func falseAlarms() {
        let surveys = Self.weekly.flatMap { $0 }
        #expect(ChangeDetector.changes(in: surveys, site: SimulatedMap.site).isEmpty)
    }

    @Test("A telephone that never receives half of the access points does not make them vanish")
    func deaf() {
        let first = Self.weekly[0]
        let names = [HardwareAddress: HardwareAddress](
            uniqueKeysWithValues: (0..<30).map { (Self.bssid($0 * 2), Self.silence) })
        let deaf = Self.renamed(Self.weekly[1], names)
        #expect(ChangeDetector.changes(in: first + deaf, site: SimulatedMap.site).isEmpty)
    }

    @Test("A transmitter vanishes when two new telephones miss it, not when one does")
    func strangers() {
        func byOther(_ week: Int) -> [SurveyRecorded] {
            let gone = [Self.bssid(7): Self.silence]
            return Self.renamed(Self.weekly[week], gone).enumerated().map { number, survey in
                var survey = survey
                survey.scan.scanner = ScannerID(number % 2 == 0 ? "one" : "other")
                return survey
            }
        }
        let first = Self.weekly[0]
        let site = SimulatedMap.site
        let alone = byOther(1).filter { $0.scan.scanner == ScannerID("one") }
        #expect(ChangeDetector.changes(in: first + alone, site: site).isEmpty)
        #expect(
            ChangeDetector.changes(in: first + byOther(1), site: site).map(\.kind) == [.vanished])
    }

    @Test("A vanished transmitter that is received again at its place is back")
    func back() {
        let gone: [HardwareAddress: HardwareAddress] = [Self.bssid(5): Self.silence]
        let first = Self.weekly[0]
        let second = Self.renamed(Self.weekly[1], gone)
        let third = Self.weekly[2]
        let site = SimulatedMap.site
        #expect(ChangeDetector.changes(in: first + second, site: site).map(\.kind) == [.vanished])
        #expect(ChangeDetector.changes(in: first + second + third, site: site).isEmpty)
    }

    @Test("Surveys lose all readings of vanished transmitters, and the old ones of moved ones")
    func setAside() throws {
        let first = Self.weekly[0]
        let swapped = Self.renamed(
            Self.weekly[1],
            [
                Self.bssid(0): Self.silence, Self.bssid(10): Self.bssid(50),
                Self.bssid(50): Self.bssid(10),
            ])
        let changes = ChangeDetector.changes(in: first + swapped, site: SimulatedMap.site)
        let byTransmitter = [Transmitter: TransmitterChange](
            uniqueKeysWithValues: changes.map { ($0.transmitter, $0) })
        func heard(_ surveys: [SurveyRecorded], _ number: Int) -> Int {
            surveys.count { survey in
                survey.without(byTransmitter).scan.wifi.contains { $0.bssid == Self.bssid(number) }
            }
        }
        #expect(heard(first, 0) == 0)
        #expect(heard(first, 10) == 0)
        #expect(heard(swapped, 10) > 0)
        #expect(heard(first, 20) > 0)
    }

    @Test("A map without outdated readings locates visitors better")
    func helps() {
        var names: [HardwareAddress: HardwareAddress] = [:]
        for number in 0..<6 {
            let (one, other) = (Self.bssid(number * 3), Self.bssid(59 - number * 4))
            names[one] = other
            names[other] = one
        }
        let first = Self.weekly[0]
        // Only one wing is surveyed again.
        let second = Self.renamed(Self.weekly[1], names).filter { survey in
            guard case .metres(_, _, let y) = survey.place else { return false }
            return y < 30
        }
        let changes = ChangeDetector.changes(in: first + second, site: SimulatedMap.site)
        let byTransmitter = [Transmitter: TransmitterChange](
            uniqueKeysWithValues: changes.map { ($0.transmitter, $0) })
        #expect(changes.count >= 6)
        #expect(
            changes.allSatisfy { change in
                names.keys.contains { .wifi($0) == change.transmitter }
            })
        let visits = SimulatedMap.visits(seed: 8, devices: 8, minutes: 3).map { visit in
            var scan = visit.scan
            scan.wifi = scan.wifi.map { reading in
                var reading = reading
                if let name = names[reading.bssid] { reading.bssid = name }
                return reading
            }
            return (scan: scan, truth: visit.truth)
        }
        func error(_ surveys: [SurveyRecorded]) -> Double {
            SimulatedMap.error(
                of: NearestNeighbours(exponent: 1.5), SimulatedMap.map(surveys), visits: visits
            ) { _ in true }
        }
        let stale = error(first + second)
        let cared = error((first + second).map { $0.without(byTransmitter) })
        #expect(cared < stale)
    }
}
