import Events
import SeededRandomness
import Site
import Testing

@Suite("Open for a period") struct OpenPeriodTests {
    private static let texts = [
        "24/7", "Mo-Fr 08:00-18:00", "Mo-Su 22:00-03:00; We off", "08:00-12:00,12:30-17:00",
        "Fr 18:00-24:00; Sa 00:00-02:00", "Jan-Mar 10:00-11:00",
    ]

    @Test("A period is open if each of its minutes is", arguments: 0..<40)
    func minutes(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let text = try #require(Self.texts.randomElement(using: &random))
        let hours = try #require(OpeningHours(text))
        let offset = Int.random(in: -12...14, using: &random) * 3_600
        for _ in 0..<40 {
            let begin = Int64.random(in: 1_795_000_000...1_796_000_000, using: &random)
            let seconds = Int64.random(in: 1...30_000, using: &random)
            let start = Timestamp(milliseconds: begin * 1_000)
            let end = start.advanced(byMicroseconds: seconds * 1_000_000)
            let expected = (0..<seconds).allSatisfy { second in
                // Only the first second of each minute can differ from the one before.
                guard second == 0 || (begin + second) % 60 == 0 else { return true }
                return hours.isOpen(
                    at: start.advanced(byMicroseconds: second * 1_000_000),
                    utcOffsetSeconds: offset)
            }
            let isOpen = hours.isOpen(from: start, until: end, utcOffsetSeconds: offset)
            #expect(isOpen == expected, "\(text) from \(begin) for \(seconds) s")
        }
    }
}
