import Events
import Geometry
import SampleSites
import SeededRandomness
import Testing

@testable import Positioning

@Suite("A track whose scans may be of a floor that nobody surveyed") struct UnfittingScanTests {
    private enum Fit {
        /// Well, with a large misfit, with votes for several floors, and a scan without readings.
        case well, badly, divided, silent
    }

    /// Locates as the nearest neighbours do, and finds each scan as fitting as the test states.
    private struct Stated: PreparedSnapshot {
        struct Memory: CandidateMemory {
            var candidates: [Candidate] = []
            var base = PositionerScratch()
        }

        let base: any PreparedSnapshot
        /// By the time of the scan's readings.
        var fits: [Timestamp: Fit] = [:]
        var judge: SnapshotJudge { base.judge }

        func guess(_ scan: RadioScan, scratch: inout Memory) -> SnapshotGuess? {
            var found = base.guess(scan, &scratch.candidates, scratch: &scratch.base)
            switch fits[scan.at] {
            case .badly:
                found?.strangeness = Strangeness(
                    isDoubtful: true, leastRadius95: SurveyGaps.metres, isUnfitting: true)
            case .divided: found?.strangeness.leastFloorShare = 1.1
            case .well, .silent, nil: break
            }
            return found
        }
    }

    private static let place = Point(x: 5, y: 4)
    private let base: any PreparedSnapshot

    init() throws {
        base = try #require(
            NearestNeighbours().prepare(SampleSite.map, site: SampleSite.index)
                as? any PreparedSnapshot)
    }

    private func track(_ fits: [Fit]) -> PreparedTrack {
        var stated = Stated(base: base)
        for (number, fit) in fits.enumerated() { stated.fits[scan(number, fit).at] = fit }
        return PreparedTrack(
            map: SampleSite.map, site: SampleSite.index, over: stated, settings: TrackSettings())
    }

    /// A scan each four seconds. Not even a state that serves has equal readings.
    private func scan(_ number: Int, _ fit: Fit) -> RadioScan {
        var wifi = SampleSite.readings(at: Self.place, floor: SampleSite.ground)
        wifi[number % wifi.count].rssi -= 1
        var scan = RadioScan(
            SampleSite.scan(number, wifi: fit == .silent ? [] : wifi, seconds: 4 * number))
        scan.previousAt =
            number == 0 ? nil : scan.at.advanced(byMicroseconds: -4_000_000)
        return scan
    }

    private func located(
        _ fits: [Fit], by track: PreparedTrack
    ) -> [(estimate: Estimate, state: PositionerState)] {
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        return fits.enumerated().map { number, fit in
            let answer = track.locate(
                scan(number, fit), state: state, seed: 0, scratch: &scratch)
            state = answer.state
            return answer
        }
    }

    @Test("It is located if one of its last two scans with readings fits", arguments: 0..<20)
    func twin(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let fits = (0..<60).map { _ -> Fit in
            switch Int.random(in: 0..<16, using: &random) {
            case 0: .silent
            case 1...4: .badly
            case 5...7: .divided
            default: .well
            }
        }
        let track = track(fits)
        var heard: [Fit] = []
        for (number, answer) in located(fits, by: track).enumerated() {
            if fits[number] != .silent { heard.append(fits[number]) }
            // Nothing is located before the first scan with readings.
            guard !heard.isEmpty else { continue }
            let hasFit = heard.suffix(2).contains(.well)
            let isLocated = fits[number] != .silent && hasFit
            #expect((answer.estimate.state == .located) == isLocated, "scan \(number)")
            if !hasFit, fits[number] != .silent {
                let place = try #require(answer.estimate.place)
                #expect(place.floor == SampleSite.ground)
                #expect(place.radius95 >= SurveyGaps.metres)
            }
            let state = try #require(TrackState(answer.state.bytes, graph: track.graph))
            let unfitting = heard.reversed().prefix { $0 != .well }.count
            let before = heard.count == unfitting ? 2 : unfitting
            #expect(Int(state.unfittingScans) == min(before, 2))
        }
    }

    @Test("So it is at rest, where a stored state serves")
    func rest() {
        let well = [Fit](repeating: .well, count: 60)
        let fits = well + [.badly, .badly, .badly, .well, .divided, .well, .badly, .divided]
        let answers = located(fits, by: track(fits))
        let states = answers.map(\.estimate.state)
        #expect(states[..<60].allSatisfy { $0 == .located })
        #expect(
            states[60...] == [
                .located, .uncertain, .uncertain, .located, .located, .located, .located,
                .uncertain,
            ])
        let resting = answers[35..<60].map(\.state)
        let stored = zip(resting, resting.dropFirst()).filter { $0 != $1 }
        #expect(stored.count < 12, "hardly a state serves: \(stored.count) of 24 are stored")
    }

    @Test("Readings that a telephone repeats count once")
    func again() {
        let fits: [Fit] = [.well, .well, .badly]
        let track = track(fits)
        let answers = located(fits, by: track)
        var again = scan(2, .badly)
        again.at = again.at.advanced(byMicroseconds: 2_000_000)
        let estimate = track.locate(again, state: answers[2].state, seed: 0)
        #expect(answers[2].estimate.state == .located && estimate.state == .located)
    }

    @Test("States of before this count have none, and any other bits count as the most")
    func bits() throws {
        let fits: [Fit] = [.well, .badly]
        let track = track(fits)
        let bytes = located(fits, by: track)[1].state.bytes
        // Behind version, times, doubt, floor, room and radii.
        let flags = 1 + 8 + 8 + 1 + 4 + 4 + 2 + 2
        #expect(bytes[flags] == 1 << 2)
        for (bits, count) in [(0, 0), (1, 1), (2, 2), (63, 2)] as [(UInt8, UInt8)] {
            var changed = Array(bytes.dropLast(4))
            changed[flags] = bits << 2
            let sum = TrackChecksum.of(changed)
            changed += (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
            let state = try #require(TrackState(changed, graph: track.graph))
            #expect(state.unfittingScans == count)
        }
    }
}
