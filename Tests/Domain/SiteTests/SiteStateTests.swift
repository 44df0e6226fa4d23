import Events
import Site
import Testing

@Suite struct SiteStateTests {
    private let now = Timestamp(milliseconds: 1_000)

    @Test("Publishing increases the version; the same document again gives no event")
    func publishing() throws {
        var state = SiteState(site: SiteID("bush"))
        let first = try state.decide(.replaceDocument(smallSite(), expectedVersion: 0), at: now)
        #expect(first?.version == 1)
        state.evolve(try #require(first))
        let again = try state.decide(.replaceDocument(smallSite(), expectedVersion: nil), at: now)
        #expect(again == nil)
        var renamed = smallSite()
        renamed.name = "Bush"
        let second = try state.decide(.replaceDocument(renamed, expectedVersion: 1), at: now)
        #expect(second?.version == 2)
    }

    @Test("Another version than the expected one is a conflict")
    func conflict() {
        let state = SiteState(site: SiteID("bush"))
        #expect(throws: SiteRefusal.versionConflict(expected: 3, actual: 0)) {
            try state.decide(.replaceDocument(smallSite(), expectedVersion: 3), at: now)
        }
    }

    @Test("A document with faults is refused")
    func invalid() {
        var document = smallSite()
        document.floors[1].ordinal = 0
        #expect(throws: SiteRefusal.self) {
            try SiteState(site: SiteID("bush")).decide(
                .replaceDocument(document, expectedVersion: nil), at: now)
        }
    }

    @Test("Events that were applied already, or are of another site, change nothing")
    func replay() {
        var state = SiteState(site: SiteID("bush"))
        let event = SitePublished(
            site: SiteID("bush"), version: 2, publishedAt: now, document: smallSite())
        state.evolve(event)
        var older = event
        older.version = 1
        older.document.name = "Old"
        let before = state
        state.evolve(older)
        state.evolve(event)
        var foreign = event
        foreign.site = SiteID("other")
        foreign.version = 9
        state.evolve(foreign)
        #expect(state == before)
    }
}
