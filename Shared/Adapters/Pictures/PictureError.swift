public struct PictureError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The drawing is not valid SVG.
        case malformed
        case tooLarge
        case drawing
    }

    public var code: Code
    /// The reason as the library states it.
    public var reason: String
    /// Always false: the same drawing would fail again.
    public var isRetriable: Bool { false }

    public var description: String { reason }
}
