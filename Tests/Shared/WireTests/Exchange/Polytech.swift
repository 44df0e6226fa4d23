import Archive
import PublicData
import SiteExchange
import Wire

/// The campus of the public data: 80 buildings, two of them with levels.
enum Polytech {
    /// Prints a note and returns nil where the data set is absent.
    static func files() throws -> [ArchivedFile]? {
        guard let path = SharedData.path("imdf/polytech.imdf.zip") else { return nil }
        var files: [ArchivedFile] = []
        try ArchiveReader(path: path).forEachEntry {
            files.append(ArchivedFile(path: $0.path, bytes: $1))
        }
        return files
    }

    static func archive() throws -> IMDFArchive? { try read.get() }

    private static let read = Result { try files().map { try IMDFArchive(files: $0) } }
}
