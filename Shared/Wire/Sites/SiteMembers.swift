internal import JSON

/// The members that a site's document and its records have, so that a misspelt one can be named: a reader leaves
/// out what it does not know, and a room with `resticted` would be open to everybody.
public enum SiteMembers {
    /// By the document's lists. A test compares them with docs/openapi.json.
    public static let ofRecord: [String: Set<String>] = [
        "buildings": ["id", "name", "names", "timeZone", "outline", "address"],
        "floors": ["id", "building", "ordinal", "level", "names", "heightMetres", "outline"],
        "floorPlans": ["id", "floor", "image", "widthPixels", "heightPixels", "alignment"],
        "rooms": [
            "id", "floor", "name", "names", "kind", "outline", "holes", "accessible", "restricted",
            "openingHours",
        ],
        "locations": ["id", "floor", "room", "x", "y", "name", "names"],
        "connections": [
            "id", "kind", "name", "names", "stops", "line", "oneWay", "accessible", "widthMetres",
            "slope", "surface", "kerbMetres", "automatic", "steps", "openingHours",
        ],
        "zones": ["id", "kind", "name", "names", "floor", "outline", "rooms"],
        "beacons": [
            "id", "name", "floor", "x", "y", "uuid", "major", "minor", "address", "txPower",
        ],
        "contents": [
            "id", "place", "title", "titles", "text", "texts", "audio", "pictures", "videos",
        ],
        "directory": [
            "id", "kind", "name", "names", "parent", "places", "openingHours", "website",
            "telephone",
        ],
    ]

    public static let ofDocument: Set<String> = [
        "name", "names", "attribution", "origin", "bearingDegrees", "buildings", "floors",
        "floorPlans", "rooms", "locations", "connections", "zones", "beacons", "contents",
        "directory", "surveyDiscards", "accessPoints", "outline",
    ]

    private static let ofStop: Set<String> = ["floor", "room", "x", "y"]
    /// So many are named at most.
    private static let mostUnknown = 200

    /// What the document has that no site has, such as `rooms[3].resticted`, in its order.
    public static func unknown(in body: [UInt8]) throws -> [String] {
        try JSONParser.read(body) { root in
            var found: [String] = []
            guard let document = root.object else { return found }
            func look(_ object: JSONObject, _ known: Set<String>, _ path: String) {
                for member in object {
                    let name = member.name.string
                    guard !known.contains(name), found.count < mostUnknown else { continue }
                    found.append(path + name)
                }
            }
            look(document, ofDocument, "")
            for member in document {
                let name = member.name.string
                guard let known = ofRecord[name], let list = member.value.array else { continue }
                for (index, element) in list.enumerated() {
                    guard let record = element.object else { continue }
                    let path = "\(name)[\(index)]."
                    look(record, known, path)
                    guard name == "connections", let stops = record["stops"]?.array else {
                        continue
                    }
                    for (number, stop) in stops.enumerated() {
                        if let stop = stop.object { look(stop, ofStop, "\(path)stops[\(number)].") }
                    }
                }
            }
            return found
        }
    }
}
