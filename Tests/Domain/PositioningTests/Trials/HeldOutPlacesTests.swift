import Positioning
import SeededRandomness
import Testing

@Suite("Places that are held out") struct HeldOutPlacesTests {
    private static func map(_ seed: UInt64, _ surveysOfPlace: ClosedRange<Int>) -> RadioMap {
        var random = SeededRandom(seed: seed)
        return RandomMap.orderly(&random, surveysOfPlace: surveysOfPlace)
    }

    @Test(
        "A part has no survey of its scans' places, and none of their walks if scans are unchanged",
        arguments: 0..<3, [1...1, 3...5])
    func apart(seed: UInt64, surveysOfPlace: ClosedRange<Int>) {
        let map = Self.map(seed, surveysOfPlace)
        let held = HeldOutPlaces(map)
        #expect(held.isDisturbed == (surveysOfPlace != 1...1))
        #expect(held.folds.count > 3)
        for fold in held.folds {
            let part = fold.part(of: map)
            let places = Set(part.fingerprints.map(\.place))
            let walks = Set(part.fingerprints.map(\.walk))
            let own = fold.scans.map { map.fingerprints[Int($0.fingerprint)] }
            #expect(part.fault == nil && !part.fingerprints.isEmpty)
            #expect(places.isDisjoint(with: own.map(\.place)))
            #expect(fold.scans.allSatisfy { ($0.source == nil) == held.isDisturbed })
            guard !held.isDisturbed else { continue }
            #expect(walks.isDisjoint(with: own.map(\.walk)))
            #expect(fold.scans.map(\.scan) == fold.scans.map { map.scan(of: Int($0.fingerprint)) })
        }
    }

    @Test(
        "Disturbed scans of a place are of one session, and each place has its own",
        arguments: 0..<3)
    func sessions(seed: UInt64) {
        let map = Self.map(seed, 3...5)
        var (apart, all) = (0, 0)
        for fold in HeldOutPlaces(map).folds {
            var shifts: [Transmitter: [Int32: Set<Int>]] = [:]
            for held in fold.scans {
                let place = map.fingerprints[Int(held.fingerprint)].place
                let received = Dictionary(
                    map.scan(of: Int(held.fingerprint)).readings.map { ($0.transmitter, $0.rssi) },
                    uniquingKeysWith: max)
                for reading in held.scan.readings {
                    let shift = Int(reading.rssi) - Int(received[reading.transmitter] ?? 0)
                    shifts[reading.transmitter, default: [:]][place, default: []].insert(shift)
                }
            }
            for places in shifts.values where places.count > 2 {
                // A decibel for rounding.
                #expect(places.values.allSatisfy { $0.max()! - $0.min()! <= 1 })
                let each = places.values.flatMap(\.self)
                all += 1
                if each.max()! - each.min()! > 2 { apart += 1 }
            }
        }
        #expect(all > 10 && 4 * apart > 3 * all, "\(apart) of \(all)")
    }

    @Test("A map with hardly any places has no parts")
    func small() {
        #expect(HeldOutPlaces(.empty).folds.isEmpty)
    }

    @Test("A thinner map keeps the newest surveys of each place, as many of each", arguments: 0..<4)
    func spread(seed: UInt64) {
        let map = Self.map(seed, 1...9)
        let all = Dictionary(grouping: map.fingerprints, by: \.place)
        for most in [0, 1, 30, 61, 97, 100_000] {
            let thin = map.spread(most: most)
            #expect(thin.fault == nil)
            #expect(thin.fingerprints.count == min(most, map.fingerprints.count))
            let kept = Dictionary(grouping: thin.fingerprints, by: \.place)
            let largest = kept.values.map(\.count).max() ?? 0
            for (place, surveys) in all {
                let own = kept[place] ?? []
                #expect(own == Array(surveys.suffix(own.count)))
                #expect(own.count >= largest - 1 || own.count == surveys.count)
            }
        }
    }
}
