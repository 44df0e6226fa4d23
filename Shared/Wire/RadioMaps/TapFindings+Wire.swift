import Events
import Geometry
import JSON
import Positioning
public import RadioMapCare
public import Site

/// Metres are written with two decimals.
extension DisagreeingPlace {
    public func json(at site: SiteIndex) -> String {
        let place = site.frame.geographic(point)
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("floor", floor.text)
        writer.field("room", room?.text)
        writer.field("x", point.x, decimals: 2)
        writer.field("y", point.y, decimals: 2)
        writer.field("latitude", place.latitude, decimals: 8)
        writer.field("longitude", place.longitude, decimals: 8)
        writer.field("taps", taps)
        writer.field("authors", authors)
        writer.field("agreeingAuthors", agreeingAuthors)
        writer.field("since", microseconds: since.microseconds)
        if let distanceMetres { writer.field("distanceMetres", distanceMetres, decimals: 2) }
        writer.endObject()
        return writer.finishText()
    }
}

extension NoticedChange {
    public var json: String {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("accessPoint", change.transmitter.description)
        writer.field("source", source.rawValue)
        change.writeMembers(to: &writer)
        if let voices {
            writer.name("voices")
            writer.beginObject()
            writer.field("lost", voices.lost)
            writer.field("there", voices.there)
            writer.field("found", voices.found)
            writer.field("silent", voices.silent)
            writer.endObject()
        }
        writer.endObject()
        return writer.finishText()
    }
}
