import Events
import Site
import Testing

@Suite("Which sites borrow") struct BorrowingRulesTests {
    private static let museum = SiteID("museum")
    private static let shown = SiteID("museum.test")
    private static let moment = Timestamp(milliseconds: 1_795_248_000_000)
    private static let document = SiteDocument(
        name: "Museum", originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
    private static let draft = document.borrowing(from: museum, since: moment)

    private func publish(_ document: SiteDocument, as site: SiteID) throws -> SitePublished? {
        try SiteState(site: site).decide(
            .replaceDocument(document, expectedVersion: nil), at: Self.moment)
    }

    @Test("A testers' site borrows from the site whose draft it shows, and no other site does")
    func rules() throws {
        #expect(try publish(Self.document, as: Self.museum) != nil)
        #expect(try publish(Self.draft, as: Self.shown)?.document.borrows?.site == Self.museum)
        for (document, site) in [
            (Self.draft, Self.museum), (Self.document, Self.shown),
            (Self.document.borrowing(from: SiteID("x"), since: Self.moment), Self.shown),
        ] {
            #expect(throws: SiteRefusal.self) { try publish(document, as: site) }
        }
    }

    @Test("No edit makes a draft borrow")
    func drafts() throws {
        let draft = SiteDraft(site: Self.museum, revision: 1, document: Self.document)
        #expect(throws: SiteRefusal.self) {
            try draft.decide(.replace(Self.draft), expectedRevision: nil, at: Self.moment)
        }
    }
}
