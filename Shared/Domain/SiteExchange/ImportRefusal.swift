/// Why a file was refused whole.
public struct ImportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Stable words, for programs.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// It lacks what the format asks for, or says what can't be.
        case malformed
        /// Nothing in it can become part of a site.
        case nothingToImport = "nothing-to-import"
        /// The import made a document that is no valid site: a fault of the import, not of the
        /// file.
        case invalidSite = "invalid-site"
        /// More than a site may hold.
        case tooLarge = "too-large"
    }

    public var code: Code
    /// One sentence for people.
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(detail) (\(code.rawValue))" }
}
