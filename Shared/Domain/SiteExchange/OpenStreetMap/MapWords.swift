/// The meaning of OpenStreetMap's tags on ways, areas and nodes.
enum MapWords {
    typealias Tags = OpenStreetMapData.Tags

    /// The kinds of way that people walk or ride along.
    enum PathKind: Hashable {
        case walk
        case corridor
        case platform
        case steps
        case escalator
        case lift
    }

    /// Kinds of street where people may walk unless a tag forbids it.
    private static let streets: Set = [
        "footway", "path", "pedestrian", "living_street", "residential", "unclassified", "service",
        "tertiary", "tertiary_link", "secondary", "secondary_link", "primary", "primary_link",
        "track", "cycleway", "bridleway", "road", "crossing",
    ]
    private static let withPermission: Set = ["trunk", "trunk_link", "busway"]
    private static let permissions: Set = ["yes", "designated", "permissive", "official"]
    /// A closed way with a level and one of these keys is a room.
    private static let roomKeys = [
        "shop", "amenity", "office", "healthcare", "craft", "tourism", "leisure", "room",
    ]
    /// A closed way with one of these keys is not a room.
    private static let otherKeys = [
        "highway", "railway", "barrier", "natural", "landuse", "waterway", "building:part",
        "man_made", "aeroway",
    ]
    private static let openKinds: Set = ["area", "corridor", "platform"]

    /// Nil for a way that nobody may walk along.
    static func path(_ tags: Tags) -> PathKind? {
        guard tags["motorroad"] != "yes" else { return nil }
        switch tags["highway"] {
        case "steps":
            return tags["conveying"].map { $0 == "no" ? .steps : .escalator } ?? .steps
        case "corridor": return .corridor
        case "elevator": return .lift
        case "platform": return .platform
        case let street? where streets.contains(street):
            return tags["foot"] == "use_sidepath" ? nil : .walk
        case let street? where withPermission.contains(street):
            return tags["foot"].map(permissions.contains) ?? false ? .walk : nil
        default: break
        }
        let isPlatform = tags["railway"] == "platform" || tags["public_transport"] == "platform"
        if isPlatform { return .platform }
        return tags["indoor"] == "corridor" ? .corridor : nil
    }

    private static let barriers: Set = [
        "wall", "fence", "hedge", "retaining_wall", "city_wall", "guard_rail", "handrail",
    ]

    /// Whether a line is a wall; on a level any other barrier counts as one.
    static func isWall(_ tags: Tags) -> Bool {
        tags["indoor"] == "wall"
            || tags["level"] != nil && tags["barrier"].map(barriers.contains) ?? false
    }

    /// Whether a room is in fact a solid part of the building, such as a column.
    static func isSolid(_ kind: String) -> Bool { kind == "wall" || kind == "column" }

    /// Whether a closed way is an area, not only a line in a ring.
    static func isArea(_ tags: Tags) -> Bool {
        if let area = tags["area"] { return area == "yes" }
        if let indoor = tags["indoor"], ["room", "area", "corridor"].contains(indoor) {
            return true
        }
        if tags["highway"] == "elevator" || tags["building"] != nil { return true }
        if tags["public_transport"] == "platform" || tags["railway"] == "platform" { return true }
        return tags["highway"] == nil
    }

    /// The kind of room for an area; nil if the area is no room.
    static func room(_ tags: Tags, hasLevel: Bool) -> String? {
        if tags["highway"] == "elevator" || tags["indoor"] == "elevator" { return "lift" }
        if tags["stairs"] == "yes" || tags["room"] == "stairs" || tags["highway"] == "steps" {
            return "stairs"
        }
        switch tags["indoor"] {
        case "wall": return "wall"
        case "column", "pillar": return "column"
        case "room":
            return tags["room"].flatMap { $0 == "yes" ? nil : $0 } ?? wordOfRoom(tags) ?? "room"
        case "area": return "area"
        case "corridor": return "corridor"
        case "yes": return wordOfRoom(tags) ?? "room"
        default: break
        }
        guard hasLevel else { return nil }
        if let path = path(tags) {
            return path == .platform ? "platform" : path == .corridor ? "corridor" : "area"
        }
        guard !otherKeys.contains(where: { tags[$0] != nil }) else { return nil }
        return wordOfRoom(tags) ?? (tags["name"] == nil ? nil : "room")
    }

    private static func wordOfRoom(_ tags: Tags) -> String? {
        for key in roomKeys {
            if let word = tags[key], word != "no" { return word == "yes" ? key : word }
        }
        return tags["public_transport"]
    }

    /// Whether people can enter a room of this kind anywhere along its edge.
    static func isOpen(_ kind: String) -> Bool { openKinds.contains(kind) }

    private static let gates: Set = [
        "gate", "turnstile", "full-height_turnstile", "kissing_gate", "swing_gate", "sliding_gate",
        "hampshire_gate", "wicket_gate",
    ]

    /// Whether a node is a door, an entrance or a gate.
    static func isDoor(_ tags: Tags) -> Bool {
        if let door = tags["door"], door != "no" { return true }
        if let entrance = tags["entrance"], entrance != "no" { return true }
        return tags["indoor"] == "door" || tags["railway"] == "subway_entrance"
            || tags["automatic_door"] != nil || tags["barrier"].map(gates.contains) ?? false
    }

    static func isLift(_ tags: Tags) -> Bool { tags["highway"] == "elevator" }

    static func isBuilding(_ tags: Tags) -> Bool {
        guard let building = tags["building"] else { return false }
        return !["no", "construction", "proposed", "demolished", "razed"].contains(building)
    }
}
