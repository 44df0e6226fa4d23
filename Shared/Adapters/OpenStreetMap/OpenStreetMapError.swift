/// The reason why a file of OpenStreetMap data can't be read.
public struct OpenStreetMapError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case notFound = "not-found"
        case unreadable
        /// Not OpenStreetMap XML (gzipped or not) and not PBF, or a file of changes instead of a
        /// map.
        case unknownFormat = "unknown-format"
        /// The file ends too early or breaks the format's rules.
        case damaged
        /// The file exceeds one of the `OpenStreetMapLimits`, or has a tag over 1,024 bytes.
        case tooLarge = "too-large"
        case outOfMemory = "out-of-memory"
    }

    public var code: Code
    public var path: String
    public var detail: String

    public init(code: Code, path: String, detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    /// Only a lack of memory may pass; a bad file stays bad.
    public var isRetriable: Bool { code == .outOfMemory }

    public var description: String { "\(path): \(detail) (\(code.rawValue))" }
}

/// The limits for one file. Keys, values and roles have at most 1,024 bytes, which is libosmium's
/// own limit (OpenStreetMap's is 255 characters).
public struct OpenStreetMapLimits: Hashable, Sendable {
    /// The file's size on disk in bytes.
    public var fileBytes = 128 << 20
    public var unpackedBytes = 256 << 20
    /// Bytes of XML without a `>`. So much XML is in memory at once.
    public var markupBytes = 1 << 20
    /// The number of nodes, ways and relations together.
    public var entities = 20_000_000
    public var tagsOfEntity = 2_000
    /// The number of a way's nodes (OpenStreetMap allows 2,000) or of a relation's members
    /// (32,000).
    public var membersOfEntity = 100_000

    public init() {}
}
