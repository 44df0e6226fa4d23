/// What stands where in a site's JSON, by the name of the member: which arrays are corners.
enum SiteFormPlace {
    case plain, ring, rings, corner

    init(under name: String) {
        self =
            switch name {
            case "outline", "line", "corners": .ring
            case "holes": .rings
            default: .plain
            }
    }

    /// What the elements of an array are.
    var inner: SiteFormPlace {
        switch self {
        case .rings: .ring
        case .ring: .corner
        case .plain, .corner: .plain
        }
    }
}
