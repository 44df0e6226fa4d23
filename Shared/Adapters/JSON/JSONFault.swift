/// The reason why bytes are not a JSON document that this program reads.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults. Their raw values are stable and may be shown to clients.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// There are no bytes, or only white space.
        case empty
        case notJSON = "not-json"
        case notUTF8 = "not-utf8"
        /// Objects and arrays are nested deeper than the parser's limit.
        case tooDeep = "too-deep"
        /// The bytes end in the middle of a document.
        case truncated
        /// A number fits neither a 64-bit integer nor a finite double.
        case numberOutOfRange = "number-out-of-range"
        /// The document is larger than the parser's limit.
        case tooLarge = "too-large"
    }

    public var code: Code
    /// The position of the first wrong byte, counted from 0. Nil where there is none.
    public var position: Int?

    public init(_ code: Code, position: Int? = nil) {
        self.code = code
        self.position = position
    }

    public var description: String {
        guard let position else { return code.rawValue }
        return "\(code.rawValue) at byte \(position)"
    }
}
