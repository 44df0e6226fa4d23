import Testing

@testable import Timetables

@Suite struct FeedPartsTests {
    @Test("The report first says that nothing is cancelled, if bookings may be missing")
    func reportLines() {
        var parts = FeedParts()
        #expect(parts.reportLines.isEmpty)
        parts.leftOut = (0..<150).map { "line \($0)" }
        #expect(parts.reportLines.count == 100 && parts.reportLines.first == "line 0")
        parts.isIncomplete = true
        #expect(parts.reportLines.count == 100)
        #expect(parts.reportLines.first?.contains("do not count as cancelled") == true)
        #expect(parts.reportLines.dropFirst().first == "line 0")
    }
}
