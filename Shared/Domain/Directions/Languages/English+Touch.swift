import Site

/// Words in English for the things that confirm a way to hand and foot, and for dangers.
extension English: TouchWords {
    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        Self.touched(plain(manoeuvre, names), manoeuvre)
    }

    static func warning(_ danger: Danger) -> String {
        switch danger {
        case .climb(let climb):
            let isOne = climb.kind == .escalator
            let thing = isOne ? "this escalator" : "these stairs"
            let verb = isOne ? "leads" : "lead"
            guard climb.isUp == nil else { return "Careful: \(thing) \(verb) down." }
            return "Careful: the map does not show whether \(thing) \(verb) up or down."
        case .door(let leaf): return "Careful: a \(manner(false, leaf))door."
        }
    }

    /// The adjectives of a door, each with a space behind it.
    static func manner(_ isAutomatic: Bool, _ leaf: DoorLeaf) -> String {
        let kind =
            switch leaf.kind {
            case nil, .hinged: ""
            case .sliding: "sliding "
            case .folding: "folding "
            case .revolving: "revolving "
            }
        return (isAutomatic ? "automatic " : "") + (leaf.isGlass ? "glass " : "") + kind
    }

    static func opening(_ leaf: DoorLeaf?) -> String {
        switch leaf?.opens {
        case nil: ""
        case .first: " The door opens towards you."
        case .last: " The door opens away from you."
        case .both: " The door opens both ways."
        }
    }

    static func steps(_ count: Int?) -> String {
        count.map { $0 == 1 ? " There is 1 step." : " There are \($0) steps." } ?? ""
    }

    static func handrail(_ handrail: Handrail) -> String {
        switch handrail {
        case .left: " There is a handrail on your left."
        case .right: " There is a handrail on your right."
        case .both: " There are handrails on both sides."
        case .unstated: " There is a handrail."
        case .missing: " There is no handrail."
        }
    }

    static let tactilePaving = "tactile paving"

    static func ground(_ words: String) -> String { " Underfoot: \(words)." }

    static func surface(_ surface: SpokenSurface) -> String {
        switch surface {
        case .paving: "paving stones"
        case .cobbles: "cobblestones"
        case .carpet, .tiles, .wood, .stone, .concrete, .asphalt, .gravel, .grass, .metal, .rubber,
            .linoleum:
            surface.rawValue
        }
    }
}
