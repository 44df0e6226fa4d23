/// The categories of IMDF 1.0 and their kinds in a site.
enum IMDFCategories {
    /// Categories of units that have another word in a site; all others keep theirs.
    static let kindOfUnit = [
        "walkway": "corridor", "elevator": "lift", "steps": "stairs",
        "conferenceroom": "meeting room", "unspecified": "room",
    ]

    /// The kind of room for a unit's category.
    static func kind(ofUnit category: String) -> String {
        if category == "restroom" || category.hasPrefix("restroom.") { return "toilet" }
        return kindOfUnit[category] ?? category
    }

    /// The unit's category for a kind of room.
    static func category(ofRoom kind: String) -> String {
        switch kind {
        case "toilet": "restroom"
        case "corridor": "walkway"
        case "lift": "elevator"
        case "meeting room": "conferenceroom"
        default: unitCategories.contains(kind) ? kind : "unspecified"
        }
    }

    /// Categories of units (IMDF 1.0, Categories, Unit).
    static let unitCategories: Set<String> = [
        "auditorium", "brick", "classroom", "column", "concrete", "conferenceroom", "drywall",
        "elevator", "escalator", "fieldofplay", "firstaid", "fitnessroom", "foodservice",
        "footbridge", "glass", "huddleroom", "kitchen", "laboratory", "library", "lobby", "lounge",
        "mailroom", "mothersroom", "movietheater", "movingwalkway", "nonpublic", "office",
        "opentobelow", "parking", "phoneroom", "platform", "privatelounge", "ramp", "recreation",
        "restroom", "restroom.family", "restroom.female", "restroom.female.wheelchair",
        "restroom.male", "restroom.male.wheelchair", "restroom.transgender",
        "restroom.transgender.wheelchair", "restroom.unisex", "restroom.unisex.wheelchair",
        "restroom.wheelchair", "road", "room", "serverroom", "shower", "smokingarea", "stairs",
        "steps", "storage", "structure", "terrace", "theater", "unenclosedarea", "unspecified",
        "vegetation", "waitingroom", "walkway", "walkway.island", "wood",
    ]

    /// Units that are walls and the like; no opening leads into them.
    static let solidUnits: Set<String> = [
        "brick", "column", "concrete", "drywall", "glass", "opentobelow", "structure", "wood",
    ]

    /// Categories of geofences (IMDF 1.0).
    static let geofenceCategories: Set<String> = [
        "concourse", "geofence", "paidarea", "platform", "postsecurity", "presecurity", "terminal",
        "underconstruction",
    ]

    /// Kinds of room that lead up and down.
    static let climbOfKind: [String: IMDFClimb] = [
        "lift": .lift, "stairs": .stairs, "escalator": .escalator, "ramp": .ramp,
    ]
}
