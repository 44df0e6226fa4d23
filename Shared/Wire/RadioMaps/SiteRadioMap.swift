public import Events
import JSON

/// A site's radio map and its choice: fingerprint-builder's answer, which the locator reads.
public enum SiteRadioMap {
    /// Numbers of surveys: all that were counted, those in the map, and those that the newest map
    /// leaves out.
    public struct Counts {
        let surveys, inMap, leftOut: Int

        public init(surveys: Int, inMap: Int, leftOut: Int) {
            self.surveys = surveys
            self.inMap = inMap
            self.leftOut = leftOut
        }
    }

    /// - Parameters:
    ///   - map: a `RadioMapAnnounced` as JSON; nil before the first map.
    ///   - choice: a `PositionerChosen` as JSON; nil until the map has chosen.
    public static func json(
        of site: SiteID, _ counts: Counts, map: [UInt8]?, choice: [UInt8]?
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("site", site.text)
        writer.field("surveys", counts.surveys)
        writer.field("surveysInMap", counts.inMap)
        writer.field("surveysLeftOut", counts.leftOut)
        writer.name("radioMap")
        if let map { writer.raw(json: map) } else { writer.null() }
        writer.name("choice")
        if let choice { writer.raw(json: choice) } else { writer.null() }
        writer.endObject()
        return writer.finish()
    }

    /// Nil where the site has no map.
    public static func read(
        _ json: [UInt8]
    ) throws(WireFault) -> (map: RadioMapAnnounced, choice: PositionerChosen?)? {
        try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object, let map = object["radioMap"]?.object else { return nil }
            let choice = object["choice"]?.object
            return (
                try RadioMapAnnounced(reading: map),
                try choice.map { (choice) throws(WireFault) in
                    try PositionerChosen(reading: choice)
                }
            )
        }
    }
}
