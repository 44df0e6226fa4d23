import Events
import SeededRandomness
import Testing

@Suite("Delays of a change of room") struct RoomDelaysTests {
    /// The samples of a walk that is drawn with a letter for each scan, one every four seconds.
    private static func samples(_ truth: String, _ published: String) -> [RoomDelays.Sample] {
        zip(truth, published).enumerated().map { index, rooms in
            RoomDelays.Sample(
                seconds: Double(index) * 4, truth: RoomID(String(rooms.0)),
                published: rooms.1 == "-" ? nil : RoomID(String(rooms.1)))
        }
    }

    @Test(
        "A delay begins between two scans and ends with the first right room",
        arguments: [
            ("AAABBBB", "AAABBBB", [2]),
            ("AAABBBB", "AAAABBB", [6]),
            ("AAABBBB", "AAAAABB", [10]),
            ("AAABBBB", "AAAAAAB", [14]),
            ("AAABBBB", "AAAAAAA", [.infinity]),
            // It was published too early, and it counts from the change on.
            ("AAABBBB", "ABBBBBB", [2]),
            ("AAABBBB", "ABAABBB", [6]),
            // A right room that is left again was told.
            ("AAABBBB", "AAABAAA", [2]),
            ("AAABBBB", "AAA---B", [14]),
            ("AAAAAAA", "AAAABBB", []),
            ("AAABBBBCCCC", "AAABBBBBCCC", [2, 6]),
            ("AAABBBBAAAA", "AAAAAAAAAAA", [.infinity, 2]),
            ("", "", []), ("A", "B", []),
        ] as [(String, String, [Double])])
    func drawn(truth: String, published: String, delays: [Double]) {
        #expect(RoomDelays(Self.samples(truth, published)).delays == delays)
    }

    @Test("Short stays are counted apart, whether they were told or not")
    func short() {
        let delays = RoomDelays(Self.samples("AAABBBCCCCAA", "AAABBBCCCCCC"))
        #expect(delays.delays == [2])
        #expect(delays.shortStays == 2)
    }

    @Test("Quantiles are delays that occurred, and a share that was never told is infinite")
    func quantiles() {
        let told = RoomDelays(Self.samples("AAABBBB", "AAABBBB"))
        let late = RoomDelays(Self.samples("AAABBBB", "AAAABBB"))
        let never = RoomDelays(Self.samples("AAABBBB", "AAAAAAA"))
        let all = told + late + never
        #expect(all.seconds(share: 0.5) == 6)
        #expect(all.seconds(share: 0.95) == .infinity)
        #expect((told + late).seconds(share: 0.95) == 6)
        #expect(RoomDelays().seconds(share: 0.5) == nil)
    }

    /// The slow way: each scan that enters a room is compared with all later scans of the stay.
    private static func slow(_ samples: [RoomDelays.Sample]) -> [Double] {
        var delays: [Double] = []
        for entry in samples.indices.dropFirst() {
            let room = samples[entry].truth
            guard samples[entry - 1].truth != room else { continue }
            var (longest, delay) = (0.0, Double.infinity)
            for later in entry..<samples.count {
                guard samples[entry...later].allSatisfy({ $0.truth == room }) else { continue }
                longest = samples[later].seconds - samples[entry].seconds
                let change = (samples[entry].seconds + samples[entry - 1].seconds) / 2
                if samples[later].published == room {
                    delay = min(delay, samples[later].seconds - change)
                }
            }
            if longest >= 12 { delays.append(delay) }
        }
        return delays
    }

    @Test("Delays equal those of comparing all pairs of scans", arguments: 0..<40 as Range<UInt64>)
    func twin(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (seconds, room) = (0.0, 0)
        let samples = (0..<80).map { _ in
            seconds += Double.random(in: 0.5...6, using: &random)
            if Int.random(in: 0..<6, using: &random) == 0 {
                room = Int.random(in: 0..<3, using: &random)
            }
            let other = Int.random(in: 0..<3, using: &random)
            let isRight = Bool.random(using: &random)
            return RoomDelays.Sample(
                seconds: seconds, truth: RoomID("\(room)"),
                published: RoomID("\(isRight ? room : other)"))
        }
        #expect(RoomDelays(samples).delays == Self.slow(samples))
    }
}
