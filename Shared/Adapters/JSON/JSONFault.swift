/// Why some bytes are not a JSON document that we read.
public struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The raw values are stable and may be shown to clients.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Nothing, or nothing but white space.
        case empty
        case notJSON = "not-json"
        case notUTF8 = "not-utf8"
        /// Objects and arrays inside each other beyond the parser's limit.
        case tooDeep = "too-deep"
        /// The bytes end in the middle of a document.
        case truncated
        /// A number that neither 64-bit integers nor finite doubles can hold.
        case numberOutOfRange = "number-out-of-range"
        /// More bytes than the parser's limit.
        case tooLarge = "too-large"
    }

    public var code: Code
    /// The first byte that is wrong, counted from 0; nil where there is none.
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
