/// The meaning of a value in a site's JSON, by the name of its member: it shows which arrays are
/// corners.
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

    /// The meaning of an array's elements.
    var inner: SiteFormPlace {
        switch self {
        case .rings: .ring
        case .ring: .corner
        case .plain, .corner: .plain
        }
    }
}
