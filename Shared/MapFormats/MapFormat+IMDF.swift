import Archive
import Events
import Site
public import SiteExchange
import Wire

extension MapFormat {
    static let imdf = MapFormat(
        name: "imdf",
        summary: "the Indoor Mapping Data Format 1.0: a zip, or a folder",
        read: { path, options in
            var imported = try IMDFExchange.site(
                from: IMDFArchive(readingFilesAt: path),
                IMDFImport.Options(timeZone: options.timeZone, frame: options.frame))
            if let name = options.siteName { imported.document.name = name }
            return imported
        })

    static let geojson = MapFormat(
        name: "geojson",
        summary: "a FeatureCollection of GeoJSON whose features say what record they are",
        read: { path, options in
            try refusing(path) {
                let bytes = try importedBytes(path)
                return try GeoJSONExchange.site(
                    from: PropertyValue(json: bytes),
                    GeoJSONExchange.Options(
                        siteName: options.siteName, timeZone: options.timeZone,
                        frame: options.frame))
            }
        },
        readPart: { path, site, options in
            try refusing(path) {
                let collection = try PropertyValue(json: importedBytes(path))
                guard GeoJSONExchange.isPart(collection) else { return nil }
                return try GeoJSONExchange.site(
                    site, with: collection, GeoJSONExchange.Options(timeZone: options.timeZone))
            }
        })

    private static func importedBytes(_ path: String) throws -> [UInt8] {
        guard let bytes = try ArchiveReader(path: path, limits: .imports).firstBytes() else {
            throw ImportRefusal(.malformed, "there is no file in \(path)")
        }
        return bytes
    }
}

extension IMDFArchive {
    /// Reads a zip or a folder into memory.
    ///
    /// - Throws: `ArchiveError`, or `ImportRefusal` for files that are not what they should be.
    public init(readingFilesAt path: String) throws {
        self = try refusing(path) {
            var files: [ArchivedFile] = []
            try ArchiveReader(path: path, limits: .imports).forEachEntry { entry, bytes in
                files.append(ArchivedFile(path: entry.path, bytes: bytes))
            }
            // A zip may be called anything.
            if files.count == 1, files[0].bytes.starts(with: Array("PK".utf8)) {
                files = try ZipArchive.unpack(files[0].bytes, limits: .imports).map {
                    ArchivedFile(path: $0.path, bytes: $0.bytes)
                }
            }
            return try IMDFArchive(files: files)
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

/// JSON that can't be read is a file that is refused.
private func refusing<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let fault as WireFault {
        throw ImportRefusal(.malformed, fault.detail)
    }
}
