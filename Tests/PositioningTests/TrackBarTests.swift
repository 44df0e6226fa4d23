import Foundation
import Testing

@testable import Positioning

/// Whether tracks keep still at rest and keep up with walkers, in buildings that no constant was tuned
/// on. In short; with `WHEREABOUTS_FULL_TRACKS` set as long as it has to hold for, with all figures.
@Suite struct TrackBarTests {
    private static let isFull =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FULL_TRACKS"] != nil

    @Test("At rest no room changes; without the filter it does all the time")
    func rest() throws {
        let tracks = try SimulatedTracks(seed: 5, surveyStride: 4)
        let snapshot = try #require(tracks.prepared(Blend()) as? any PreparedSnapshot)
        let filtered = tracks.prepared(Track(over: Blend()))
        let track = tracks.atRest(filtered, devices: 3, minutes: 5)
        let instant = tracks.atRest(snapshot, devices: 3, minutes: 5)
        #expect(track.changesPerHour <= 1, "\(track)")
        #expect(instant.changesPerHour > 1, "\(instant)")
        #expect(track.floorShare >= 0.99, "\(track)")
    }

    @Test("Walkers are in the right room more often than without the filter")
    func walkers() throws {
        let tracks = try SimulatedTracks(seed: 5, surveyStride: 4)
        let snapshot = tracks.prepared(Blend())
        let filtered = tracks.prepared(Track(over: Blend()))
        let track = tracks.walking(filtered, devices: 3, minutes: 5)
        let instant = tracks.walking(snapshot, devices: 3, minutes: 5)
        #expect(track.roomShare >= instant.roomShare, "\(track); instantly \(instant)")
        #expect(track.floorShare >= 0.99, "\(track)")
    }

    @Test(
        "Twelve devices rest for an hour with a change each at most, and walkers are in the right room",
        .enabled(
            if: isFull,
            "twelve simulated hours take minutes: set WHEREABOUTS_FULL_TRACKS and build for release"
        ),
        arguments: [202, 303] as [UInt64])
    func bars(seed: UInt64) throws {
        let tracks = try SimulatedTracks(seed: seed)
        let filtered = tracks.prepared(Track(over: AutomaticPositioner()))
        let instant = tracks.prepared(AutomaticPositioner())
        let rest = tracks.atRest(filtered, devices: 12, minutes: 60)
        let planted = tracks.atRest(instant, devices: 12, minutes: 60)
        let walkers = tracks.walking(filtered, devices: 12, minutes: 20)
        print("building \(seed) at rest: \(rest)")
        print("building \(seed) at rest without the filter: \(planted)")
        print("building \(seed) walking: \(walkers)")
        #expect(rest.changesPerHour <= 1)
        #expect(planted.changesPerHour > 1)
        #expect(walkers.roomShare >= 0.93)
        #expect(walkers.floorShare >= 0.99)
    }
}
