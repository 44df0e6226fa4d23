import Events
import Positioning
import RadioMapCare
import Site
import Wire

/// The quality of a radio map and the advice where to survey next, stored and answered as JSON
/// objects.
struct QualityDocuments: Sendable {
    struct Place: Sendable {
        var floor: FloorID
        var name: String
        var json: String
    }

    struct Advice: Sendable {
        var floor: FloorID
        /// The rank among the advice for its floor, from 1.
        var rank: Int
        var worth: Double
        var json: String
    }

    struct Errors: Sendable {
        var floor: FloorID
        var json: String
    }

    var site: SiteID
    /// The version of the radio map that was measured.
    var version: Int
    var hash: String
    /// The positioner that made the trials, as an option text.
    var positioner: String
    /// The floors as a JSON array.
    var floors: String
    var places: [Place] = []
    var advice: [Advice] = []
    /// The errors that are expected all over each floor.
    var errors: [Errors] = []

    /// Computes the documents, which may take a minute. Equal maps and sites give equal documents.
    init(_ due: QualityStore.Due, map: RadioMap, site: SiteIndex, choice: String) {
        self.site = due.site
        version = due.version
        hash = due.hash
        let quality = MapQuality(
            map, site: site, positioner: ChosenPositioner.withoutBeacons(choice))
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
        errors = site.floors.indices.compactMap { index in
            coach.expectedErrors(on: FloorIndex(index)).map { expected in
                Errors(floor: expected.floor, json: expected.json(at: site))
            }
        }
    }
}
