/// The formula for the distance of two fingerprints, summed over all transmitters of the map. x and
/// y are the values of their readings by a `SignalRepresentation`.
///
/// The formulas are those of Torres-Sospedra et al. 2015, Expert Systems with Applications 42,
/// section 4. The Sorensen distance has |x + y| instead of x + y, so that it works with negative
/// values.
public enum SignalDistance: String, Hashable, Sendable, CaseIterable {
    /// sqrt(sum (x - y)^2)
    case euclidean
    /// sum |x - y|
    case manhattan
    /// sum |x - y| / sum |x + y|
    case sorensen
    /// 1 - sum x y / sqrt(sum x^2 sum y^2)
    case cosine

    /// Whether a shared transmitter adds min(x, y) to the shared sum; otherwise it adds x y.
    var sharesMinimum: Bool { self == .manhattan || self == .sorensen }
}
