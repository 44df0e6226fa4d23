/// A place for files that are written once and read whole, such as a folder or a bucket.
///
/// Names are paths with `/`, of letters, digits, `.`, `_` and `-`. A file is there completely or
/// not at all.
public protocol StoragePlace: Sendable {
    /// The place as a person would name it.
    var name: String { get }

    /// The files whose names begin so, sorted by name.
    func list(_ prefix: String) async throws(StorageError) -> [StoredFile]

    /// The names of the folders at the top, also of those in which no file is whole.
    func folders() async throws(StorageError) -> Set<String>

    /// The file's bytes; nil where there is none. It is an error if there are more than `most`.
    func read(_ file: String, most: Int) async throws(StorageError) -> [UInt8]?

    /// Writes or replaces the file. It is durable when this returns.
    func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError)

    /// Deletes the file if it exists.
    func delete(_ file: String) async throws(StorageError)

    /// Deletes the folder with all that is in it, also what interrupted writes have left.
    func deleteFolder(_ folder: String) async throws(StorageError)
}

/// Folders of a place that has none: they are the beginnings of names.
extension StoragePlace {
    public func folders() async throws(StorageError) -> Set<String> {
        Set(
            try await list("").compactMap { file in
                let parts = file.name.split(separator: "/")
                return parts.count > 1 ? String(parts[0]) : nil
            })
    }

    public func deleteFolder(_ folder: String) async throws(StorageError) {
        for file in try await list("\(folder)/") { try await delete(file.name) }
    }

    public func read(_ file: String) async throws(StorageError) -> [UInt8]? {
        try await read(file, most: StoredFile.mostBytes)
    }
}

public struct StoredFile: Hashable, Sendable {
    /// The most bytes of a file: it is in memory as a whole.
    public static let mostBytes = 256 << 20
    /// The most bytes of a file that is a line or two, such as a time or a report.
    public static let fewBytes = 1 << 16

    /// Nobody's file is larger. A sparse file or a bucket may claim any size, and sizes are added.
    private static let mostClaimed = 1 << 40

    public var name: String
    public var bytes: Int

    public init(name: String, bytes: Int) {
        self.name = name
        self.bytes = min(max(bytes, 0), Self.mostClaimed)
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

    static func tooLarge(_ file: String, _ bytes: Int, most: Int) -> StorageError {
        StorageError(file, "it has \(bytes) bytes, and \(most) is the most")
    }

    public var description: String { "\(file): \(reason)" }
}
