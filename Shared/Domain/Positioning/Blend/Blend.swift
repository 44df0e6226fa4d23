public import Site

/// Combines two views of each surveyed place. One is the distance of the scan to the most similar
/// fingerprints of the place. The other is the probability of the scan there, with the device
/// offset that fits the place best.
///
/// `ChosenPositioner` chooses its parameters and stores them with the map. The defaults are for
/// maps too small to choose.
public struct Blend: Positioner {
    public internal(set) var name = "blend"
    var choice = BlendChoice.fallback

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedBlend(map: map, site: site, choice: choice)
    }
}
