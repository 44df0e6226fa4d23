import Archive
import SiteExchange
import Wire

/// A map's file, on disk or in the memory of a request.
public enum MapFile: Sendable {
    case path(String)
    case bytes([UInt8])

    /// The file's content. A gzipped file on disk is unpacked.
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

    /// The files in a zip or, on disk, in a folder.
    func files() throws -> [ArchivedFile] {
        switch self {
        case .bytes(let bytes): return try Self.unpacked(bytes)
        case .path(let path):
            var files: [ArchivedFile] = []
            try ArchiveReader(path: path, limits: .imports).forEachEntry { entry, bytes in
                files.append(ArchivedFile(path: entry.path, bytes: bytes))
            }
            // A zip is recognised by its first bytes, whatever its name.
            let isZip = files.count == 1 && files[0].bytes.starts(with: Array("PK".utf8))
            return isZip ? try Self.unpacked(files[0].bytes) : files
        }
    }

    private static func unpacked(_ zip: [UInt8]) throws -> [ArchivedFile] {
        try ZipArchive.unpack(zip, limits: .imports).map {
            ArchivedFile(path: $0.path, bytes: $0.bytes)
        }
    }

    /// Runs the body. A fault in JSON on disk becomes a refusal of the import.
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
