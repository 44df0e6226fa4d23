import Events
import Testing

@testable import Privacy

@Suite("Counts by quarters of an hour") struct ZoneCountTests {
    @Test(
        "A quarter begins at :00, :15, :30 or :45",
        arguments: [
            (0, 0), (1, 0), (899_999_999, 0), (900_000_000, 900_000_000),
            (1_795_248_000_000_001, 1_795_248_000_000_000), (-1, -900_000_000),
            (-900_000_000, -900_000_000),
        ] as [(Int64, Int64)])
    func containing(_ time: Int64, _ begins: Int64) {
        let quarter = QuarterHour(containing: Timestamp(microseconds: time))
        #expect(quarter.begins.microseconds == begins)
        #expect(quarter.ends.microseconds == begins + 900_000_000)
    }

    @Test("A free time is no quarter", arguments: [1, 899_999_999, 60_000_000] as [Int64])
    func free(_ time: Int64) {
        #expect(QuarterHour(beginning: Timestamp(microseconds: time)) == nil)
        let whole = Timestamp(microseconds: time / 900_000_000 * 900_000_000)
        #expect(QuarterHour(beginning: whole)?.begins == whole)
    }
}
