/// How the views of an `AnchorModel` are combined into a place and a floor.
struct BlendSettings: Hashable, Sendable {
    /// The extra distance that makes a floor's anchor e times less probable. Found on the training
    /// part of UJIIndoorLoc.
    static let floorTemperature = 0.05
    /// Anchors farther than the nearest one by more than this have no vote for the floor. Their
    /// vote would be a four-hundredth of the nearest one's, e^-6.
    static let floorReach: Float = 0.3
    /// The offset that is removed from a scan first. Maps of many scanners remove all of it.
    var offset = OffsetCorrection.none
    /// An index into `AnchorDistances.exponents`.
    var exponent: Int
    /// The extra distance that makes an anchor e times less probable.
    var temperature: Double
    /// The weight of log-likelihoods, from 0 to 1.
    var likelihood: Double
    /// The exponent of the distances to the nearest fingerprints, and the weight of their mean in
    /// the place.
    var neighbourExponent: Int
    var neighbourShare: Double
    /// The weights of `GaussianLikelihood`'s mean and of `KernelRidge` in the place. The anchors
    /// have the rest.
    var gaussianShare: Double
    /// The factor of `GaussianLikelihood`'s logarithm.
    var gaussianTemper: Double
    var ridgeShare: Double
    /// Exponent and likelihood for the floor, which has an election of its own. Other settings
    /// separate floors than separate places.
    var floorExponent: Int
    var floorLikelihood: Double
    /// The weight of the networks' logarithms in the election of the floor.
    var floorNetworks: Double

    /// Whether it has the smallest temperature that is tried.
    var isSharp: Bool { temperature == 0.02 }
}
