import Events
import Positioning
import RadioMapCare
import Site
import Wire

/// How good a radio map is and where to survey next, as it is stored and answered: JSON objects.
struct QualityDocuments: Sendable {
    struct Place: Sendable {
        var floor: FloorID
        var name: String
        var json: String
    }

    struct Advice: Sendable {
        var floor: FloorID
        /// Counted on its floor from 1.
        var rank: Int
        var worth: Double
        var json: String
    }

    var site: SiteID
    /// Of the radio map.
    var version: Int
    var hash: String
    /// Which made the trials, as the registry takes it.
    var positioner: String
    /// An array.
    var floors: String
    var places: [Place] = []
    var advice: [Advice] = []

    /// Takes a while; the same for equal maps and sites.
    init(_ due: QualityStore.Due, map: RadioMap, site: SiteIndex, choice: String) {
        self.site = due.site
        version = due.version
        hash = due.hash
        let quality = MapQuality(
            map, site: site, positioner: AutomaticPositioner.following(choice))
        positioner = choice
        floors = quality.floorsJSON
        places = quality.places.map { place in
            Place(floor: place.floor, name: place.name, json: place.json)
        }
        guard let model = quality.model else { return }
        let coach = SurveyCoach(map, site: site, model: model)
        advice = site.floors.indices.flatMap { index in
            coach.advice(on: FloorIndex(index), count: SurveyCoach.mostAdvice).enumerated().map {
                rank, advice in
                Advice(
                    floor: advice.floor, rank: rank + 1, worth: advice.worth,
                    json: advice.json(at: site))
            }
        }
    }
}
