public import Site

/// Locates each scan by itself, with the positioner that the radio map chooses. The choice is the
/// one that locates the map's own scans best when they are left out of it (`CrossValidation`). On
/// floors with few surveys the site's beacons locate beside it.
public struct ChosenPositioner: Positioner {
    public let name = "chosen"

    public init() {}

    /// A positioner that uses an earlier choice instead of making one. Without a choice it is the
    /// nearest neighbours. They need no trials, and do better than a blend with default settings
    /// (docs/accuracy.md).
    public static func following(_ choice: String?) -> any Positioner {
        BesideBeacons(base: withoutBeacons(choice))
    }

    /// The same without the site's beacons, for trials of the radio map.
    public static func withoutBeacons(_ choice: String?) -> any Positioner {
        choice.flatMap { PositionerRegistry.snapshots[$0] } ?? UnchosenPositioner()
    }

    public var followsChoice: Bool { true }

    public func following(_ choice: String?) -> any Positioner { Self.following(choice) }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        following(PositionerChoice(for: map).positioner).prepare(map, site: site)
    }
}

/// The positioner of a map without a choice: nearest neighbours, or trilateration where nothing was
/// surveyed.
private struct UnchosenPositioner: Positioner {
    var name: String { NearestNeighbours().name }

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        guard !map.fingerprints.isEmpty else { return Trilateration().prepare(map, site: site) }
        return NearestNeighbours().prepare(map, site: site)
    }
}
