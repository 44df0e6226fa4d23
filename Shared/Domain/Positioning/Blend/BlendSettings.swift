/// How the distances and the likelihoods of the anchors make a place and a floor.
struct BlendSettings: Hashable, Sendable {
    /// The distance of floors that makes one e times less probable. Found on the training part of
    /// UJIIndoorLoc.
    static let floorTemperature = 0.05

    /// Into `AnchorDistances.exponents`.
    var exponent: Int
    /// The distance that makes an anchor e times less probable.
    var temperature: Double
    /// What a unit of log-likelihood counts for, 0 to 1.
    var likelihood: Double
    /// The same for the floor, which is elected by itself: what tells floors apart is not what tells
    /// places apart.
    var floorExponent: Int
    var floorLikelihood: Double
}
