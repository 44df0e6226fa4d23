public import Site

/// What each radio map chooses for itself: the positioner that locates the map's own scans best
/// when they are left out of it (`CrossValidation`).
public struct AutomaticPositioner: Positioner {
    public let name = "auto"

    public init() {}

    /// What does the same with a choice that was made before; without one, the nearest neighbours,
    /// which need no trials and do better than a blend that was not chosen (docs/accuracy.md).
    public static func following(_ choice: String?) -> any Positioner {
        choice.flatMap { PositionerRegistry.standard[$0] } ?? UnchosenPositioner()
    }

    public var followsChoice: Bool { true }

    public func following(_ choice: String?) -> any Positioner { Self.following(choice) }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        following(PositionerChoice(for: map).positioner).prepare(map, site: site)
    }
}

/// What a map gets that has not chosen: nothing is compared where nothing was surveyed.
private struct UnchosenPositioner: Positioner {
    var name: String { NearestNeighbours().name }

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        guard !map.fingerprints.isEmpty else { return Trilateration().prepare(map, site: site) }
        return NearestNeighbours().prepare(map, site: site)
    }
}
