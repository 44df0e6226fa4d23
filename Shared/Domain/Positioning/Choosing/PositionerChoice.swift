/// The positioner that locates a radio map's own scans best.
public struct PositionerChoice: Hashable, Sendable {
    /// The name with all parameters, as the registry accepts it, so that nothing has to be tried
    /// again.
    public var positioner: String
    /// The mean error in cross-validation, in metres; nil for a map that is too small to choose.
    public var meanErrorMetres: Double?
    /// The share of right floors in cross-validation.
    public var floorHit: Double?

    /// Tries the parts of a mixture, which lasts seconds for a large map. Equal maps make equal
    /// choices.
    public init(for map: RadioMap) {
        guard !map.fingerprints.isEmpty else {
            // The map has no surveys; only the places of access points are known.
            positioner = Trilateration().name
            return
        }
        guard let choice = BlendChoice(for: map) else {
            positioner = NearestNeighbours().name
            return
        }
        positioner =
            choice.shares.isBlendAlone ? Blend.text(choice) : Mixture.text(choice)
        meanErrorMetres = choice.cost
        floorHit = choice.floorHit
    }
}
