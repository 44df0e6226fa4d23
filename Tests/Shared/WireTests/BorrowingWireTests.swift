import Events
import Site
import Testing
import Wire

@Suite("Borrowing in a site's document") struct BorrowingWireTests {
    private let document = SiteDocument(
        name: "Museum", originLatitude: 51, originLongitude: 0, bearingDegrees: 0)

    @Test("It is read as it was written, and other documents have no such member")
    func roundTrip() throws {
        let lent = document.borrowing(
            from: SiteID("museum"), since: Timestamp(milliseconds: 1_795_248_000_000))
        #expect(try SiteDocument(json: lent.json) == lent)
        #expect(!String(decoding: document.json, as: UTF8.self).contains("borrows"))
        #expect(try SiteDocument(json: document.json).borrows == nil)
    }
}
