import Events
import Foundation
import Geometry
import Numbers
import Simulation
import Site
import Testing

@testable import Positioning

/// Tests of tracks in buildings that nobody could tune on: the commit draws them. With
/// `WHEREABOUTS_COMMIT` its hash does; without, a fixed text. The default run is short, in one
/// building. With `WHEREABOUTS_FULL_TRACKS` all ten are run, and all figures printed.
@Suite struct DrawnTrackTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isFull = environment["WHEREABOUTS_FULL_TRACKS"] != nil
    private static let commit = environment["WHEREABOUTS_COMMIT"] ?? "no commit"
    private static let buildings = 10

    /// The seeds of the buildings. The highest bits are 0, so that a seed has successors.
    private static func seeds(_ commit: String) -> [UInt64] {
        (0..<buildings).map { FNV1a.hash("\(commit) \($0)".utf8) >> 8 }
    }

    /// A positioner that gives the same room for every scan.
    private struct Unmoved: PreparedPositioner {
        func locate(
            _ scan: RadioScan, state: PositionerState, seed: UInt64,
            scratch: inout PositionerScratch
        ) -> (estimate: Estimate, state: PositionerState) {
            let place = Estimate.Place(
                floor: SimulatedBuilding.floor(0), point: Point(x: 4, y: 5),
                room: RoomID("0.S01"), covariance: .round(radius68: 5), radius68: 5, radius95: 9)
            return (Estimate(state: .located, place: place), .empty)
        }
    }

    @Test("Each commit draws ten other buildings")
    func drawn() {
        let all = ["a0677e4a", "057105f3", "no commit"].map(Self.seeds)
        #expect(Set(all.joined()).count == 30)
        #expect(all[0] == Self.seeds("a0677e4a"))
    }

    @Test("A positioner that never moves rests well, and misses every bar for walkers")
    func unmoved() throws {
        let tracks = try SimulatedTracks(seed: Self.seeds(Self.commit)[0], surveyStride: 40)
        var drawn = DrawnTracks()
        drawn.add(
            rest: tracks.atRest(Unmoved(), devices: 3, minutes: 5),
            walkers: tracks.walking(Unmoved(), devices: 6, minutes: 10))
        let kinds = drawn.missedBars.map { $0.prefix { $0 != ":" } }
        #expect(
            kinds == [
                "right rooms", "right rooms", "right floors", "delay of a new room",
                "delay of a new room",
            ], "\(drawn.missedBars)")
    }

    @Test("In one drawn building devices rest, and new rooms are told")
    func inShort() throws {
        // Every fifth survey is used, so that the radio map has all four directions.
        let tracks = try SimulatedTracks(seed: Self.seeds(Self.commit)[0], surveyStride: 5)
        let filtered = tracks.prepared(Track(over: Blend()))
        let rest = tracks.atRest(filtered, devices: 2, minutes: 4)
        let walkers = tracks.walking(filtered, devices: 3, minutes: 5)
        #expect(rest.changes <= 2, "\(rest)")
        #expect(walkers.floorShare >= 0.9, "\(walkers)")
        #expect(walkers.roomShare >= 0.6, "\(walkers)")
        let delays = walkers.delays.delays
        #expect(!delays.isEmpty && delays.count { $0 <= 18 } * 2 >= delays.count, "\(walkers)")
    }

    @Test(
        "In ten buildings devices rest, walkers' rooms are right, and new rooms are told soon",
        .enabled(
            if: isFull,
            "160 simulated hours take long: set WHEREABOUTS_FULL_TRACKS and build for release"
        ))
    func bars() throws {
        var drawn = DrawnTracks()
        for seed in Self.seeds(Self.commit) {
            let tracks = try SimulatedTracks(seed: seed)
            let filtered = tracks.prepared(AutomaticPositioner())
            let rest = tracks.atRest(filtered, devices: 12, minutes: 60)
            let walkers = tracks.walking(filtered, devices: 12, minutes: 20)
            print("building \(seed) of \(Self.commit) at rest: \(rest)")
            print("building \(seed) of \(Self.commit) walking: \(walkers)")
            drawn.add(rest: rest, walkers: walkers)
        }
        #expect(drawn.missedBars.isEmpty, "\(drawn.missedBars)")
    }
}
