import Archive
public import SiteExchange

extension DelimitedTable {
    /// As much as site-editor takes over HTTP.
    private static let mostBytes = 32 << 20

    /// Reads a table of comma-separated values, gzipped or not.
    ///
    /// - Throws: `ArchiveError`, or `TableFault` with the line that can't be read.
    public init(readingFileAt path: String) throws {
        var limits = ArchiveLimits.imports
        limits.entryBytes = Self.mostBytes
        limits.totalBytes = Self.mostBytes
        self = try DelimitedTable(
            utf8: ArchiveReader(path: path, limits: limits).firstBytes() ?? [])
    }
}
