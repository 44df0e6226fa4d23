/// How the views that an `AnchorModel` has of a scan make a place and a floor.
struct BlendSettings: Hashable, Sendable {
    /// The distance of floors that makes one e times less probable. Found on the training part of
    /// UJIIndoorLoc.
    static let floorTemperature = 0.05
    /// Anchors that are farther than the nearest one by more have no vote for the floor; it would
    /// be a four-hundredth of that one's, e^-6.
    static let floorReach: Float = 0.3
    /// What is taken out of a scan before all else; maps of many scanners take out all.
    var offset = OffsetCorrection.none
    /// Into `AnchorDistances.exponents`.
    var exponent: Int
    /// The distance that makes an anchor e times less probable.
    var temperature: Double
    /// What a unit of log-likelihood counts for, 0 to 1.
    var likelihood: Double
    /// The exponent of the distances to the nearest fingerprints, and what their mean counts for in
    /// the place.
    var neighbourExponent: Int
    var neighbourShare: Double
    /// What the mean of `GaussianLikelihood` counts for in the place, and what `KernelRidge` does.
    /// The anchors have the rest.
    var gaussianShare: Double
    /// What `GaussianLikelihood`'s logarithm is multiplied by.
    var gaussianTemper: Double
    var ridgeShare: Double
    /// The same for the floor, which is elected by itself: what tells floors apart is not what
    /// tells places apart.
    var floorExponent: Int
    var floorLikelihood: Double
    /// What the networks' logarithms count for.
    var floorNetworks: Double
}
