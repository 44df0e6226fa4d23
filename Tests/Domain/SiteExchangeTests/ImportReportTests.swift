import SiteExchange
import Testing

@Suite("ImportReport") struct ImportReportTests {
    @Test("It counts the records of each kind") func counts() {
        var report = ImportReport()
        report.count("rooms")
        report.count("rooms", 2)
        #expect(report.counts == ["rooms": 3])
    }

    @Test("It keeps the first notes and counts the rest") func keepsTheFirst() {
        var report = ImportReport()
        let odd = ImportNote.What(rawValue: "odd")
        for number in 0..<(ImportReport.notesKept + 5) {
            report.note("w\(number)", odd, "It is odd.")
        }
        #expect(report.notes.count == ImportReport.notesKept)
        #expect(report.notes.first?.id == "w0")
        #expect(report.noteCount == ImportReport.notesKept + 5)
    }
}
