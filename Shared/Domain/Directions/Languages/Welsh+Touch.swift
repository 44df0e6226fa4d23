import Site

/// Words in Welsh for the things that confirm a way to hand and foot, and for dangers.
extension Welsh: TouchWords {
    public func sentence(_ manoeuvre: Manoeuvre, _ names: DirectionNames) -> String {
        Self.touched(plain(manoeuvre, names), manoeuvre)
    }

    /// Escalators are moving stairs.
    static func warning(_ danger: Danger) -> String {
        switch danger {
        case .climb(let climb):
            climb.isUp == nil
                ? "Gofal: nid yw'r map yn dangos a yw'r grisiau hyn yn mynd i fyny neu i lawr."
                : "Gofal: mae'r grisiau hyn yn mynd i lawr."
        case .door(let leaf): "Gofal: \(door(false, leaf))."
        }
    }

    /// "Drws" is masculine, so its adjectives keep their first letters.
    static func door(_ isAutomatic: Bool, _ leaf: DoorLeaf) -> String {
        let kind =
            switch leaf.kind {
            case nil, .hinged: ""
            case .sliding: " llithro"
            case .folding: " plygu"
            case .revolving: " tro"
            }
        return "drws" + kind + (leaf.isGlass ? " gwydr" : "") + (isAutomatic ? " awtomatig" : "")
    }

    static func opening(_ leaf: DoorLeaf?) -> String {
        switch leaf?.opens {
        case nil: ""
        case .first: " Mae'r drws yn agor tuag atoch chi."
        case .last: " Mae'r drws yn agor oddi wrthych chi."
        case .both: " Mae'r drws yn agor y ddwy ffordd."
        }
    }

    static func steps(_ count: Int?) -> String {
        count.map { " Nifer y grisiau: \($0)." } ?? ""
    }

    static func handrail(_ handrail: Handrail) -> String {
        switch handrail {
        case .left: " Mae canllaw ar y chwith."
        case .right: " Mae canllaw ar y dde."
        case .both: " Mae canllawiau ar y ddwy ochr."
        case .unstated: " Mae canllaw yno."
        case .missing: " Does dim canllaw."
        }
    }

    static let tactilePaving = "palmant cyffyrddol"

    /// A colon before the grounds spares the mutation after "mae" and "a".
    static func ground(_ words: String) -> String { " Dan draed: \(words)." }

    static func surface(_ surface: SpokenSurface) -> String {
        switch surface {
        case .carpet: "carped"
        case .tiles: "teils"
        case .wood: "pren"
        case .stone: "carreg"
        case .concrete: "concrit"
        case .asphalt: "tarmac"
        case .paving: "slabiau palmant"
        case .cobbles: "cerrig crynion"
        case .gravel: "graean"
        case .grass: "glaswellt"
        case .metal: "metel"
        case .rubber: "rwber"
        case .linoleum: "leino"
        }
    }
}
