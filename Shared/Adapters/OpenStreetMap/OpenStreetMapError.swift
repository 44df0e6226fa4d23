/// Why a file of OpenStreetMap data can't be read.
public struct OpenStreetMapError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case notFound = "not-found"
        case unreadable
        /// Neither XML, gzipped or not, nor PBF; or changes rather than a map.
        case unknownFormat = "unknown-format"
        /// It ends too early or holds what the format does not allow.
        case damaged
        /// Over one of the `OpenStreetMapLimits`, or a tag of over 1,024 bytes.
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

    /// A file does not get better by reading it again.
    public var isRetriable: Bool { code == .outOfMemory }

    public var description: String { "\(path): \(detail) (\(code.rawValue))" }
}

/// How much a file may hold. Keys, values and roles have at most 1,024 bytes, which is libosmium's
/// own limit (OpenStreetMap's is 255 characters).
public struct OpenStreetMapLimits: Hashable, Sendable {
    /// On disk.
    public var fileBytes = 128 << 20
    public var unpackedBytes = 256 << 20
    /// Of XML without a `>`; so much of it is in memory at once.
    public var markupBytes = 1 << 20
    /// Nodes, ways and relations together.
    public var entities = 20_000_000
    public var tagsOfEntity = 2_000
    /// Nodes of a way (OpenStreetMap allows 2,000) or members of a relation (32,000).
    public var membersOfEntity = 100_000

    public init() {}
}
