import Archive
import SiteExchange
import Wire

/// A file of a map, where it is: on disk, or in the memory of a request.
public enum MapFile: Sendable {
    case path(String)
    case bytes([UInt8])

    /// Its content, unpacked if it is packed on disk.
    func content(_ limits: ArchiveLimits = .imports) throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .path(let path):
            guard let bytes = try ArchiveReader(path: path, limits: limits).firstBytes() else {
                throw ImportRefusal(.malformed, "there is no file in \(path)")
            }
            return bytes
        }
    }

    /// The files of a zip or, on disk, of a folder.
    func files() throws -> [ArchivedFile] {
        switch self {
        case .bytes(let bytes): return try Self.unpacked(bytes)
        case .path(let path):
            var files: [ArchivedFile] = []
            try ArchiveReader(path: path, limits: .imports).forEachEntry { entry, bytes in
                files.append(ArchivedFile(path: entry.path, bytes: bytes))
            }
            // A zip may be called anything.
            let isZip = files.count == 1 && files[0].bytes.starts(with: Array("PK".utf8))
            return isZip ? try Self.unpacked(files[0].bytes) : files
        }
    }

    private static func unpacked(_ zip: [UInt8]) throws -> [ArchivedFile] {
        try ZipArchive.unpack(zip, limits: .imports).map {
            ArchivedFile(path: $0.path, bytes: $0.bytes)
        }
    }

    /// JSON on disk that can't be read is a file that is refused.
    static func refusing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let fault as WireFault {
            throw ImportRefusal(.malformed, fault.detail)
        }
    }
}

extension ArchiveLimits {
    static var imports: ArchiveLimits {
        var limits = ArchiveLimits()
        limits.entries = ImportLimits.files
        limits.entryBytes = ImportLimits.bytes
        limits.totalBytes = ImportLimits.bytes
        return limits
    }
}
