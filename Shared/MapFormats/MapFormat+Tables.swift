import Archive
import Site
public import SiteExchange

extension MapFormat {
    static let rooms = table(.rooms, "a table of rooms: CSV") { RoomTable.table(of: $0) }
    static let accessPoints = table(.accessPoints, "a table of access points: CSV") {
        AccessPointTable.table(of: $0)
    }

    static let connections = table(.connections, "a table of connections' facts: CSV") {
        ConnectionTable.table(of: $0)
    }

    private static func table(
        _ kind: SiteTable, _ summary: String,
        _ table: @escaping @Sendable (SiteDocument) -> DelimitedTable
    ) -> MapFormat {
        MapFormat(
            name: kind.rawValue,
            summary: summary,
            fileEnding: "-\(kind.rawValue).csv",
            mediaType: "text/csv; charset=utf-8; header=present",
            isPart: { _ in true },
            readWhole: { _, _ in
                throw ImportRefusal(.nothingToImport, "a table goes into a site that is there")
            },
            readPart: { file, site, _ in
                let table = try DelimitedTable(readableOf: file.content())
                let changed = try kind.site(site, with: table)
                return ImportedSite(document: changed, report: ImportReport())
            },
            write: { site, _, _ in Array(table(site).text.utf8) },
            isTable: true,
            needsSite: true)
    }
}

extension DelimitedTable {
    /// The most bytes of a table, the same as site-editor accepts over HTTP.
    private static let mostBytes = 32 << 20

    /// Reads a table of comma-separated values, gzipped or not, as far as it can be read.
    ///
    /// - Throws: `ArchiveError`, or `TableFault` if no row can be read.
    public init(readingFileAt path: String) throws {
        var limits = ArchiveLimits.imports
        limits.entryBytes = Self.mostBytes
        limits.totalBytes = Self.mostBytes
        self = try DelimitedTable(
            readableOf: ArchiveReader(path: path, limits: limits).firstBytes() ?? [])
    }
}
