/// Why a picture could not be made.
public struct PictureError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// It is no SVG.
        case malformed
        case tooLarge
        case drawing
    }

    public var code: Code
    /// In the library's words.
    public var reason: String
    /// The same drawing would fail again.
    public var isRetriable: Bool { false }

    public var description: String { reason }
}
