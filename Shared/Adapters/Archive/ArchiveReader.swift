import Glibc

/// A file in an archive or folder.
public struct ArchiveEntry: Hashable, Sendable {
    /// The path from the top of the archive or folder. A file that was gzipped by itself is shown
    /// without `.gz`. Entries of an archive in a folder are shown below the archive's name.
    public var path: String
    /// The unpacked size in bytes. Nil where the archive does not state it.
    public var size: Int?

    public init(path: String, size: Int?) {
        self.path = path
        self.size = size
    }

    /// The last part of the path.
    public var name: String {
        path.split(separator: "/").last.map { String($0) } ?? path
    }
}

/// Reads a folder, a zip, a tar or a single file, gzipped or not, all through the same calls.
///
/// Nothing is written to disk. Links that lead out of the folder or archive are not followed.
public struct ArchiveReader: Sendable {
    public let path: String
    public let limits: ArchiveLimits

    private var isWanted: @Sendable (ArchiveEntry) -> Bool = { _ in true }

    public init(path: String, limits: ArchiveLimits = ArchiveLimits()) {
        self.path = path
        self.limits = limits
    }

    /// The same archive, limited to the wanted entries.
    public func only(
        where isWanted: @escaping @Sendable (ArchiveEntry) -> Bool
    ) -> ArchiveReader {
        var reader = self
        reader.isWanted = isWanted
        return reader
    }

    /// The same archive, limited to entries of this name in any folder. The case of letters does
    /// not matter.
    public func only(named name: String) -> ArchiveReader {
        let wanted = name.lowercased()
        return only { $0.name.lowercased() == wanted }
    }

    /// All entries, sorted by path.
    public func entries() throws -> [ArchiveEntry] {
        var found: [ArchiveEntry] = []
        try visit { entry, _ in found.append(entry) }
        return found.sorted { $0.path < $1.path }
    }

    /// Calls the body with the unpacked bytes of every entry, in the order of the archive.
    public func forEachEntry(_ body: (ArchiveEntry, [UInt8]) throws -> Void) throws {
        var total = 0
        try visit { entry, file in
            var bytes: [UInt8] = []
            if let size = entry.size { bytes.reserveCapacity(min(size, 1 << 26)) }
            while try file.readChunk({ bytes.append(contentsOf: $0) }) {
                try check(entry, bytes.count, total)
            }
            total += bytes.count
            try body(entry, bytes)
        }
    }

    /// The unpacked bytes of the first entry; nil when there is none.
    public func firstBytes() throws -> [UInt8]? {
        guard let first = try entries().first else { return nil }
        var found: [UInt8]?
        try only { $0 == first }.forEachEntry { found = found ?? $1 }
        return found
    }

    /// Calls the body with each line of every entry, without its line feed and carriage return.
    /// Lines are unpacked one by one, so the entry is never in memory as a whole.
    ///
    /// - Parameter body: gets the line's bytes, which are valid until it returns, and its number
    ///   from 1.
    public func forEachLine(
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Void
    ) throws {
        var total = 0
        try visit { entry, file in
            var splitter = LineSplitter(path: entry.path, limit: limits.lineBytes)
            var unpacked = 0
            while try file.readChunk({ chunk in
                unpacked += chunk.count
                try splitter.add(chunk, body)
            }) {
                try check(entry, unpacked, total)
            }
            total += unpacked
            try splitter.finish(body)
        }
    }

    private func check(_ entry: ArchiveEntry, _ unpacked: Int, _ before: Int) throws(ArchiveError) {
        guard unpacked <= limits.entryBytes, before + unpacked <= limits.totalBytes else {
            throw ArchiveError(
                code: .tooLarge, path: path, detail: "\(entry.path) unpacks to more than allowed")
        }
    }

    private func visit(_ body: (ArchiveEntry, ArchiveFile) throws -> Void) throws {
        var count = 0
        for file in try files() {
            let archive = try ArchiveFile(file.path)
            let isSingle = ArchiveFile.form(of: file.path) == .single
            while let (name, size) = try archive.nextEntry() {
                count += 1
                guard count <= limits.entries else {
                    throw ArchiveError(
                        code: .tooManyEntries, path: path,
                        detail: "more than \(limits.entries) entries")
                }
                let shown = isSingle ? withoutGzip(file.shown) : joined(file.shown, name)
                let entry = ArchiveEntry(path: shown, size: size)
                if isWanted(entry) { try body(entry, archive) }
            }
        }
    }

    private struct FoundFile {
        let path: String
        /// The path from the top of the folder. Empty for an archive that the caller named itself.
        let shown: String
    }

    /// The path itself, or the files of the folder, sorted by path.
    private func files() throws(ArchiveError) -> [FoundFile] {
        var information = stat()
        guard stat(path, &information) == 0 else {
            throw ArchiveError(
                code: .notFound, path: path, detail: String(cString: strerror(errno)))
        }
        guard information.st_mode & S_IFMT == S_IFDIR else {
            let name = path.split(separator: "/").last.map { String($0) } ?? path
            let isSingle = ArchiveFile.form(of: path) == .single
            return [FoundFile(path: path, shown: isSingle ? name : "")]
        }
        var found: [FoundFile] = []
        try list(path, shown: "", depth: 0, into: &found)
        return found.sorted { $0.shown < $1.shown }
    }

    private func list(
        _ folder: String, shown: String, depth: Int, into found: inout [FoundFile]
    ) throws(ArchiveError) {
        guard depth <= limits.folderDepth, let stream = opendir(folder) else {
            let detail = depth > limits.folderDepth ? "too many folders within" : "cannot be listed"
            throw ArchiveError(code: .unreadable, path: folder, detail: detail)
        }
        defer { closedir(stream) }
        while let item = readdir(stream) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix(".") else { continue }
            let full = joined(folder, name)
            var information = stat()
            // A link to a file is allowed, since the folder's owner put it there. A link to a
            // folder is not, since it could lead in a circle.
            guard lstat(full, &information) == 0 else { continue }
            if information.st_mode & S_IFMT == S_IFDIR {
                try list(full, shown: joined(shown, name), depth: depth + 1, into: &found)
            } else if stat(full, &information) == 0, information.st_mode & S_IFMT == S_IFREG {
                found.append(FoundFile(path: full, shown: joined(shown, name)))
            }
        }
    }
}

private func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
}

private func withoutGzip(_ name: String) -> String {
    name.lowercased().hasSuffix(".gz") ? String(name.dropLast(3)) : name
}
