public import Site

/// Two views of each surveyed place, blended: how unlike the scan is to the fingerprints of the place
/// that are most like it, and how probable the scan is there, with the telephone's offset as the place
/// likes it best.
///
/// Without parameters the radio map chooses them (`BlendChoice`), which is what `auto` is. With all of
/// them, as a choice writes them, nothing has to be tried again.
public struct Blend: Positioner {
    /// Of cross-validation, so that equal maps choose alike everywhere.
    static let seed: UInt64 = 1

    public let name: String
    /// Nil lets each map choose.
    let choice: BlendChoice?

    /// What each map chooses for itself.
    public static let automatic = Blend(name: "auto", choice: nil)

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedBlend(
            map: map, site: site, choice: choice ?? BlendChoice(for: map, seed: Self.seed))
    }
}
