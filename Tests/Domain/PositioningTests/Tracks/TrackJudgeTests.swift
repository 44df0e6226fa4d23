import Events
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite struct TrackJudgeTests {
    /// A random state on the graph, which may be sure of a floor or not.
    private static func state(
        _ graph: WalkableGraph, _ rooms: Int, _ random: inout SeededRandom
    ) -> TrackState {
        let favourite = Int32.random(in: 0..<Int32(graph.floors.count), using: &random)
        let factor = Float.random(in: 0.2...5, using: &random)
        let beliefs = graph.cells.indices.compactMap { cell -> TrackState.Belief? in
            guard Int.random(in: 0..<3, using: &random) == 0 else { return nil }
            let mode = Int.random(in: 0..<TrackState.Belief.modes, using: &random)
            let weight = Float.random(in: 0.01...1, using: &random)
            return TrackState.Belief(
                index: Int32(cell * TrackState.Belief.modes + mode),
                weight: graph.cells[cell].floor == favourite ? factor * weight : weight)
        }
        return TrackState(
            at: 0, heardAt: 0,
            floor: Int32.random(in: 0..<Int32(graph.floors.count), using: &random),
            room: Int32.random(in: -1..<Int32(rooms), using: &random), scanRadius68: 4,
            scanRadius95: 8, beliefs: beliefs)
    }

    @Test(
        "Floor, room and the rooms' probabilities agree with slow, obvious sums",
        arguments: 0..<40 as Range<UInt64>)
    func obvious(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let rooms = SampleSite.index.rooms.map(\.id)
        let graph = WalkableGraphBuilder.build(
            map: RandomMap.make(&random), site: SampleSite.index)
        let settings = TrackSettings()
        let before = Self.state(graph, rooms.count, &random)
        guard !before.beliefs.isEmpty else { return }
        var state = before
        let judge = TrackJudge(graph: graph, rooms: rooms, settings: settings)
        let estimate = judge.estimate(&state, seconds: 4)

        func sum(_ isCounted: (WalkableGraph.Cell) -> Bool) -> Double {
            before.beliefs.filter { isCounted(graph.cells[$0.cell]) }
                .reduce(0) { $0 + Double($1.weight) }
        }
        let total = sum { _ in true }
        let floors = graph.floors.indices.map { floor in sum { $0.floor == floor } / total }
        let best = try #require(floors.indices.max { floors[$0] < floors[$1] })
        let isSure = floors[best] >= Double(TrackSettings.floorProbability)
        let floor = isSure || floors[Int(before.floor)] == 0 ? best : Int(before.floor)
        #expect(Int(state.floor) == floor)
        #expect(estimate.place?.floor == graph.floors[floor])

        let shares = (-1..<rooms.count).map { room in
            sum { Int($0.room) == room && Int($0.floor) == floor } / (floors[floor] * total)
        }
        let likeliest = try #require(shares.indices.max { shares[$0] < shares[$1] }) - 1
        let own = floor == Int(before.floor) ? Int(before.room) : -1
        let isLeft =
            shares[likeliest + 1] >= settings.roomProbability
            || shares[own + 1] < settings.leastKeptRoomShare
        #expect(Int(state.room) == (isLeft ? likeliest : own))
        #expect(estimate.place?.room == (state.room < 0 ? nil : rooms[Int(state.room)]))

        for (index, room) in rooms.enumerated() {
            let probability = sum { Int($0.room) == index } / total
            let found = estimate.rooms.first { $0.id == room }?.probability
            if let found {
                #expect(abs(found - probability) < 1e-9)
            } else {
                #expect(probability < RoomPosterior.leastProbability + 1e-9)
                #expect(estimate.place?.room != room, "the published room is listed")
            }
        }
        #expect(
            estimate.rooms.map(\.probability) == estimate.rooms.map(\.probability).sorted(by: >))
    }

    @Test("A device leaves a room at once where it hardly can be, unless it is at rest")
    func left() throws {
        var random = SeededRandom(seed: 1)
        let rooms = SampleSite.index.rooms.map(\.id)
        let graph = WalkableGraphBuilder.build(
            map: RandomMap.make(&random), site: SampleSite.index)
        let settings = TrackSettings()
        let judge = TrackJudge(graph: graph, rooms: rooms, settings: settings)
        let floor = Int32(try #require(graph.floors.firstIndex(of: SampleSite.ground)))
        let own = try #require(graph.cells.firstIndex { $0.floor == floor && $0.room >= 0 })
        let other = try #require(
            graph.cells.firstIndex {
                $0.floor == floor && $0.room >= 0 && $0.room != graph.cells[own].room
            })
        for share in [0.01, 0.06, 0.6] as [Float] {
            var state = TrackState(
                at: 0, heardAt: 0, floor: floor, room: graph.cells[own].room, scanRadius68: 4,
                scanRadius95: 8,
                beliefs: [(own, share), (other, 1 - share)].map { cell, weight in
                    TrackState.Belief(
                        index: Int32(cell * TrackState.Belief.modes), weight: weight)
                })
            let walking = judge.estimate(&state, seconds: 1)
            let middle = try #require(walking.place?.point)
            state.room = graph.cells[own].room
            state.settling = TrackSettling(
                point: middle, seconds: 2 * settings.settlingSeconds, roomShare: 0.9)
            let resting = judge.estimate(&state, seconds: 1)
            let isLeft = share <= 0.5
            #expect(
                walking.place?.room == rooms[Int(graph.cells[isLeft ? other : own].room)],
                "\(share)")
            #expect(resting.place?.room == rooms[Int(graph.cells[own].room)], "\(share)")
            state.beliefs.removeAll { $0.cell == own }
            state.room = graph.cells[own].room
            let away = judge.estimate(&state, seconds: 1, awaySeconds: 1)
            #expect(away.place?.room == rooms[Int(graph.cells[own].room)], "\(share)")
            for estimate in [walking, resting, away] {
                #expect(estimate.rooms.contains { $0.id == estimate.place?.room })
            }
        }
    }
}
