import Testing

@testable import Positioning

/// Compares tracks with and without the same devices' barometers, in buildings on which no constant
/// was tuned.
@Suite struct PressureWalkTests {
    private typealias Both = (with: PressureWalks.Figures, without: PressureWalks.Figures)

    private func both(
        _ measured: (PressureWalks, any PreparedPositioner, Bool) -> PressureWalks.Figures
    ) throws -> Both {
        var both = Both(PressureWalks.Figures(), PressureWalks.Figures())
        for seed in [31, 32, 33] as [UInt64] {
            let walks = try PressureWalks(seed: seed)
            let track = Track(over: Blend()).prepare(walks.map, site: walks.site)
            both.with = both.with + measured(walks, track, false)
            both.without = both.without + measured(walks, track, true)
        }
        return both
    }

    @Test("Walkers with a barometer are on the right floor more often, and sooner")
    func walking() throws {
        let both = try both { $0.walking($1, isSilent: $2) }
        #expect(both.without.delays.count >= 10, "\(both)")
        #expect(both.with.wrongShare <= 0.8 * both.without.wrongShare, "\(both)")
        #expect(both.with.meanDelay <= both.without.meanDelay, "\(both)")
        #expect(Double(both.with.floors) >= 0.99 * Double(both.without.floors), "\(both)")
    }

    @Test("At rest, weather of 2 hPa an hour makes no floor and no room wrong")
    func atRest() throws {
        let both = try both { $0.atRest($1, isSilent: $2) }
        #expect(both.with.wrongShare <= both.without.wrongShare + 0.005, "\(both)")
        #expect(both.with.wrongRoomShare <= both.without.wrongRoomShare + 0.005, "\(both)")
    }
}
