import Events
import Geometry
import JSON
import Positioning
import RadioMapCare
import Site

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
        floors = written { writer in
            writer.beginArray()
            for floor in quality.floors { floor.write(to: &writer) }
            writer.endArray()
        }
        places = quality.places.map { place in
            Place(floor: place.floor, name: place.name, json: written { place.write(to: &$0) })
        }
        guard let model = quality.model else { return }
        let coach = SurveyCoach(map, site: site, model: model)
        advice = site.floors.indices.flatMap { index in
            coach.advice(on: FloorIndex(index), count: SurveyCoach.mostAdvice).enumerated().map {
                rank, advice in
                Advice(
                    floor: advice.floor, rank: rank + 1, worth: advice.worth,
                    json: written { advice.write(to: &$0, site: site) })
            }
        }
    }
}

private func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(capacity: 512)
    write(&writer)
    return String(decoding: writer.finish(), as: UTF8.self)
}

/// Metres to two decimals, shares to four.
extension MapQuality.Floor {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("floor", floor.text)
        writer.field("expectedError", expectedError, decimals: 2)
        writer.field("places", places)
        writer.field("weakPlaces", weakPlaces)
        writer.field("surveys", surveys)
        writer.field("readings", readings)
        writer.field("accessPoints", transmitters)
        writer.field("trials", trials)
        writer.field("medianError", median, decimals: 2)
        writer.field("p95Error", p95, decimals: 2)
        writer.name("locatedOn")
        writer.beginArray()
        for located in locatedOn {
            writer.beginObject()
            writer.name("floor")
            if let floor = located.floor { writer.string(floor.text) } else { writer.null() }
            writer.field("share", located.share, decimals: 4)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}

extension MapQuality.Place {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("place", name)
        writer.field("floor", floor.text)
        writer.field("room", room?.text)
        writer.field("x", point.x, decimals: 2)
        writer.field("y", point.y, decimals: 2)
        writer.field("surveys", surveys)
        writer.field("readings", readings)
        writer.field("accessPoints", transmitters)
        writer.field("expectedError", expectedError, decimals: 2)
        writer.field("floorHit", floorHit, decimals: 4)
        writer.name("weak")
        writer.beginArray()
        for weakness in weaknesses { writer.string(weakness.rawValue) }
        writer.endArray()
        writer.endObject()
    }
}

extension SurveyCoach.Advice {
    fileprivate func write(to writer: inout JSONWriter, site: SiteIndex) {
        let place = site.frame.geographic(point)
        writer.beginObject()
        writer.field("floor", floor.text)
        writer.field("room", room?.text)
        writer.field("x", point.x, decimals: 2)
        writer.field("y", point.y, decimals: 2)
        writer.field("latitude", place.latitude, decimals: 8)
        writer.field("longitude", place.longitude, decimals: 8)
        writer.field("expectedError", expectedError, decimals: 2)
        writer.field("gainHere", gainHere, decimals: 2)
        writer.field("gain", gain, decimals: 4)
        writer.endObject()
    }
}
