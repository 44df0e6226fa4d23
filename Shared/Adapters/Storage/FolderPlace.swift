import Foundation
import Glibc
import Threads

/// Files in a folder. Each is written under another name, brought to the disk and then renamed.
public struct FolderPlace: StoragePlace {
    /// The beginning of the names of files that are being written.
    private static let unfinished = ".unfinished-"
    /// Nobody still writes a file that was begun longer ago.
    private static let longestWriteSeconds = 3_600

    private let path: String
    private let blocking = BlockingWork("files")

    public var name: String { path }

    public init(path: String) { self.path = path }

    public func list(_ prefix: String) async throws(StorageError) -> [StoredFile] {
        try await run { () throws(StorageError) in try listed(prefix) }
    }

    public func folders() async throws(StorageError) -> Set<String> {
        try await run { () throws(StorageError) in
            guard try isThere(path) else { return [] }
            do {
                let names = try FileManager.default.contentsOfDirectory(atPath: path)
                return Set(names.filter { Self.kind(full($0)) != S_IFREG })
            } catch { throw StorageError(path, error.localizedDescription) }
        }
    }

    public func read(_ file: String, most: Int) async throws(StorageError) -> [UInt8]? {
        try await run { () throws(StorageError) in try bytes(of: file, most: most) }
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

    public func deleteFolder(_ folder: String) async throws(StorageError) {
        try await run { () throws(StorageError) in
            let full = full(folder)
            // A link is deleted, and not the files that it leads to.
            guard Self.kind(full) != nil else { return }
            do { try FileManager.default.removeItem(atPath: full) } catch {
                throw StorageError(full, "it can't be deleted: \(error.localizedDescription)")
            }
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

    /// The type bits of what is there, and not of what a link leads to; nil where nothing is.
    private static func kind(_ full: String) -> mode_t? {
        var information = stat()
        return lstat(full, &information) == 0 ? information.st_mode & S_IFMT : nil
    }

    private func isThere(_ folder: String) throws(StorageError) -> Bool {
        if access(folder, R_OK | X_OK) == 0 { return true }
        guard errno == ENOENT else { throw Self.now(folder) }
        return false
    }

    private func listed(_ prefix: String) throws(StorageError) -> [StoredFile] {
        // Only the folder that the prefix names is looked through.
        let folder = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let top = folder.isEmpty ? path : full(folder)
        guard try isThere(top) else { return [] }
        // A link within the place leads to what is not in it.
        if !folder.isEmpty, Self.kind(top) == S_IFLNK { return [] }
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

    private func bytes(of file: String, most: Int) throws(StorageError) -> [UInt8]? {
        let full = full(file)
        // Without O_NONBLOCK a named pipe would hold this thread for ever.
        let descriptor = open(full, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.now(full)
        }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw Self.now(full) }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw StorageError(full, "it is no regular file")
        }
        guard information.st_size <= most else {
            throw .tooLarge(full, Int(information.st_size), most: most)
        }
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
        let (full, name) = (full(file), parts.last ?? "")
        let folder = try openFolder(parts.dropLast())
        defer { close(folder) }
        var temporary = Self.unfinished + name
        Self.removeAbandoned(temporary, in: folder)
        // The bytes must not go to a file or a link that somebody has put there.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var descriptor = openat(folder, temporary, flags, 0o600)
        if descriptor < 0, errno == EEXIST {
            // Another process writes this file now.
            temporary += "-\(UInt64.random(in: 0...(.max)))"
            descriptor = openat(folder, temporary, flags, 0o600)
        }
        guard descriptor >= 0 else { throw Self.now(full) }
        do throws(StorageError) {
            try Self.fill(descriptor, bytes, full)
            guard renameat(folder, temporary, folder, name) == 0 else { throw Self.now(full) }
        } catch {
            unlinkat(folder, temporary, 0)
            throw error
        }
        // The name of a new file is on the disk only when its folder is.
        guard fsync(folder) == 0 else { throw Self.now(full) }
    }

    /// Removes what a process left that died while it wrote.
    private static func removeAbandoned(_ temporary: String, in folder: Int32) {
        var information = stat()
        guard fstatat(folder, temporary, &information, AT_SYMLINK_NOFOLLOW) == 0,
            time(nil) - information.st_mtim.tv_sec > longestWriteSeconds
        else { return }
        unlinkat(folder, temporary, 0)
    }

    /// Writes all bytes, brings them to the disk, and closes the file.
    private static func fill(
        _ descriptor: Int32, _ bytes: [UInt8], _ file: String
    ) throws(StorageError) {
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw now(file) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw now(file) }
    }

    /// Opens the folder of a file, and makes what is missing of it. Personal data lies there, so
    /// nobody else may read it.
    ///
    /// The place itself may be a link. A link within it is refused, because somebody could choose
    /// by it where the files go. Owners are not compared: network file systems show their own.
    private func openFolder(_ parts: ArraySlice<String>) throws(StorageError) -> Int32 {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.now(path) }
        var (folder, shown) = (open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path)
        guard folder >= 0 else { throw Self.now(path) }
        for part in parts {
            let outer = folder
            defer { close(outer) }
            shown += "/\(part)"
            if mkdirat(outer, part, 0o700) == 0 {
                guard fsync(outer) == 0 else { throw Self.now(shown) }
            } else if errno != EEXIST {
                throw Self.now(shown)
            }
            folder = openat(outer, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else { throw Self.now(shown) }
        }
        return folder
    }

    private func removeEmptyFolders(above file: String) {
        var parts = file.split(separator: "/").dropLast()
        while !parts.isEmpty, rmdir(full(parts.joined(separator: "/"))) == 0 { parts.removeLast() }
    }
}
