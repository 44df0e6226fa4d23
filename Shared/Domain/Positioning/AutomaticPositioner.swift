public import Site

/// What each radio map chooses for itself: the positioner that locates the map's own scans best when
/// they are left out of it (`CrossValidation`).
public struct AutomaticPositioner: Positioner {
    public let name = "auto"

    public init() {}

    /// What does the same with a choice that was made before; without one, what a map gets that is too
    /// small to choose.
    public static func following(_ choice: String?) -> any Positioner {
        choice.flatMap { PositionerRegistry.standard[$0] } ?? Blend()
    }

    public var followsChoice: Bool { true }

    public func following(_ choice: String?) -> any Positioner { Self.following(choice) }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedBlend(map: map, site: site, choice: BlendChoice(for: map))
    }
}
