import Events
import Geometry
import Glibc
import SampleSites
import SeededRandomness
import Site
import Testing

@testable import Positioning

@Suite("States survive new ground") struct NewGroundTests {
    /// The sample site, whose first floor is in a building of its own.
    private static func site(adjust: (inout SiteDocument) -> Void = { _ in }) throws -> SiteIndex {
        var document = SampleSite.index.document
        let annexe = BuildingID("annexe")
        document.buildings.append(
            BuildingRecord(id: annexe, name: "Annexe", timeZone: "Europe/London"))
        document.floors[1].building = annexe
        adjust(&document)
        return try SiteIndex(document)
    }

    /// Another document of the first floor. The number chooses which.
    private static func site(changed number: Int) throws -> SiteIndex {
        try site { document in
            guard number > 0, let room = document.rooms.firstIndex(where: { $0.id.text == "D" })
            else { return }
            let width = Double(4 + 3 * (number % 5))
            document.rooms[room].outline = [[0, 0], [width, 0], [width, 6], [0, 6]]
            document.rooms.append(
                RoomRecord(
                    id: RoomID("new-\(number)"), floor: SampleSite.first, name: "New",
                    kind: "room", outline: [[30, 0], [30 + width, 0], [30 + width, 9], [30, 9]]))
        }
    }

    private static func prepared(_ site: SiteIndex) throws -> PreparedTrack {
        let track = Track(over: NearestNeighbours())
        return try #require(track.prepare(SampleSite.map, site: site) as? PreparedTrack)
    }

    /// Scans of a walker to and fro on the ground floor, with noise.
    private static func scans(_ count: Int, _ random: inout SeededRandom) -> [RadioScan] {
        var scans: [RadioScan] = []
        for number in 0..<count {
            let x = 10 + 8 * sin(Double(number) / 4)
            let wifi = SampleSite.readings(at: Point(x: x, y: 1), floor: SampleSite.ground) {
                Double.random(in: -4...4, using: &random)
            }
            scans.append(RadioScan(SampleSite.scan(number, wifi: wifi, seconds: 4 * number)))
        }
        return scans
    }

    @Test(
        "A track goes on alike while the document of another floor changes at random times",
        arguments: 0..<6)
    func otherFloor(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scans = Self.scans(40, &random)
        let grounds = try (0..<6).map { try Self.prepared(Self.site(changed: $0)) }
        var scratch = (PositionerScratch(), PositionerScratch(), PositionerScratch())
        var states = (PositionerState.empty, PositionerState.empty, PositionerState.empty)
        var current = 0
        var restarted = 0.0
        for (number, scan) in scans.enumerated() {
            let isChanged = number > 5 && Int.random(in: 0..<4, using: &random) == 0
            if isChanged {
                current = Int.random(in: 0..<grounds.count, using: &random)
                states.2 = .empty
            }
            let still = grounds[0].locate(scan, state: states.0, seed: 0, scratch: &scratch.0)
            let moving = grounds[current].locate(
                scan, state: states.1, seed: 0, scratch: &scratch.1)
            let anew = grounds[current].locate(scan, state: states.2, seed: 0, scratch: &scratch.2)
            states = (still.state, moving.state, anew.state)
            let (one, other) = (still.estimate.place, moving.estimate.place)
            #expect(still.estimate.state == moving.estimate.state)
            #expect(one?.floor == other?.floor && one?.room == other?.room)
            let here = try #require(one?.point)
            // Beliefs are stored in steps of 5 %, and rounding may choose the next step.
            #expect(here.distance(to: try #require(other?.point)) < 0.1)
            if let place = anew.estimate.place {
                restarted = max(restarted, here.distance(to: place.point))
            }
        }
        // The canary: a track that begins anew at each change is elsewhere.
        #expect(restarted > 0.1)
    }

    /// A belief by what it means.
    private struct Meaning: Hashable {
        let floor: FloorID
        let column: Int
        let row: Int
        let mode: Int
    }

    private static func meanings(_ state: TrackState, _ graph: WalkableGraph) -> [Meaning: Float] {
        var meanings: [Meaning: Float] = [:]
        for belief in state.beliefs {
            let meaning = meaning(belief, graph)
            meanings[meaning] = belief.weight
        }
        return meanings
    }

