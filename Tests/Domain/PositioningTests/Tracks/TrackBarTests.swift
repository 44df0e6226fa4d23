import Foundation
import Testing

@testable import Positioning

/// Tests that tracks stay still at rest and follow walkers, in buildings on which no constant was
/// tuned. The default run is short. With `WHEREABOUTS_FULL_TRACKS` set, the run has the full length
/// and prints all figures.
@Suite struct TrackBarTests {
    private static let isFull =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FULL_TRACKS"] != nil

    @Test(
        "Devices at rest do not change room; without the filter they do"
    )
    func inShort() throws {
        // Every fifth survey is used, so that the radio map has all four directions.
        let tracks = try SimulatedTracks(seed: 5, surveyStride: 5)
        let instant = tracks.prepared(Blend())
        let filtered = tracks.prepared(Track(over: Blend()))
        let rest = tracks.atRest(filtered, devices: 2, minutes: 4)
        let planted = tracks.atRest(instant, devices: 2, minutes: 2)
        #expect(rest.changesPerHour <= 1, "\(rest)")
        #expect(planted.changesPerHour > 1, "\(planted)")
        #expect(rest.floorShare >= 0.99, "\(rest)")
        // Two of the four minutes are at rest.
        #expect(Double(rest.stored) <= 0.75 * Double(rest.scans), "\(rest)")
    }

    @Test("A device that scans twice a second is located nearly as well as one with a scan in 4 s")
    func quick() throws {
        let tracks = try SimulatedTracks(seed: 6, surveyStride: 5)
        let filtered = tracks.prepared(Track(over: Blend()))
        let usual = tracks.walking(filtered, devices: 4, minutes: 3)
        let quick = tracks.walking(filtered, devices: 4, minutes: 3, scanPeriodSeconds: 0.5)
        // It was 4.4 times the usual one when quick scans made the belief flat.
        let share = quick.meanError / usual.meanError
        #expect(share <= 1.5, "\(quick.meanError) \(usual.meanError)")
        let settings = TrackSettings()
        for seconds in stride(from: 0.1, to: 1.7, by: 0.1) {
            let left = 1 - settings.new(seconds: seconds)
            #expect(abs(settings.old(seconds: seconds) - left) < 1e-5)
        }
        #expect(settings.old(seconds: 2) == 0.5 && settings.old(seconds: 5) == 1)
    }

    @Test(
        "Devices at rest change room at most once an hour, and walkers' rooms are right",
        .enabled(
            if: isFull,
            "twelve simulated hours take minutes: set WHEREABOUTS_FULL_TRACKS and build for release"
        ),
        arguments: [707, 808] as [UInt64])
    func bars(seed: UInt64) throws {
        let tracks = try SimulatedTracks(seed: seed)
        let filtered = tracks.prepared(AutomaticPositioner())
        let instant = tracks.prepared(ChosenPositioner())
        let rest = tracks.atRest(filtered, devices: 12, minutes: 60)
        let planted = tracks.atRest(instant, devices: 12, minutes: 60)
        #expect(Double(rest.stored) <= 0.5 * Double(rest.scans))
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
