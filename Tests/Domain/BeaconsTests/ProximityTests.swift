import Beacons
import Events
import Glibc
import SeededRandomness
import Testing

@Suite("Proximity") struct ProximityTests {
    private let thresholds = ProximityThresholds()

    @Test("A level between the thresholds changes nothing until it goes beyond the hysteresis")
    func hysteresis() {
        let levels: [(Double, Proximity)] = [
            (10, .around), (6.1, .around), (6, .near), (8.9, .near), (9.1, .around), (6.5, .around),
            (20, .far), (17.1, .far), (16.9, .around), (19.9, .around), (40, .far), (0, .near),
            (25, .far),
        ]
        var previous: Proximity?
        for (attenuation, expected) in levels {
            previous = Proximity.decided(
                after: previous, attenuationDecibels: attenuation, thresholds)
            #expect(previous == expected, "at \(attenuation) dB")
        }
    }

    @Test("A decision holds since the last level beyond its threshold", arguments: 0..<60)
    func againstHistory(seed: Int) {
        var random = SeededRandom(seed: seed)
        var history: [Double] = []
        var previous: Proximity?
        var level = 12.0
        for _ in 0..<100 {
            level += .random(in: -5...5, using: &random)
            history.append(level)
            previous = Proximity.decided(after: previous, attenuationDecibels: level, thresholds)
            // A decision for near holds if one level was at most 6 dB and all since stayed within
            // 9; far is the same.
            func holds(_ begins: (Double) -> Bool, _ stays: (Double) -> Bool) -> Bool {
                history.indices.contains { start in
                    begins(history[start]) && history[start...].allSatisfy(stays)
                }
            }
            let isNear = holds({ $0 <= 6 }, { $0 <= 9 })
            let isFar = holds({ $0 >= 20 }, { $0 >= 17 })
            #expect(!(isNear && isFar))
            #expect(previous == (isNear ? .near : isFar ? .far : .around))
        }
    }

    @Test("With hysteresis, noise at a threshold does not make the decision flap")
    func flapping() {
        func changes(hysteresis: Double) -> Int {
            var random = SeededRandom(seed: 5)
            let thresholds = ProximityThresholds(
                nearDecibels: 6, farDecibels: 20, hysteresisDecibels: hysteresis)
            var previous: Proximity?
            var count = 0
            for _ in 0..<1_000 {
                let level = 6.5 + Double.random(in: -2...2, using: &random)
                let next = Proximity.decided(
                    after: previous, attenuationDecibels: level, thresholds)
                if next != previous { count += 1 }
                previous = next
            }
            return count
        }
        #expect(changes(hysteresis: 3) <= 2)
        #expect(changes(hysteresis: 0) > 100)
    }

    /// The mean of the metres that a phone showed at 20, 15, 10, 9, ... 0 m (visitor guide, table
    /// of 2.5.3).
    private static let truth: [Double] = [20, 15, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    private static let estimote = [
        13.29, 7.65, 11.65, 7.64, 7.77, 9.13, 11.95, 5.11, 3.05, 2.68, 2.20, 1.44, 0.07,
    ]
    private static let kontakt = [
        5.10, 4.94, 3.18, 1.94, 2.82, 2.36, 2.10, 2.06, 1.83, 2.02, 0.90, 1.04, 0.40,
    ]

    @Test("A threshold for each kind of beacon finds two metres, where shown metres mislead")
    func publishedTable() {
        for (shown, nearDecibels) in [(Self.estimote, 7.6), (Self.kontakt, 3)] {
            let thresholds = ProximityThresholds(
                nearDecibels: nearDecibels, farDecibels: 40, hysteresisDecibels: 0)
            for (metres, truth) in zip(shown, Self.truth) {
                let decided = Proximity.decided(
                    after: nil, attenuationDecibels: 20 * log10(metres), thresholds)
                #expect((decided == .near) == (truth <= 2), "\(metres) m shown at \(truth) m")
            }
        }
        // Shown metres can even fall while true ones grow, and no single threshold works for both
        // kinds.
        #expect(Self.estimote != Self.estimote.sorted(by: >))
        #expect(Self.kontakt != Self.kontakt.sorted(by: >))
        #expect(Self.estimote[10] > Self.kontakt[8])
    }

    @Test("Each beacon keeps its own decision, by its own thresholds, until it falls silent")
    func decisions() throws {
        var document = document([[(0, 0), (5, 0), (9, 0)]])
        document.groups[0].beacons[1].proximity = ProximityThresholds(
            nearDecibels: 2, farDecibels: 40)
        document.groups[0].beacons[2].isEnabled = false
        var decision = ProximityDecision(map: try BeaconMap(document))
        // The level is 6 dB below the power at one metre.
        #expect(decision.decide(ranged(1, 0, rssi: -65)) == .near)
        #expect(decision.decide(ranged(1, 1, rssi: -65)) == .around)
        #expect(decision.decide(ranged(1, 2, rssi: -65)) == nil)
        #expect(decision.decide(ranged(7, 7, rssi: -65)) == nil)
        #expect(decision.decide(ranged(1, 0, rssi: -67, at: .second(5))) == .near)
        let first = BeaconIndex(0)
        #expect(decision.proximity(of: first, now: .second(35)) == .near)
        #expect(decision.proximity(of: first, now: .second(36)) == nil)
        #expect(decision.decide(ranged(1, 0, rssi: -67, at: .second(40))) == .around)
    }
}
