/// An error in reading or writing an archive, a folder or a file.
public struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case notFound = "not-found"
        case unreadable
        case damaged
        case tooLarge = "too-large"
        case tooManyEntries = "too-many-entries"
        case lineTooLong = "line-too-long"
    }

    public var code: Code
    /// The path of the file on disk.
    public var path: String
    public var detail: String

    public init(code: Code, path: String, detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    public var description: String { "\(path): \(detail) (\(code.rawValue))" }
}

/// The limits for an archive's unpacked content. A file of a few kilobytes can unpack to terabytes.
public struct ArchiveLimits: Hashable, Sendable {
    public var entries = 100_000
    public var entryBytes = 1 << 30
    public var totalBytes = 4 << 30
    public var lineBytes = 16 << 20
    /// How deep folders may be nested.
    var folderDepth = 8

    public init() {}
}
