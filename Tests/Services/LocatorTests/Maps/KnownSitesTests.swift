import Devices
import Events
import Positioning
import Site
import Testing
import Wire

@testable import Locator

@Suite("The sites of a locator") struct KnownSitesTests {
    @Test("An older map that took longer to prepare does not replace a newer one")
    func order() throws {
        let site = PublishedSite(version: 1, index: try SiteIndex(LocatorBench.document))
        var state = KnownSites.State()
        func swapIn(version: Int) -> Int? {
            let sources = SiteSources(
                LocatorBench.site, site: site, map: LocatorBench.announcement(version: version))
            let working = WorkingPositioner(positioner: CountingPositioner(), option: "counting")
            state.swapIn(
                SiteKnowledge(sources, map: .empty, positioners: [working], .standard),
                for: LocatorBench.site)
            return state.ready[LocatorBench.site]?.announcement?.version
        }
        #expect(swapIn(version: 2) == 2)
        #expect(swapIn(version: 1) == 2)
        #expect(swapIn(version: 3) == 3)
    }
}
