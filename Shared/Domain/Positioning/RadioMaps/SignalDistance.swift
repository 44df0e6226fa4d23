/// How unlike two fingerprints are, summed over all transmitters of the map; x and y are what they
/// count for under a `SignalRepresentation`.
///
/// The formulas are those of Torres-Sospedra et al. 2015, Expert Systems with Applications 42,
/// section 4; |x + y| in place of x + y lets the Sorensen distance take negative values too.
public enum SignalDistance: String, Hashable, Sendable, CaseIterable {
    /// sqrt(sum (x - y)^2)
    case euclidean
    /// sum |x - y|
    case manhattan
    /// sum |x - y| / sum |x + y|
    case sorensen
    /// 1 - sum x y / sqrt(sum x^2 sum y^2)
    case cosine

    /// Whether fingerprints share min(x, y) of a transmitter that both heard; else x y.
    var sharesMinimum: Bool { self == .manhattan || self == .sorensen }
}
