/// The reason why a file was refused as a whole.
public struct ImportRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Stable words for programs; they name the reason.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The file lacks a part that the format requires, or has an impossible value.
        case malformed
        /// No part of the file can become part of a site.
        case nothingToImport = "nothing-to-import"
        /// The import produced a document that is not valid. This is an error of the import, not of
        /// the file.
        case invalidSite = "invalid-site"
        /// The file has more records than a site may have.
        case tooLarge = "too-large"
    }

    public var code: Code
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(detail) (\(code.rawValue))" }
}