    private static func meaning(_ belief: TrackState.Belief, _ graph: WalkableGraph) -> Meaning {
        let cell = graph.cells[belief.cell]
        return Meaning(
            floor: graph.floors[Int(cell.floor)], column: Int((cell.point.x / 2).rounded(.down)),
            row: Int((cell.point.y / 2).rounded(.down)), mode: belief.mode)
    }

    /// Carries beliefs over by a search through all cells of the other graph.
    private static func carried(
        _ state: TrackState, _ before: WalkableGraph, to after: WalkableGraph
    ) -> [Meaning: Float] {
        let beside = [
            (0, 0), (0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1),
        ]
        let known = Set(
            after.cells.indices.map {
                meaning(
                    TrackState.Belief(index: Int32($0 * TrackState.Belief.modes), weight: 0), after)
            })
        var carried: [Meaning: Float] = [:]
        for belief in state.beliefs {
            let old = meaning(belief, before)
            let target = beside.lazy.map { x, y in
                Meaning(floor: old.floor, column: old.column + x, row: old.row + y, mode: 0)
            }.first { known.contains($0) }
            guard let target else { continue }
            let new = Meaning(
                floor: target.floor, column: target.column, row: target.row, mode: old.mode)
            carried[new, default: 0] += belief.weight
        }
        return carried
    }

    @Test(
        "Beliefs are where they were on ground that stays, and beside it where cells are gone",
        arguments: 0..<12)
    func carrying(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let before = try Self.prepared(Self.site())
        // Rooms are added to the west and east, and B loses up to half of its width.
        let width = Double.random(in: 5...9.9, using: &random)
        let west = Double.random(in: -30 ... -5, using: &random)
        let after = try Self.prepared(
            Self.site { document in
                let room = document.rooms.firstIndex { $0.id.text == "B" } ?? 0
                document.rooms[room].outline = [
                    [10, 2], [10 + width, 2], [10 + width, 6], [10, 6],
                ]
                for (id, x) in [("west", west), ("east", 25)] {
                    document.rooms.append(
                        RoomRecord(
                            id: RoomID(id), floor: SampleSite.ground, name: id, kind: "room",
                            outline: [[x, -7], [x + 4, -7], [x + 4, 9], [x, 9]]))
                }
            })
        var scratch = PositionerScratch()
        var bytes = PositionerState.empty
        for scan in Self.scans(Int.random(in: 2...12, using: &random), &random) {
            bytes = before.locate(scan, state: bytes, seed: 0, scratch: &scratch).state
        }
        let old = try #require(TrackState(bytes.bytes, graph: before.graph))
        let new = try #require(TrackState(bytes.bytes, graph: after.graph))
        let slow = Self.carried(old, before.graph, to: after.graph)
        let fast = Self.meanings(new, after.graph)
        #expect(Set(fast.keys) == Set(slow.keys))
        #expect(fast.allSatisfy { abs($0.value - (slow[$0.key] ?? 0)) < 1e-5 })
        #expect(new.beliefs.map(\.index) == new.beliefs.map(\.index).sorted())
        #expect(new.at == old.at)
        #expect(new.heardAt == old.heardAt)
    }

    @Test("A state is of no use where its floor, or most of its ground, is gone")
    func gone() throws {
        var random = SeededRandom(seed: 1)
        let before = try Self.prepared(Self.site())
        var (scratch, state) = (PositionerScratch(), PositionerState.empty)
        for scan in Self.scans(6, &random) {
            state = before.locate(scan, state: state, seed: 0, scratch: &scratch).state
        }
        let elsewhere = try Self.prepared(
            Self.site { document in
                for room in document.rooms.indices where document.rooms[room].id.text != "D" {
                    document.rooms[room].outline = [[200, 0], [204, 0], [204, 4], [200, 4]]
                }
            })
        #expect(TrackState(state.bytes, graph: elsewhere.graph) == nil)
        var document = SampleSite.index.document
        let other = FloorID("other")
        document.floors[0].id = other
        for room in document.rooms.indices where document.rooms[room].floor == SampleSite.ground {
            document.rooms[room].floor = other
        }
        document.locations = []
        let renamed = try RandomPlan.graph(document)
        #expect(TrackState(state.bytes, graph: renamed) == nil)
        #expect(TrackState(state.bytes, graph: before.graph) != nil)
    }
}
