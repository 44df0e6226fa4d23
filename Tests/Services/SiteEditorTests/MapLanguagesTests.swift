import Events
import Site
import Testing

@testable import SiteEditor

@Suite struct MapLanguagesTests {
    @Test("Tags that give the same map share one drawing")
    func normalised() {
        var document = SiteDocument(
            name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
            buildings: [], floors: [], rooms: [], locations: [])
        document.names = Translations(["fr-CA": "Maison", "pt": "Casa"])
        let languages = MapLanguages(document)
        for (asked, drawn) in [
            ("fr-CA", "fr-CA"), ("FR", "fr"), ("fr-BE-x-1", "fr"), ("pt-BR", "pt"), ("de-CH", "de"),
            ("CY", "cy"), ("en", nil), ("x-a", nil), ("zz-1", nil),
        ] as [(String, String?)] {
            #expect(languages.normalised(asked) == drawn, "\(asked)")
        }
        #expect(languages.normalised(nil) == nil)
    }
}
