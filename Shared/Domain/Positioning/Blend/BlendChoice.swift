/// The settings that locate a radio map's own scans best, and the radii that go with them.
struct BlendChoice: Sendable {
    /// A map with fewer fingerprints keeps the fallback's settings, with neighbours beside; only
    /// the weights of a mixture are fitted.
    static let fewestFingerprints = 40
    /// A map with fewer fingerprints or places gets no choice at all.
    static let fewestTried = 12
    static let fewestPlaces = 8
    /// The seed of the cross-validation.
    static let seed: UInt64 = 1

    var settings: BlendSettings
    var radii: RadiusModel
    /// The largest misfit of a scan that the map explains (`Familiarity`).
    var farthestMisfit = Familiarity.noLimit
    /// The weights of other positioners beside the blend.
    var shares = MixtureShares.blendAlone
    /// The mean error in cross-validation, in metres; nil where there was nothing to choose by.
    var cost: Double?
    var floorHit: Double?

    /// The defaults of a blend whose parameters are not all given.
    static let fallback = BlendChoice(
        settings: BlendSettings(
            exponent: 1, temperature: 0.03, likelihood: 0, neighbourExponent: 1,
            neighbourShare: 0, gaussianShare: 0, gaussianTemper: 0.25, ridgeShare: 0,
            floorExponent: 3,
            floorLikelihood: 0, floorNetworks: 0),
        radii: .unknown)
}

extension BlendChoice {
    /// Chooses for a map; nil where it is too small. Equal maps and seeds give equal choices.
    init?(for map: RadioMap, seed: UInt64 = Self.seed) {
        guard map.fingerprints.count >= Self.fewestTried,
            map.places.count >= Self.fewestPlaces
        else { return nil }
        let validation = CrossValidation(map, seed: seed)
        guard let best = BlendTrials(map, validation, seed: seed).best() else { return nil }
        self = best
    }
}
