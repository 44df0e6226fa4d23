/// The words of IMDF 1.0 beside ours.
enum IMDFCategories {
    /// Categories of units that have a word of their own here; all others keep theirs.
    static let kindOfUnit = [
        "walkway": "corridor", "elevator": "lift", "steps": "stairs",
        "conferenceroom": "meeting room", "unspecified": "room",
    ]

    /// What a unit's room is called.
    static func kind(ofUnit category: String) -> String {
        if category == "restroom" || category.hasPrefix("restroom.") { return "toilet" }
        return kindOfUnit[category] ?? category
    }

    /// The category of a unit for a room of this kind.
    static func category(ofRoom kind: String) -> String {
        switch kind {
        case "toilet": "restroom"
        case "corridor": "walkway"
        case "lift": "elevator"
        case "meeting room": "conferenceroom"
        default: unitCategories.contains(kind) ? kind : "unspecified"
        }
    }

    /// Categories of units, IMDF 1.0, Categories, Unit.
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

    /// Units that are walls and the like: no opening leads into them.
    static let solidUnits: Set<String> = [
        "brick", "column", "concrete", "drywall", "glass", "opentobelow", "structure", "wood",
    ]

    /// Categories of geofences.
    static let geofenceCategories: Set<String> = [
        "concourse", "geofence", "paidarea", "platform", "postsecurity", "presecurity", "terminal",
        "underconstruction",
    ]

    /// Which units lead up and down, by the kind of their room.
    static let climbOfKind: [String: IMDFClimb] = [
        "lift": .lift, "stairs": .stairs, "escalator": .escalator, "ramp": .ramp,
    ]
}
