import Site

/// Words in Russian for the things that confirm a way to hand and foot, and for dangers.
extension Russian: TouchWords {
    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        Self.touched(plain(manoeuvre, names), manoeuvre)
    }

    static func warning(_ danger: Danger) -> String {
        switch danger {
        case .climb(let climb):
            let thing = climb.kind == .escalator ? "эскалатор" : "лестница"
            return climb.isUp == nil
                ? "Осторожно: на карте не указано, ведёт \(thing) вверх или вниз."
                : "Осторожно: \(thing) ведёт вниз."
        case .door(let leaf): return "Осторожно: \(door(false, leaf, "ая"))дверь."
        }
    }

    /// The adjectives of a door, each with a space behind it.
    ///
    /// - Parameter ending: that of the case: `ая` in the nominative, `ую` in the accusative.
    static func door(_ isAutomatic: Bool, _ leaf: DoorLeaf, _ ending: String) -> String {
        let kind =
            switch leaf.kind {
            case nil, .hinged: ""
            case .sliding: "раздвижн\(ending) "
            case .folding: "складн\(ending) "
            case .revolving: ending == "ая" ? "вращающаяся " : "вращающуюся "
            }
        return (isAutomatic ? "автоматическ\(ending) " : "")
            + (leaf.isGlass ? "стеклянн\(ending) " : "") + kind
    }

    static func opening(_ leaf: DoorLeaf?) -> String {
        switch leaf?.opens {
        case nil: ""
        case .first: " Дверь открывается на себя."
        case .last: " Дверь открывается от себя."
        case .both: " Дверь открывается в обе стороны."
        }
    }

    static func steps(_ count: Int?) -> String { count.map { " Ступеней: \($0)." } ?? "" }

    static func handrail(_ handrail: Handrail) -> String {
        switch handrail {
        case .left: " Поручень слева."
        case .right: " Поручень справа."
        case .both: " Поручни с обеих сторон."
        case .unstated: " Есть поручень."
        case .missing: " Поручня нет."
        }
    }

    static let tactilePaving = "тактильная плитка"

    static func ground(_ words: String) -> String { " Под ногами: \(words)." }

    static func surface(_ surface: SpokenSurface) -> String {
        switch surface {
        case .carpet: "ковёр"
        case .tiles: "плитка"
        case .wood: "дерево"
        case .stone: "камень"
        case .concrete: "бетон"
        case .asphalt: "асфальт"
        case .paving: "тротуарная плитка"
        case .cobbles: "брусчатка"
        case .gravel: "гравий"
        case .grass: "трава"
        case .metal: "металл"
        case .rubber: "резина"
        case .linoleum: "линолеум"
        }
    }
}
