import EventLog
import Testing

@Suite("Murmur2")
struct Murmur2Tests {
    @Test(
        "agrees with Kafka's Java client",
        arguments: [
            ("21", -973_932_308), ("foobar", -790_332_482),
            ("a-little-bit-long-string", -985_981_536),
            ("a-little-bit-longer-string", -1_486_304_829),
            ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971), ("abc", 479_470_107),
        ] as [(String, Int32)])
    func knownValues(_ text: String, _ expected: Int32) {
        #expect(Int32(bitPattern: murmur2(text.utf8)) == expected)
    }
}
