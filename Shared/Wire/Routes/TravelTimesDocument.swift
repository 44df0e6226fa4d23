public import Directions
public import Events
import JSON
public import Wayfinding

/// The answer to `POST /v1/travel-times`: for each room the way's time and length, or the reason
/// why there is none.
public struct TravelTimesDocument {
    private let site: SiteID
    private let siteVersion: Int
    private let query: TravelTimesQuery
    private let language: any DirectionLanguage
    private let times: [TravelTime]

    /// - Parameter times: one for each room of the query, in their order.
    public init(
        at site: SiteID, version: Int, query: TravelTimesQuery,
        language: any DirectionLanguage, times: [TravelTime]
    ) {
        self.site = site
        siteVersion = version
        self.query = query
        self.language = language
        self.times = times
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 128 + 96 * times.count)
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("siteVersion", siteVersion)
        writer.field("profile", query.profile.name.rawValue)
        writer.field("departAt", microseconds: query.departAt.microseconds)
        writer.field("language", language.code)
        writer.name("times")
        writer.beginArray()
        for (room, time) in zip(query.to, times) {
            writer.beginObject()
            writer.field("room", room.text)
            write(time, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private func write(_ time: TravelTime, to writer: inout JSONWriter) {
        switch time {
        case .found(let seconds, let metres, let approximate):
            writer.field("seconds", seconds, decimals: 1)
            writer.field("distanceMetres", metres, decimals: 2)
            approximate?.write("approximateEnd", to: &writer)
        case .none(let why):
            writer.name("reason")
            writer.beginObject()
            if let obstacle = Obstacle(why) {
                writer.field("code", obstacle.rawValue)
                writer.field("text", language.sentence(obstacle))
            } else {
                writer.field("code", "place-unknown")
                writer.field("text", "The site has no such room.")
            }
            writer.endObject()
        }
    }
}
