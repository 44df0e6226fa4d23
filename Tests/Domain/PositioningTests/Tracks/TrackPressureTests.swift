import Events
import Glibc
import SampleSites
import SeededRandomness
import Simulation
import Site
import Testing

@testable import Positioning

@Suite("Air pressure in tracks") struct TrackPressureTests {
    private typealias Belief = TrackState.Belief

    @Test(
        "The filter agrees with beliefs that move one by one and are weighed by the formula",
        arguments: 0..<8)
    func slow(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let site = SampleSite.index
        let graph = WalkableGraphBuilder.build(map: RandomMap.make(&random), site: site)
        let filter = TrackFilter(graph: graph, settings: TrackSettings())
        let heights = FloorHeights(graph.floors, site: site)
        var before = state(beliefs(40, graph, &random))
        let weather = Double.random(in: -30...30, using: &random)
        before.pressure = TrackPressure(
            at: 1_000_000,
            references: graph.floors.indices.map {
                TrackPressure.Reference(
                    floor: Int32($0),
                    metres: Float(weather + Double.random(in: -1...1, using: &random)))
            })
        let seconds = Double.random(in: 1...60, using: &random)
        let climbed = Double.random(in: -5...5, using: &random)
        let hectopascals = 1_013.25 * exp(-(weather + climbed) / 8_434.7)
        let scan = scan(hectopascals, microseconds: 1_000_000 + Int64(seconds * 1e6))
        let motion = TrackMotion(
            seconds: min(8, seconds), scan: scan, pitch: graph.pitch, bearing: 0, TrackSettings())
        var scratch = TrackScratch()
        let climb = filter.predict(
            motion, before, pressure: PressureHeight(scan), heights, &scratch)
        let fast = graph.cells.indices.map { Double(scratch.belief(in: $0)) }
        scratch.clear()

        var slow = [Double](repeating: 0, count: graph.cells.count)
        var flows: [[Double]] = graph.floors.map { _ in graph.floors.map { _ in 0 } }
        for belief in before.beliefs {
            let from = Int(graph.cells[belief.cell].floor)
            filter.load([belief], &scratch)
            let total = Double(filter.predict(motion, &scratch)) * Double(belief.weight)
            let reference = Double(before.pressure.references[from].metres)
            for cell in graph.cells.indices {
                let height = log(1_013.25 / hectopascals) * 8_434.7 - reference
                let drift = 2.0 / 0.12 / 3_600 * seconds
                let variance = 0.64 + drift * drift
                let densities = points(cell, graph, heights).map { point in
                    exp(-(point - height) * (point - height) / 2 / variance)
                }
                let fitting =
                    0.8 / variance.squareRoot() * densities.reduce(0, +) / Double(densities.count)
                let share = total * Double(scratch.belief(in: cell)) * (0.05 + 0.95 * fitting)
                slow[cell] += share
                flows[Int(graph.cells[cell].floor)][from] += share
            }
            scratch.clear()
        }
        let sum = slow.reduce(0, +)
        let worst = zip(fast, slow).map { abs($0 - $1 / sum) }.max() ?? 1
        #expect(worst < 1e-4)
        for floor in graph.floors.indices {
            let most = flows[floor].max() ?? 0
            guard most > 0, let origin = climb?.origins[floor] else { continue }
            #expect(abs(flows[floor][Int(origin.floor)] - most) < 1e-4 * most + 1e-9)
        }
    }

    /// Points that are evenly spread over the heights of a cell's people.
    private func points(_ cell: Int, _ graph: WalkableGraph, _ heights: FloorHeights) -> [Double] {
        let own = Double(heights.metres[Int(graph.cells[cell].floor)])
        let others = graph.edges(of: cell).map { graph.edges[$0] }
            .filter { $0.direction == WalkableGraph.Edge.vertical }
            .map { Double(heights.metres[Int(graph.cells[Int($0.target)].floor)]) }
        let halfWays = others.map { own + ($0 - own) / 2 } + [own]
        let (low, high) = (halfWays.min() ?? own, halfWays.max() ?? own)
        return (0..<500).map { low + (high - low) * (Double($0) + 0.5) / 500 }
    }

