import Numbers
import Testing

@Suite struct NumbersTests {
    @Test(
        "FNV-1a gives the hashes of its authors' test vectors",
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func fnv(text: String, hash: UInt64) { #expect(FNV1a.hash(text.utf8) == hash) }

    @Test("SplitMix64 gives its author's numbers")
    func splitMix() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
            ])
    }

    @Test("Each kind of quantile agrees with counting", arguments: 0..<20)
    func quantiles(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let count = 1 + random.below(12)
        let sorted = (0..<count).map { _ in Double(random.below(50)) }.sorted()
        for share in [0, 0.025, 0.5, 0.68, 0.95, 1] {
            let counted = sorted.first { value in
                Double(sorted.count { $0 <= value }) >= share * Double(count)
            }
            #expect(nearestRank(sorted, share) == counted)
            let linear = quantile(sorted, share) ?? -1
            #expect(linear >= sorted[0] && linear <= sorted[count - 1])
        }
        #expect(quantile(sorted, 0) == sorted.first)
        #expect(quantile(sorted, 1) == sorted.last)
        #expect(quantile([], 0.5) == nil && nearestRank([], 0.5) == nil)
    }
}
