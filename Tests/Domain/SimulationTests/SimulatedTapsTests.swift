import Events
import Simulation
import Testing

@Suite("Simulated taps") struct SimulatedTapsTests {
    private static let building = SimulatedBuilding.make(seed: 1)
    private static let start = Timestamp(milliseconds: 1_767_600_000_000)
    private typealias Tap = (scan: ScanRecorded, place: SurveyPlace)

    private static func walk(minutes: Double) -> [SimulatedScan] {
        Array(
            SimulatedWalk(
                in: building, seed: 1, device: DeviceID("walker"), start: start,
                durationSeconds: minutes * 60))
    }

    private static func taps(_ walk: [SimulatedScan], perHour: Double) -> [Tap?] {
        var taps = SimulatedTaps(seed: 1, device: DeviceID("walker"), perHour: perHour)
        return walk.map { taps.tap(at: $0) }
    }

    private static func metres(_ tap: Tap, from truth: SimulatedTruth) -> Double {
        guard case .metres(let floor, let x, let y) = tap.place, floor == truth.floor else {
            return .infinity
        }
        return ((x - truth.x) * (x - truth.x) + (y - truth.y) * (y - truth.y)).squareRoot()
    }

    @Test("are as many as asked for, near the true place but for one in twenty")
    func places() {
        let walk = Self.walk(minutes: 3_000)
        let taps = Self.taps(walk, perHour: 90)
        let errors = zip(taps, walk).compactMap { tap, scan in
            tap.map { Self.metres($0, from: scan.truth) }
        }
        #expect(abs(Double(errors.count) / 4_500 - 1) < 0.06)
        let mistakes = errors.count { $0 > 6 }
        #expect(abs(Double(mistakes) / Double(errors.count) - 0.05) < 0.015)
        #expect(errors.sorted()[errors.count / 2] < 1.5 && errors.allSatisfy { $0 < 40 })
    }

    @Test("have the scan of that moment with an id of their own, and more hold the fewer ones")
    func moments() {
        let walk = Self.walk(minutes: 60)
        let (few, many) = (Self.taps(walk, perHour: 60), Self.taps(walk, perHour: 300))
        for (scan, (few, many)) in zip(walk, zip(few, many)) {
            if let few { #expect(few.scan == many?.scan && few.place == many?.place) }
            guard var tapped = many?.scan else { continue }
            #expect(tapped.id != scan.scan.id)
            tapped.id = scan.scan.id
            #expect(tapped == scan.scan)
        }
        #expect(Self.taps(walk, perHour: 0).allSatisfy { $0 == nil })
        #expect(Self.taps(walk, perHour: 1e6).allSatisfy { $0 != nil })
    }
}