    @Test("A scan without air pressure gives the state that it gave, whatever came before")
    func without() throws {
        let track = Track(over: Blend()).prepare(SampleSite.map, site: SampleSite.index)
        let graph = try #require(track as? PreparedTrack).graph
        var scratch = PositionerScratch()
        func located(_ number: Int, _ pressure: Double?, _ state: PositionerState) -> (
            estimate: Estimate, state: PositionerState
        ) {
            var scan = RadioScan(SampleSite.surveys[number].scan)
            scan.at = Timestamp(milliseconds: 10_000 + 4_000 * Int64(number))
            scan.pressureHectopascals = pressure
            return track.locate(scan, state: state, seed: 0, scratch: &scratch)
        }
        let plain = located(0, nil, .empty)
        let pressed = located(0, 1_013, .empty)
        #expect(plain.estimate == pressed.estimate)
        // The pressures follow the beliefs, so the bytes before them are the same.
        let read = try #require(TrackState(pressed.state.bytes, graph: graph))
        let added = 7 + 8 * read.pressure.references.count
        #expect(!read.pressure.references.isEmpty)
        #expect(pressed.state.bytes.count == plain.state.bytes.count + added)
        #expect(
            pressed.state.bytes.dropLast(added + 4) == plain.state.bytes.dropLast(4))
        #expect(TrackState(plain.state.bytes, graph: graph)?.pressure == TrackPressure())
        let next = located(1, nil, plain.state)
        let after = located(1, nil, pressed.state)
        #expect(next.estimate == after.estimate)
        // The references wait for the next air pressure.
        let kept = try #require(TrackState(after.state.bytes, graph: graph))
        #expect(kept.pressure == read.pressure)
        #expect(kept.bytes(graph: graph) == after.state.bytes)
    }

    @Test("References of floors that are gone are left out, and damaged ones are no state")
    func bytes() throws {
        var random = SeededRandom(seed: 3)
        let graph = WalkableGraphBuilder.build(
            map: RandomMap.make(&random), site: SampleSite.index)
        var state = state(beliefs(20, graph, &random))
        state.pressure = TrackPressure(
            at: 400_000,
            references: [
                TrackPressure.Reference(floor: 1, metres: 12.34),
                TrackPressure.Reference(floor: 0, metres: -17.5),
            ])
        let bytes = state.bytes(graph: graph)
        #expect(TrackState(bytes, graph: graph)?.pressure == state.pressure)
        let end = bytes.count - 4
        func changed(_ index: Int, _ byte: UInt8) -> TrackState? {
            var bytes = Array(bytes.prefix(end))
            bytes[index] = byte
            let sum = TrackChecksum.of(bytes)
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
            return TrackState(bytes, graph: graph)
        }
        // Two references fill 16 bytes, after their number.
        #expect(changed(end - 17, 3) == nil)
        #expect(changed(end - 17, 255) == nil)
        let other = try #require(changed(end - 16, bytes[end - 16] ^ 1))
        #expect(other.pressure.references.map(\.floor) == [0])
    }

    @Test("A climb by stairs is told from weather, and weather from a climb")
    func climb() throws {
        let walks = try PressureWalks(seed: 5)
        let graph = WalkableGraphBuilder.build(map: walks.map, site: walks.site)
        let filter = TrackFilter(graph: graph, settings: TrackSettings())
        let heights = FloorHeights(graph.floors, site: walks.site)
        let ground = try #require(graph.floors.firstIndex(of: SimulatedBuilding.floor(0)))
        let upper = try #require(graph.floors.firstIndex(of: SimulatedBuilding.floor(1)))
        let stairs = graph.cells(of: ground).filter { cell in
            graph.edges(of: cell).contains {
                graph.edges[$0].direction == WalkableGraph.Edge.vertical
            } && !graph.cells[cell].isLift
        }
        #expect(!stairs.isEmpty)
        func share(of floor: Int, at metres: [Double], isSilent: Bool = false) -> Float {
            var state = state(
                stairs.flatMap { cell in
                    (0..<Belief.modes).map {
                        Belief(index: Int32(cell * Belief.modes + $0), weight: 1)
                    }
                })
            // The device has been on the ground floor. A first air pressure would let those who
            // are upstairs by then have been there all along.
            let before = PressureHeight(
                metres: Float(PressureHeight.metres(hectopascals: 1_000)), at: -4_000_000)
            state.pressure = PressureClimb(before).after(state.beliefs, graph: graph, heights)
            var scratch = TrackScratch()
            for (number, metres) in metres.enumerated() {
                let scan = scan(
                    1_000 * exp(-metres / 8_434.7), microseconds: Int64(number) * 4_000_000)
                let motion = TrackMotion(
                    seconds: 4, scan: scan, pitch: graph.pitch, bearing: 0, TrackSettings())
                let climb = filter.predict(
                    motion, state, pressure: isSilent ? nil : PressureHeight(scan), heights,
                    &scratch)
                state.beliefs = filter.kept(scratch)
                if let climb {
                    state.pressure = climb.after(state.beliefs, graph: graph, heights)
                }
                scratch.clear()
            }
            let all = state.beliefs.reduce(0) { $0 + $1.weight }
            let own = state.beliefs.filter { Int(graph.cells[$0.cell].floor) == floor }
            return own.reduce(0) { $0 + $1.weight } / all
        }
        let climbed = [0.0, 0, 1, 2, 3, 4, 4, 4]
        #expect(share(of: upper, at: climbed) > 0.9)
        #expect(share(of: upper, at: climbed, isSilent: true) < 0.75)
        // Two hPa an hour are 17 m, for four minutes.
        let drifting = (0..<60).map { Double($0) * 4 * 17 / 3_600 }
        #expect(share(of: ground, at: drifting) > 0.9)
        #expect(share(of: ground, at: drifting, isSilent: true) < 0.9)
    }

    @Test("Floors without a stated height are 3.5 m apart, counted from the nearest stated one")
    func heights() throws {
        var document = SimulatedBuilding.make(seed: 1).document
        let floors = document.floors.map(\.id)
        document.floors[0].heightMetres = nil
        document.floors[1].heightMetres = 5
        document.floors[2].heightMetres = nil
        let site = try SiteIndex(document)
        #expect(FloorHeights(floors, site: site).metres == [1.5, 5, 8.5])
        for index in document.floors.indices { document.floors[index].heightMetres = nil }
        let unknown = try SiteIndex(document)
        #expect(FloorHeights(floors, site: unknown).metres == [0, 3.5, 7])
        #expect(FloorHeights([FloorID("gone")], site: unknown).metres == [0])
    }

    // MARK: Parts

    private func scan(_ hectopascals: Double, microseconds: Int64) -> RadioScan {
        var scan = RadioScan(readings: [], at: Timestamp(microseconds: microseconds))
        scan.pressureHectopascals = hectopascals
        return scan
    }

    private func state(_ beliefs: [Belief]) -> TrackState {
        TrackState(
            at: 1_000_000, heardAt: 1_000_000, floor: 0, room: -1, scanRadius68: 1,
            scanRadius95: 2, beliefs: beliefs)
    }

    private func beliefs(
        _ count: Int, _ graph: WalkableGraph, _ random: inout SeededRandom
    ) -> [Belief] {
        let all = graph.cells.count * Belief.modes
        let chosen = (0..<all).shuffled(using: &random).prefix(count).sorted()
        let weights = chosen.map { _ in Float.random(in: 0.1...1, using: &random) }
        let total = weights.reduce(0, +)
        return zip(chosen, weights).map { Belief(index: Int32($0), weight: $1 / total) }
    }
}
