/// The kinds of room that a map shows differently.
enum AreaKind: CaseIterable {
    case room, corridor, open, stairs, escalator, lift, ramp, toilet, food, shop, information
    case closed, solid, void, green, platform

    /// - Parameter category: a word of site documents, OpenStreetMap or IMDF.
    init(category: String, isRestricted: Bool) {
        let words = category.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let kind = words.lazy.compactMap { Self.byWord[$0] }.first ?? .room
        self = isRestricted && kind == .room ? .closed : kind
    }

    private static let words: [(AreaKind, String)] = [
        (.corridor, "corridor hallway hall passage walkway movingwalkway vestibule foyer lobby"),
        (.open, "area concourse atrium open ticketing waitingroom"),
        (.stairs, "stairs steps staircase stairway"),
        (.escalator, "escalator"),
        (.lift, "lift elevator"),
        (.ramp, "ramp"),
        (.toilet, "toilet toilets wc restroom bathroom lavatory"),
        (.food, "cafe restaurant kitchen canteen bar foodservice food fastfood"),
        (.shop, "shop shops retail kiosk store"),
        (.information, "information info reception helpdesk ticket tickets"),
        (.closed, "nonpublic restricted private storage service plant technical"),
        (.solid, "structure column wall"),
        (.void, "opentobelow void shaft"),
        (.green, "garden park grass lawn terrace courtyard"),
        (.platform, "platform"),
    ]

    private static let byWord = Dictionary(
        words.flatMap { kind, names in names.split(separator: " ").map { (String($0), kind) } },
        uniquingKeysWith: { first, _ in first })

    /// The colour of the ground; all are light, so that black letters can be read on them.
    var fill: String {
        switch self {
        case .room: "#f6efe0"
        case .corridor: "#ffffff"
        case .open: "#fdfcf8"
        case .stairs, .escalator, .ramp: "#efe4cf"
        case .lift: "#dfe3ee"
        case .toilet: "#d9eaf5"
        case .food: "#fbe3c8"
        case .shop: "#f5dde6"
        case .information: "#dff0d8"
        case .closed: "#e3e1dd"
        case .solid: "#8d8a85"
        case .void: "#eceae6"
        case .green: "#dcebcf"
        case .platform: "#f3f0fa"
        }
    }

    /// Whether people walk across its edge, so that the map shows no wall.
    var isOpen: Bool { self == .open || self == .green || self == .platform }

    /// The pattern over the ground; nil for none.
    var pattern: MapPattern? {
        switch self {
        case .stairs: .treads
        case .escalator: .treads
        case .closed: .closed
        case .void: .void
        default: nil
        }
    }

    var pictogram: Pictogram? {
        switch self {
        case .toilet: .toilet
        case .lift: .lift
        case .stairs: .stairs
        case .escalator: .escalator
        case .food: .food
        case .information: .information
        default: nil
        }
    }
}

/// Hatchings; the raw value is the id of the pattern's definition in the SVG.
enum MapPattern: String, CaseIterable {
    case treads, closed, void

    var definition: String {
        switch self {
        case .treads:
            "<pattern id=\"treads\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
                + "<path d=\"M0,3.5H7\" stroke=\"#a08d66\" stroke-width=\"1.2\"/></pattern>"
        case .closed:
            "<pattern id=\"closed\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\" "
                + "patternTransform=\"rotate(45)\">"
                + "<path d=\"M0,0V9\" stroke=\"#c6c3bd\" stroke-width=\"1.5\"/></pattern>"
        case .void:
            "<pattern id=\"void\" width=\"10\" height=\"10\" patternUnits=\"userSpaceOnUse\">"
                + "<path d=\"M0,0L10,10M10,0L0,10\" stroke=\"#d8d5cf\" stroke-width=\"0.8\"/>"
                + "</pattern>"
        }
    }
}
