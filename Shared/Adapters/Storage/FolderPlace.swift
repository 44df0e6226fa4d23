import Foundation
import Glibc
import Threads

/// Files in a folder. Each is written under another name, brought to the disk and then renamed.
public struct FolderPlace: StoragePlace {
    /// The beginning of the names of files that are being written.
    private static let unfinished = ".unfinished-"

    private let path: String
    private let blocking = BlockingWork("files")

    public var name: String { path }

    public init(path: String) { self.path = path }

    public func list(_ prefix: String) async throws(StorageError) -> [StoredFile] {
        try await run { () throws(StorageError) in try listed(prefix) }
    }

    public func read(_ file: String) async throws(StorageError) -> [UInt8]? {
        try await run { () throws(StorageError) in try bytes(of: file) }
    }

    public func write(_ file: String, _ bytes: [UInt8]) async throws(StorageError) {
        try await run { () throws(StorageError) in try put(file, bytes) }
    }

    public func delete(_ file: String) async throws(StorageError) {
        try await run { () throws(StorageError) in
            let full = full(file)
            guard unlink(full) == 0 || errno == ENOENT else { throw Self.now(full) }
            removeEmptyFolders(above: file)
        }
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
        let result = await blocking { () -> Result<Value, StorageError> in
            do throws(StorageError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func full(_ file: String) -> String { "\(path)/\(file)" }

    private static func now(_ file: String) -> StorageError {
        let code = errno
        return StorageError(file, String(cString: strerror(code)), isRetriable: code == ENOSPC)
    }

    private func listed(_ prefix: String) throws(StorageError) -> [StoredFile] {
        // Only the folder that the prefix names is looked through.
        let folder = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let top = folder.isEmpty ? path : full(folder)
        guard access(top, R_OK | X_OK) == 0 else {
            if errno == ENOENT { return [] }
            throw Self.now(top)
        }
        var found: [StoredFile] = []
        for case let name as String in FileManager.default.enumerator(atPath: top) ?? .init() {
            let shown = folder.isEmpty ? name : "\(folder)/\(name)"
            let last = name.split(separator: "/").last ?? ""
            guard shown.hasPrefix(prefix), !last.hasPrefix(Self.unfinished) else { continue }
            var information = stat()
            guard stat(full(shown), &information) == 0,
                information.st_mode & S_IFMT == S_IFREG
            else { continue }
            found.append(StoredFile(name: shown, bytes: Int(information.st_size)))
        }
        return found.sorted { $0.name < $1.name }
    }

    private func bytes(of file: String) throws(StorageError) -> [UInt8]? {
        let full = full(file)
        let descriptor = open(full, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.now(full)
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw Self.now(full) }
        var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + filled, $0.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.now(full) }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes.prefix(filled))
    }

    private func put(_ file: String, _ bytes: [UInt8]) throws(StorageError) {
        let parts = file.split(separator: "/").map(String.init)
        try makeFolders(parts.dropLast())
        let folder = ([path] + parts.dropLast()).joined(separator: "/")
        let temporary = "\(folder)/\(Self.unfinished)\(parts.last ?? "")"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.now(temporary) }
        do throws(StorageError) {
            defer { close(descriptor) }
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.now(temporary) }
                written += count
            }
            guard fsync(descriptor) == 0 else { throw Self.now(temporary) }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, full(file)) == 0 else { throw Self.now(full(file)) }
        try sync(folder)
    }

    /// Personal data lies in these folders, so nobody else may read them.
    private func makeFolders(_ parts: ArraySlice<String>) throws(StorageError) {
        var folder = path
        for part in [""] + parts {
            let outer = folder
            if !part.isEmpty { folder += "/\(part)" }
            guard mkdir(folder, 0o700) != 0 else {
                if !part.isEmpty { try sync(outer) }
                continue
            }
            guard errno == EEXIST else { throw Self.now(folder) }
        }
    }

    /// The name of a new file is on the disk only when its folder is.
    private func sync(_ folder: String) throws(StorageError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.now(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.now(folder) }
    }

    private func removeEmptyFolders(above file: String) {
        var parts = file.split(separator: "/").dropLast()
        while !parts.isEmpty, rmdir(full(parts.joined(separator: "/"))) == 0 { parts.removeLast() }
    }
}
