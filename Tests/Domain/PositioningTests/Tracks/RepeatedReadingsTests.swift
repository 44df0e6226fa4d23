import Events
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite("Readings that a telephone repeats with a new time") struct RepeatedReadingsTests {
    private let prepared: PreparedTrack
    private let snapshot: any PreparedSnapshot

    init() throws {
        var random = SeededRandom(seed: 3)
        let map = RandomMap.orderly(&random, surveysOfPlace: 3...4)
        snapshot = try #require(
            NearestNeighbours().prepare(map, site: SampleSite.index) as? any PreparedSnapshot)
        prepared = PreparedTrack(
            map: map, site: SampleSite.index, over: snapshot, settings: TrackSettings())
    }

    private func scan(_ random: inout SeededRandom, seconds: Int) -> RadioScan {
        var scan = RandomMap.orderlyScan(&random)
        scan.at = Timestamp(milliseconds: 1_000_000 + Int64(seconds) * 1_000)
        return scan
    }

    private func again(_ scan: RadioScan, after seconds: Int) -> RadioScan {
        var scan = scan
        scan.at = scan.at.advanced(byMicroseconds: Int64(seconds) * 1_000_000)
        return scan
    }

    private func state(_ state: PositionerState) -> TrackState? {
        TrackState(state.bytes, graph: prepared.graph)
    }

    @Test("say as little of the place as a scan without any", arguments: 0..<10)
    func silent(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        var scratch = PositionerScratch()
        let first = scan(&random, seconds: 0)
        var known = prepared.locate(first, state: .empty, seed: 0, scratch: &scratch).state
        for number in 1...5 {
            let repeated = prepared.locate(
                again(first, after: 3 * number), state: known, seed: 0, scratch: &scratch)
            let without = RadioScan(readings: [], at: again(first, after: 3 * number).at)
            let silent = prepared.locate(without, state: known, seed: 0, scratch: &scratch)
            let beliefs = try #require(state(repeated.state)).beliefs
            #expect(try beliefs == #require(state(silent.state)).beliefs)
            known = repeated.state
            // The silent scans must not end the track.
            #expect(try #require(state(known)).silentScans == 0)
        }
    }

    @Test("make no estimate more certain, and after ten seconds it is uncertain", arguments: 0..<10)
    func certainty(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        var (known, scratch) = (PositionerState.empty, PositionerScratch())
        func locate(_ scan: RadioScan) -> Estimate {
            let answer = prepared.locate(scan, state: known, seed: 0, scratch: &scratch)
            known = answer.state
            return answer.estimate
        }
        let first = scan(&random, seconds: 0)
        let alone = locate(first)
        var before = try #require(alone.place)
        for number in 1...40 {
            let estimate = locate(again(first, after: 3 * number))
            let place = try #require(estimate.place)
            #expect(place.radius95 > before.radius95 - 0.5)
            #expect(place.radius95 >= min(1.1 * 3 * Double(number), 100))
            if number > 3 { #expect(estimate.state == .uncertain) }
            before = place
        }
        // New readings go on with the track, and are as good as ever.
        var other = RandomMap.orderlyScan(&random)
        other.at = again(first, after: 123).at
        let last = locate(other)
        let fresh = try #require(last.place)
        #expect(fresh.radius95 < before.radius95)
        #expect(try #require(state(known)).heardAt == other.at.microseconds)
    }

    @Test("are new again after a scan between them, and where they are few")
    func between() throws {
        var random = SeededRandom(seed: 5)
        var scratch = PositionerScratch()
        let first = scan(&random, seconds: 0)
        let few = RadioScan(readings: Array(first.readings.prefix(2)), at: first.at)
        for scan in [first, few] {
            var known = prepared.locate(scan, state: .empty, seed: 0, scratch: &scratch).state
            if scan == first {
                let silent = RadioScan(readings: [], at: again(first, after: 2).at)
                known = prepared.locate(silent, state: known, seed: 0, scratch: &scratch).state
            }
            let next = again(scan, after: 4)
            known = prepared.locate(next, state: known, seed: 0, scratch: &scratch).state
            #expect(try #require(state(known)).heardAt == next.at.microseconds)
        }
    }

    @Test("are repeated also beside Bluetooth addresses of people, which change")
    func strangers() throws {
        var random = SeededRandom(seed: 7)
        var scratch = PositionerScratch()
        let first = scan(&random, seconds: 0)
        var known = PositionerState.empty
        for number in 0..<4 {
            let stranger = RadioReading(
                transmitter: .bluetooth(HardwareAddress(value: UInt64(900 + number))), rssi: -60)
            let next = RadioScan(
                readings: first.readings + [stranger], at: again(first, after: 3 * number).at)
            known = prepared.locate(next, state: known, seed: 0, scratch: &scratch).state
            #expect(try #require(state(known)).heardAt == first.at.microseconds)
        }
    }

    @Test("are recognised by a checksum, which a state of an earlier version lacks")
    func stored() throws {
        var random = SeededRandom(seed: 6)
        var scratch = PositionerScratch()
        let first = scan(&random, seconds: 0)
        let bytes = prepared.locate(first, state: .empty, seed: 0, scratch: &scratch).state.bytes
        let known = try #require(TrackState(bytes, graph: prepared.graph))
        #expect(known.readings == TrackChecksum.of(first.readings))
        // The entry and the checksum of all bytes are the last ten.
        var earlier = Array(bytes.dropLast(10))
        let sum = TrackChecksum.of(earlier)
        earlier += (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
        let read = try #require(TrackState(earlier, graph: prepared.graph))
        #expect(read.readings == 0 && read.beliefs == known.beliefs)
        #expect(read.bytes(graph: prepared.graph) == earlier)
    }

    @Test("have equal checksums; a reading more, less or changed has another", arguments: 0..<20)
    func checksums(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let readings = (0..<6).flatMap { _ in RandomMap.orderlyScan(&random).readings }
        for _ in 0..<200 {
            let one = Array(readings.shuffled(using: &random).prefix(4))
            var other = one
            switch Int.random(in: 0..<4, using: &random) {
            case 0: other.removeLast()
            case 1: other.append(readings[0])
            case 2: other[1].rssi += 1
            default: break
            }
            #expect((one == other) == (TrackChecksum.of(one) == TrackChecksum.of(other)))
        }
        #expect(TrackChecksum.of(Array(readings.prefix(2))) == nil)
    }
}
