import Archive
import Site
public import SiteExchange
import Wire

extension MapFormat {
    static let imdf = MapFormat(
        name: "imdf",
        summary: "the Indoor Mapping Data Format 1.0: a zip, or a folder",
        fileEnding: ".imdf.zip",
        mediaType: "application/zip",
        readWhole: { file, options in
            var imported = try IMDFExchange.site(from: IMDFArchive(files: file.files()), options)
            if let name = options.name { imported.document.name = name }
            return imported
        },
        write: { site, base, created in
            let archive = IMDFExchange.archive(
                of: site, base: try base.map(IMDFArchive.init(base:)), created: created)
            return try ZipArchive.pack(archive.archivedFiles.map { ($0.path, $0.bytes) })
        },
        isWrittenOverFile: true)
}

extension IMDFArchive {
    /// Reads a zip or a folder into memory.
    ///
    /// - Throws: `ArchiveError`, or `ImportRefusal` for files that are not what they should be.
    public init(readingFilesAt path: String) throws {
        self = try MapFile.refusing { try IMDFArchive(files: MapFile.path(path).files()) }
    }

    /// The archive that a site was imported from. Files whose paths lead out of it are skipped:
    /// earlier releases accepted archives with such files.
    fileprivate init(base: MapFile) throws {
        try self.init(files: base.files().filter { IMDFArchive.isWithin($0.path) })
    }
}
