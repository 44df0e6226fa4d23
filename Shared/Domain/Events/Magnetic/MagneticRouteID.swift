/// The id of a magnetic route of a site.
public struct MagneticRouteID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// The direction of a walk along a magnetic route: from its first point to its last, or back.
public enum MagneticDirection: String, Hashable, Sendable, CaseIterable {
    case forward, backward
}
