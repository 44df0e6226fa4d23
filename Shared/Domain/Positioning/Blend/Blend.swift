public import Site

/// Two views of each surveyed place, blended: how unlike the scan is to the fingerprints of the
/// place that are most like it, and how probable the scan is there, with the telephone's offset as
/// the place likes it best.
///
/// Its parameters are those that `AutomaticPositioner` chooses and writes down; as it comes they
/// are what a map gets that is too small to choose.
public struct Blend: Positioner {
    public internal(set) var name = "blend"
    var choice = BlendChoice.fallback

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedBlend(map: map, site: site, choice: choice)
    }
}
