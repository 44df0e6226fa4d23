/// A place for files that are written once and read whole, such as a folder or a bucket.
///
/// Names are paths with `/`, of letters, digits, `.`, `_` and `-`. A file is there completely or
/// not at all.
public protocol StoragePlace: Sendable {
    /// The place as a person would name it.
    var name: String { get }

    /// The files whose names begin so, sorted by name.
    func list(_ prefix: String) async throws(StorageError) -> [StoredFile]

    /// The file's bytes; nil where there is none.
    func read(_ file: String) async throws(StorageError) -> [UInt8]?

    /// Writes or replaces the file. It is durable when this returns.
    func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError)

    /// Deletes the file if it exists.
    func delete(_ file: String) async throws(StorageError)
}

public struct StoredFile: Hashable, Sendable {
    public var name: String
    public var bytes: Int

    public init(name: String, bytes: Int) {
        self.name = name
        self.bytes = bytes
    }
}

/// Why a file can't be listed, read or written.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or the place.
    public var file: String
    public var reason: String
    /// Whether the same call may succeed later.
    public var isRetriable: Bool

    public init(_ file: String, _ reason: String, isRetriable: Bool = false) {
        self.file = file
        self.reason = reason
        self.isRetriable = isRetriable
    }

    public var description: String { "\(file): \(reason)" }
}
