import Events
import Testing

@testable import Timetables

@Suite struct FeedPartsTests {
    @Test("The report first says that nothing is cancelled, if bookings may be missing")
    func reportLines() {
        var parts = FeedParts()
        #expect(parts.reportLines().isEmpty)
        parts.leftOut = (0..<150).map { "line \($0)" }
        #expect(parts.reportLines().count == 100 && parts.reportLines().first == "line 0")
        #expect(parts.reportLines(cancelsMissing: true) == parts.reportLines())
        parts.isIncomplete = true
        #expect(parts.reportLines().count == 100)
        #expect(parts.reportLines().first?.contains("do not count as cancelled") == true)
        #expect(parts.reportLines().dropFirst().first == "line 0")
        let cancelling = parts.reportLines(cancelsMissing: true)
        #expect(cancelling.first?.contains("they count as cancelled") == true)
        #expect(cancelling.dropFirst() == parts.reportLines().dropFirst())
    }

    @Test("Times with gaps count one after the other, and the last stays")
    func covered() {
        func moment(_ hour: Int64) -> Timestamp { Timestamp(milliseconds: hour * 3_600_000) }
        var parts = FeedParts()
        #expect(parts.covered(at: moment(1)) == nil)
        parts.covers = [moment(2)..<moment(4), moment(6)..<moment(8)]
        for (now, first) in [(1, 2), (3, 2), (4, 6), (5, 6), (7, 6), (9, 6)] as [(Int64, Int64)] {
            #expect(parts.covered(at: moment(now))?.lowerBound == moment(first), "\(now)")
        }
    }
}
