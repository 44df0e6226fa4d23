public import Site

/// The default: the track filter over the positioner that the radio map chooses. It uses everything
/// that scans hold.
public struct AutomaticPositioner: Positioner {
    public let name = "auto"
    private var track: any Positioner = Track(over: ChosenPositioner())

    public init() {}

    public var followsChoice: Bool { track.followsChoice }
    public var usesEvidence: Bool { track.usesEvidence }

    public func following(_ choice: String?) -> any Positioner {
        var positioner = self
        positioner.track = track.following(choice)
        return positioner
    }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        track.prepare(map, site: site)
    }
}
