import Events
import Geometry
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct TrackTests {
    private let prepared: PreparedTrack
    private let snapshot: any PreparedSnapshot

    init() throws {
        var random = SeededRandom(seed: 3)
        let map = RandomMap.make(&random)
        snapshot = try #require(
            NearestNeighbours().prepare(map, site: SampleSite.index) as? any PreparedSnapshot)
        prepared = PreparedTrack(
            map: map, site: SampleSite.index, over: snapshot, settings: TrackSettings())
    }

    private func scans(_ count: Int, seed: UInt64) -> [RadioScan] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { number in
            var scan = RandomMap.scan(&random)
            scan.at = Timestamp(milliseconds: 1_000_000 + Int64(number) * 4_000)
            return scan
        }
    }

    @Test("A track's first scan has the estimate of the scan alone", arguments: 0..<10)
    func first(seed: UInt64) {
        let scan = scans(1, seed: seed)[0]
        #expect(prepared.locate(scan) == snapshot.locate(scan))
    }

    @Test(
        "A state that is read from its bytes gives the same bytes, and they are few",
        arguments: 0..<5)
    func roundTrip(seed: UInt64) throws {
        var state = PositionerState.empty
        var scratch = PositionerScratch()
        for scan in scans(12, seed: seed) {
            state = prepared.locate(scan, state: state, seed: 0, scratch: &scratch).state
            guard !state.bytes.isEmpty else { continue }
            let read = try #require(TrackState(state.bytes, graph: prepared.graph))
            #expect(read.bytes(graph: prepared.graph) == state.bytes)
            #expect(state.bytes.count <= 1_500)
        }
    }

    @Test("A state of the version before is read, with no time away from the place of rest")
    func versionBefore() throws {
        var scratch = PositionerScratch()
        let bytes = prepared.locate(scans(1, seed: 1)[0], state: .empty, seed: 0, scratch: &scratch)
            .state.bytes
        var known = try #require(TrackState(bytes, graph: prepared.graph))
        known.settling.awaySeconds = 4
        var before = Array(known.bytes(graph: prepared.graph).dropLast(4))
        #expect(before[0] == 4)
        before[0] = 3
        // It is behind 31 bytes, the odds of outdoors, a point, a time and a share.
        let away = 31 + OutdoorsOdds.byteCount + 12
        #expect(before[away] == 40)
        before.removeSubrange(away..<(away + 2))
        let sum = TrackChecksum.of(before)
        before += (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
        known.settling.awaySeconds = 0
        #expect(TrackState(before, graph: prepared.graph) == known)
    }

    @Test("A restart in the middle changes nothing: scratch memory holds no history")
    func restart() {
        var (first, second) = (PositionerState.empty, PositionerState.empty)
        var scratch = PositionerScratch()
        for scan in scans(20, seed: 8) {
            var fresh = PositionerScratch()
            let one = prepared.locate(scan, state: first, seed: 0, scratch: &scratch)
            let other = prepared.locate(scan, state: second, seed: 0, scratch: &fresh)
            #expect(one.estimate == other.estimate)
            (first, second) = (one.state, other.state)
        }
    }

    @Test("Damaged states count as no state", arguments: 0..<40)
    func spoiled(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let scans = scans(3, seed: 4)
        var scratch = PositionerScratch()
        var bytes = prepared.locate(scans[0], state: .empty, seed: 0, scratch: &scratch).state.bytes
        switch seed % 3 {
        case 0: bytes = (0..<Int(seed)).map { _ in UInt8.random(in: 0...255, using: &random) }
        case 1: bytes.removeLast(min(bytes.count, 1 + Int(seed)))
        default:
            guard !bytes.isEmpty else { return }
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x10
        }
        let answer = prepared.locate(
            scans[1], state: PositionerState(bytes: bytes), seed: 0, scratch: &scratch)
        #expect(answer.estimate == snapshot.locate(scans[1]))
    }

    @Test("A scan out of order is located alone and changes nothing; a long gap starts again")
    func order() {
        let scans = scans(4, seed: 6)
        var scratch = PositionerScratch()
        var state = PositionerState.empty
        for scan in scans[1...] {
            state = prepared.locate(scan, state: state, seed: 0, scratch: &scratch).state
        }
        let late = prepared.locate(scans[0], state: state, seed: 0, scratch: &scratch)
        #expect(late.state == state)
        #expect(late.estimate == snapshot.locate(scans[0]))
        var next = scans[2]
        next.at = scans[3].at.advanced(byMicroseconds: 91_000_000)
        #expect(
            prepared.locate(next, state: state, seed: 0, scratch: &scratch).estimate
                == snapshot.locate(next))
    }

    @Test("After two scans without readings the device is lost, and the next reading goes on")
    func silence() throws {
        var scratch = PositionerScratch()
        let scans = scans(6, seed: 2)
        var state = PositionerState.empty
        func locate(_ scan: RadioScan, seconds: Int) -> Estimate {
            var scan = scan
            scan.at = scans[5].at.advanced(byMicroseconds: Int64(seconds) * 1_000_000)
            let answer = prepared.locate(scan, state: state, seed: 0, scratch: &scratch)
            state = answer.state
            return answer.estimate
        }
        for (index, scan) in scans.enumerated() { _ = locate(scan, seconds: 4 * index - 20) }
        let silent = RadioScan(readings: [], at: scans[5].at)
        let states = stride(from: 5, through: 25, by: 5).map { locate(silent, seconds: $0).state }
        #expect(states == [.uncertain, .lost, .lost, .lost, .lost])
        #expect(TrackState(state.bytes, graph: prepared.graph)?.beliefs.isEmpty == false)
        let again = locate(scans[5], seconds: 28)
        #expect(again.state != .lost && again != snapshot.locate(scans[5]))
        #expect(locate(silent, seconds: 60).state == .lost)
        #expect(state == .empty)
    }

    @Test("A good fix without radio readings puts a device outdoors, in no building")
    func outdoors() throws {
        var scan = RadioScan(readings: [], at: Timestamp(milliseconds: 0))
        scan.gnss = SatelliteFix(latitude: 51.501, longitude: -0.1, accuracyMetres: 6)
        let estimate = prepared.locate(scan)
        #expect(estimate.place?.floor == .outdoors)
        #expect(estimate.place?.radius68 == 6)
        #expect(SampleSite.index.floor(.outdoors) == nil)
    }

    @Test(
        "A device goes outdoors or indoors after some time, or indoors when fixes end"
    )
    func handOver() throws {
        let snapshot = try #require(
            NearestNeighbours().prepare(SampleSite.map, site: SampleSite.index)
                as? any PreparedSnapshot)
        let prepared = PreparedTrack(
            map: SampleSite.map, site: SampleSite.index, over: snapshot, settings: TrackSettings())
        let readings = SampleSite.readings(at: Point(x: 5, y: 4), floor: SampleSite.ground)
        var (state, scratch) = (PositionerState.empty, PositionerScratch())
        var seconds: Int64 = 0
        func locate(hears: Bool, hasFix: Bool) -> FloorID? {
            var scan =
                hears
                ? RadioScan(SampleSite.scan(1, wifi: readings))
                : RadioScan(readings: [], at: Timestamp(microseconds: 0))
            seconds += 4
            scan.at = Timestamp(milliseconds: 1_000_000 + seconds * 1_000)
            scan.gnss =
                hasFix
                ? SatelliteFix(latitude: 51.50001, longitude: -0.0999, accuracyMetres: 6) : nil
            let answer = prepared.locate(scan, state: state, seed: 0, scratch: &scratch)
            state = answer.state
            return answer.estimate.place?.floor
        }
        for _ in 0..<3 { #expect(locate(hears: true, hasFix: true) != .outdoors) }
        let leaving = (0..<4).map { _ in locate(hears: false, hasFix: true) == .outdoors }
        #expect(leaving == [false, true, true, true])
        let entering = (0..<4).map { _ in locate(hears: true, hasFix: true) == .outdoors }
        #expect(!entering[1...].contains(true))
        for _ in 0..<4 { _ = locate(hears: false, hasFix: true) }
        #expect(locate(hears: false, hasFix: true) == .outdoors)
        // A street without fixes stays a street for half a minute.
        let silent = (0..<8).map { _ in locate(hears: false, hasFix: false) }
        #expect(silent == Array(repeating: .outdoors, count: 7) + [nil])
        for _ in 0..<4 { _ = locate(hears: false, hasFix: true) }
        let inside = (0..<3).map { _ in locate(hears: true, hasFix: false) == .outdoors }
        #expect(inside.last == false)
    }
}
