import Site

/// Words in German for the things that confirm a way to hand and foot, and for dangers.
extension German: TouchWords {
    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        Self.touched(plain(manoeuvre, names), manoeuvre)
    }

    static func warning(_ danger: Danger) -> String {
        switch danger {
        case .climb(let climb):
            let thing = climb.kind == .escalator ? "Rolltreppe" : "Treppe"
            return climb.isUp == nil
                ? "Vorsicht: Die Karte zeigt nicht, ob diese \(thing) nach oben oder nach unten "
                    + "führt."
                : "Vorsicht: Diese \(thing) führt nach unten."
        case .door(let leaf): return "Vorsicht: eine \(door(false, leaf))."
        }
    }

    /// The nominative and the accusative without an article, which are the same.
    static func door(_ isAutomatic: Bool, _ leaf: DoorLeaf) -> String {
        let noun =
            switch leaf.kind {
            case nil, .hinged: leaf.isGlass ? "Glastür" : "Tür"
            case .sliding: "Schiebetür"
            case .folding: "Falttür"
            case .revolving: "Drehtür"
            }
        let isOfGlass = leaf.isGlass && noun != "Glastür"
        return (isAutomatic ? "automatische " : "") + (isOfGlass ? "gläserne " : "") + noun
    }

    static func opening(_ leaf: DoorLeaf?) -> String {
        switch leaf?.opens {
        case nil: ""
        case .first: " Die Tür öffnet sich zu Ihnen hin."
        case .last: " Die Tür öffnet sich von Ihnen weg."
        case .both: " Die Tür öffnet sich nach beiden Seiten."
        }
    }

    static func steps(_ count: Int?) -> String {
        count.map { $0 == 1 ? " Es ist eine Stufe." : " Es sind \($0) Stufen." } ?? ""
    }

    static func handrail(_ handrail: Handrail) -> String {
        switch handrail {
        case .left: " Links ist ein Handlauf."
        case .right: " Rechts ist ein Handlauf."
        case .both: " Auf beiden Seiten ist ein Handlauf."
        case .unstated: " Es gibt einen Handlauf."
        case .missing: " Es gibt keinen Handlauf."
        }
    }

    static let tactilePaving = "Bodenindikatoren"

    static func ground(_ words: String) -> String { " Unter den Füßen: \(words)." }

    static func surface(_ surface: SpokenSurface) -> String {
        switch surface {
        case .carpet: "Teppich"
        case .tiles: "Fliesen"
        case .wood: "Holz"
        case .stone: "Stein"
        case .concrete: "Beton"
        case .asphalt: "Asphalt"
        case .paving: "Pflastersteine"
        case .cobbles: "Kopfsteinpflaster"
        case .gravel: "Kies"
        case .grass: "Gras"
        case .metal: "Metall"
        case .rubber: "Gummi"
        case .linoleum: "Linoleum"
        }
    }
}
