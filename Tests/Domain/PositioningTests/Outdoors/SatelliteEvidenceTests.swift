import Events
import Geometry
import SampleSites
import Site
import Testing

@testable import Positioning

@Suite("Fixes that count as evidence") struct SatelliteEvidenceTests {
    private func evidence(
        _ site: SiteIndex, metres: Double, accuracyMetres: Double? = 5
    ) -> SatelliteEvidence? {
        let place = site.frame.geographic(Point(x: metres, y: 0))
        return SatelliteEvidence(
            SatelliteFix(
                latitude: place.latitude, longitude: place.longitude,
                accuracyMetres: accuracyMetres), site: site)
    }

    @Test("A fix many kilometres from the site is ignored; one in the next streets is not")
    func far() throws {
        let site = SampleSite.index
        #expect(evidence(site, metres: 400) != nil)
        #expect(evidence(site, metres: 9_000) != nil)
        #expect(evidence(site, metres: 12_000) == nil)
        #expect(evidence(site, metres: -1_100_000) == nil)
        let elsewhere = SatelliteFix(latitude: 41.5, longitude: -0.1163, accuracyMetres: 5)
        #expect(SatelliteEvidence(elsewhere, site: site) == nil)
    }

    @Test("At a site that draws nothing the limits of all coordinates hold")
    func bare() throws {
        let site = try SiteIndex(
            SiteDocument(
                name: "Bare", originLatitude: 51, originLongitude: 0, bearingDegrees: 0))
        #expect(evidence(site, metres: 90_000) != nil)
        #expect(evidence(site, metres: 110_000) == nil)
    }

    @Test(
        "A fix without a radius, or with one of 0 or over 50 m, is ignored",
        arguments: [(nil, false), (0, false), (0.1, true), (50, true), (50.1, false)]
            as [(Double?, Bool)])
    func radius(accuracyMetres: Double?, isUsed: Bool) {
        let found = evidence(SampleSite.index, metres: 0, accuracyMetres: accuracyMetres)
        #expect((found != nil) == isUsed)
    }
}
